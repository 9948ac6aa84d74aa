#include "nn/sgd.h"

#include <fmt/core.h>

#include <limits>

#include "nn/checks.h"

namespace nn {

SGD::SGD(const ParameterGroups& parameters, const SGDOptions& given, Where where)
    : Optimizer("SGD", parameters, given.lr, given.weight_decay, where), options(given) {
  const double infinity = std::numeric_limits<double>::infinity();
  check_range("SGD", "momentum", options.momentum, 0.0, infinity, where);
  check_range("SGD", "dampening", options.dampening, 0.0, infinity, where);
  if (options.nesterov && (options.momentum == 0.0 || options.dampening != 0.0)) {
    autograd::fail(ErrorId::bad_argument, "SGD", where,
                   fmt::format("nesterov with momentum {} and dampening {}", options.momentum, options.dampening),
                   "nesterov needs a momentum above 0 and no dampening");
  }
  if (options.momentum != 0.0) add_state("momentum_buffer");
}

void SGD::run(const std::vector<Update>& updates, Where where) const {
  replace(updates, where, [this](const Update& now) -> std::vector<Tensor> {
    const Tensor& p = now.parameter;
    const Tensor g = now.gradient_with_decay();
    if (options.momentum == 0.0) return {p - now.lr * g};
    const Tensor b = now.steps == 1 ? g : options.momentum * now.averages[0] + (1.0 - options.dampening) * g;
    const Tensor d = options.nesterov ? g + options.momentum * b : b;
    return {p - now.lr * d, b};
  });
}

}  // namespace nn
