#include "autograd/fast/fused.h"

#include <vector>

#include "autograd/ops/ops.h"
#include "autograd/tape/backward.h"
#include "autograd/tape/observer.h"
#include "autograd/tensor/kernel_arguments.h"

namespace autograd::fast {
namespace {

// A tensor of its own for each input that needs a gradient, even if one is given twice: a view in the graph, if the
// derivative is to be differentiated again, otherwise a leaf.
Tensor apart(const Kept& kept, const Ref<Node>& made_by, bool in_graph) {
  const Tensor value = kept.value();
  if (!made_by) return value.detach();
  if (!in_graph) return value.detach().requires_grad_();
  if (kept.has_changed()) value.impl()->grad_fn = made_by;  // the values of before are where they were in the graph
  return reshape(value, value.shape());
}

}  // namespace

void Fused::check_unchanged() const {
  for (std::size_t i = 0; i < inputs_kept.size(); ++i) {
    if (inputs_kept[i].has_changed() && keeps(i)) fail_clobbered(inputs_kept[i].tensor(), false);
  }
}

Grads Fused::backward(const Tensor& dy) {
  check_unchanged();
  const FormulaGuard formulas;
  const ObserverGuard unobserved(nullptr);  // an instrument was shown one op in the forward pass
  const bool again = grad_enabled();
  const GradModeGuard graph(true);
  Inputs x;
  std::vector<Tensor> wanted;
  for (std::size_t i = 0; i < inputs_kept.size(); ++i) {
    x.push_back(has(i) ? apart(inputs_kept[i], inputs[i], again) : Tensor());
    if (needs(i)) wanted.push_back(x[i]);
  }
  const std::vector<Tensor> found =
      grad(composite(x), wanted, {.grad_output = dy, .create_graph = again, .allow_unused = true});
  Grads gradients(inputs_kept.size());
  for (std::size_t i = 0, next = 0; i < inputs_kept.size(); ++i) {
    if (needs(i)) gradients[i] = found[next++];
  }
  return gradients;
}

Tensor Fused::input(std::size_t i) const {
  return contiguous_values(inputs_kept[i].value());
}

}  // namespace autograd::fast
