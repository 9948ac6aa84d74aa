#include "nn/sgd.h"

#include <fmt/core.h>

#include <limits>

#include "nn/checks.h"

namespace nn {

SGD::SGD(const ParameterGroups& parameters, const SGDOptions& given, Where where)
    : Optimizer("SGD", parameters, given.lr, given.weight_decay, where), options(given) {
  const double infinity = std::numeric_limits<double>::infinity();
  check_range("SGD", "momentum", options.momentum, 0.0, infinity, where);
  if (options.nesterov && (options.momentum == 0.0 || options.dampening != 0.0)) {
    autograd::fail(ErrorId::bad_argument, "SGD", where,
                   fmt::format("nesterov with momentum {} and dampening {}", options.momentum, options.dampening),
                   "nesterov needs a momentum above 0 and no dampening");
  }
  if (options.momentum != 0.0) add_state("momentum_buffer");
}

void SGD::run(const autograd::ParameterUpdate& update, const Rates& now) const {
  update.run(autograd::SgdStep{.lr = now.lr,
                               .momentum = options.momentum,
                               .dampening = options.dampening,
                               .weight_decay = now.weight_decay,
                               .nesterov = options.nesterov,
                               .is_first = now.steps == 1});
}

}  // namespace nn
