// Wrong: `largest` is never initialised before the search for the maximum; it should start at -infinity (or at x[0]).
#include "given.h"

Tensor log_sum_exp(const Tensor& x) {
  const std::int64_t batch = x.size(0);
  const std::int64_t classes = x.size(1);
  std::vector<double> y;
  for (std::int64_t n = 0; n < batch; ++n) {
    double largest;
    for (std::int64_t c = 0; c < classes; ++c) {
      if (x.at({n, c}) > largest) largest = x.at({n, c});
    }
    double total = 0.0;
    for (std::int64_t c = 0; c < classes; ++c) total += std::exp(x.at({n, c}) - largest);
    y.push_back(largest + std::log(total));
  }
  return autograd::from_vector(y, {batch}, autograd::float64);
}

Tensor log_sum_exp_backward(const Tensor& dy, const Tensor& x, const Tensor& y) {
  const Tensor share = exp(x - y.unsqueeze(1));
  probe("share", share);
  return dy.unsqueeze(1) * share;
}
