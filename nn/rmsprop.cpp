#include "nn/rmsprop.h"

#include <limits>

#include "nn/checks.h"

namespace nn {

RMSprop::RMSprop(const ParameterGroups& parameters, const RMSpropOptions& given, Where where)
    : Optimizer("RMSprop", parameters, given.lr, given.weight_decay, where), options(given) {
  const double infinity = std::numeric_limits<double>::infinity();
  check_range("RMSprop", "alpha", options.alpha, 0.0, 1.0, where);
  check_range("RMSprop", "eps", options.eps, 0.0, infinity, where);
  check_range("RMSprop", "momentum", options.momentum, 0.0, infinity, where);
  add_state("square_avg");
  if (options.centered) add_state("grad_avg");
  if (options.momentum != 0.0) add_state("momentum_buffer");
}

void RMSprop::run(const std::vector<Update>& updates, Where where) const {
  const double alpha = options.alpha;
  replace(updates, where, [this, alpha](const Update& now) -> std::vector<Tensor> {
    const Tensor g = now.gradient_with_decay();
    const Tensor u = alpha * now.averages[0] + (1.0 - alpha) * g * g;
    std::vector<Tensor> averages = {u};
    Tensor variance = u;
    if (options.centered) {
      const Tensor m = alpha * now.averages[1] + (1.0 - alpha) * g;
      averages.push_back(m);
      variance = clamp(u - m * m, 0.0);  // rounding may lead below 0
    }
    Tensor d = g / (sqrt(variance) + options.eps);
    if (options.momentum != 0.0) {
      d = options.momentum * now.averages.back() + d;
      averages.push_back(d);
    }
    averages.insert(averages.begin(), now.parameter - now.lr * d);
    return averages;
  });
}

}  // namespace nn
