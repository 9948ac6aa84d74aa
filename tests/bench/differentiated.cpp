#include "bench/differentiated.h"

namespace bench {

using autograd::Tensor;

void record_forward_backward(const Run& run, const std::string& unit, double per, const std::vector<Tensor>& leaves,
                             const std::function<std::vector<Tensor>()>& forward) {
  std::vector<Tensor> upstream;
  for (const Tensor& output : forward()) upstream.push_back(autograd::ones_like(output));

  const Timing built = run.time([&] { keep(forward()); });
  run.record_time("forward", built, unit, per);
  const Timing both = run.time([&] {
    for (const Tensor& leaf : leaves) leaf.zero_grad();
    autograd::backward(forward(), upstream);
  });
  run.record_time("forward_backward", both, unit, per);
}

}  // namespace bench
