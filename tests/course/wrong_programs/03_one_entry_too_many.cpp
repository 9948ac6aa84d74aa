// wrong: the loop over the entries runs to <= size, one past the end (out of bounds, and the inputs' memory is moved
// there)
#include "given.h"

Verdict check_backward(const Op& op, const std::vector<Tensor>& inputs) {
  const Tensor y = op.forward(inputs);
  const Tensor dy = autograd::randn(y.shape(), autograd::float64);
  const std::vector<Tensor> gradients = op.backward(dy, inputs);
  auto loss = [&]() { return (op.forward(inputs) * dy).sum().item(); };

  bool all_zero = true;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const auto analytic = gradients[k].to_vector();
    for (std::size_t entry = 0; entry <= analytic.size(); ++entry) {
      const double numeric = central_difference(loss, inputs[k], entry);
      const double scale = std::abs(analytic[entry]) + std::abs(numeric);
      if (scale < 1e-9) continue;
      all_zero = false;
      if (!(std::abs(analytic[entry] - numeric) < 1e-4 * scale)) return Verdict::fail;
    }
  }
  return all_zero ? Verdict::vacuous : Verdict::pass;
}
