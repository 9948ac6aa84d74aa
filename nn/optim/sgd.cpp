#include "nn/optim/sgd.h"

#include <fmt/core.h>

#include <limits>

#include "nn/layers/checks.h"

namespace nn {

SGD::SGD(const ParameterGroups& parameters, const SGDOptions& o, Where where)
    : Optimizer("SGD", parameters, o.lr, o.weight_decay, where) {
  const double infinity = std::numeric_limits<double>::infinity();
  check_range("SGD", "momentum", o.momentum, 0.0, infinity, where);
  check_range("SGD", "dampening", o.dampening, 0.0, infinity, where);
  if (o.nesterov && (o.momentum == 0.0 || o.dampening != 0.0)) {
    autograd::fail(ErrorId::bad_argument, "SGD", where,
                   fmt::format("nesterov with momentum {} and dampening {}", o.momentum, o.dampening),
                   "nesterov needs a momentum above 0 and no dampening");
  }
  if (o.momentum != 0.0) add_state("momentum_buffer");
  set_formula([o](const Update& now) -> std::vector<Tensor> {
    const Tensor& p = now.parameter;
    const Tensor g = now.gradient_with_decay();
    if (o.momentum == 0.0) return {p - now.lr * g};
    const Tensor b = now.steps == 1 ? g : o.momentum * now.averages[0] + (1.0 - o.dampening) * g;
    const Tensor d = o.nesterov ? g + o.momentum * b : b;
    return {p - now.lr * d, b};
  });
}

}  // namespace nn
