#include "nn/optim/rmsprop.h"

#include <limits>

#include "nn/layers/checks.h"

namespace nn {

RMSprop::RMSprop(const ParameterGroups& parameters, const RMSpropOptions& o, Where where)
    : Optimizer("RMSprop", parameters, o.lr, o.weight_decay, where) {
  const double infinity = std::numeric_limits<double>::infinity();
  check_range("RMSprop", "alpha", o.alpha, 0.0, 1.0, where);
  check_range("RMSprop", "eps", o.eps, 0.0, infinity, where);
  check_range("RMSprop", "momentum", o.momentum, 0.0, infinity, where);
  add_state("square_avg");
  if (o.centered) add_state("grad_avg");
  if (o.momentum != 0.0) add_state("momentum_buffer");
  set_formula([o](const Update& now) {
    const Tensor g = now.gradient_with_decay();
    const Tensor u = o.alpha * now.averages[0] + (1.0 - o.alpha) * g * g;
    std::vector<Tensor> averages = {u};
    Tensor variance = u;
    if (o.centered) {
      const Tensor m = o.alpha * now.averages[1] + (1.0 - o.alpha) * g;
      averages.push_back(m);
      variance = clamp(u - m * m, 0.0);  // rounding may lead below 0
    }
    Tensor d = g / (sqrt(variance) + o.eps);
    if (o.momentum != 0.0) {
      d = o.momentum * now.averages.back() + d;
      averages.push_back(d);
    }
    averages.insert(averages.begin(), now.parameter - now.lr * d);
    return averages;
  });
}

}  // namespace nn
