#include "nn/sgd.h"

#include <fmt/core.h>

#include <limits>

#include "nn/checks.h"

namespace nn {

SGD::SGD(const std::vector<Tensor>& parameters, const SGDOptions& given, Where where)
    : Optimizer("SGD", parameters, given.lr, where), options(given) {
  const double infinity = std::numeric_limits<double>::infinity();
  check_range("SGD", "momentum", options.momentum, 0.0, infinity, where);
  check_range("SGD", "weight_decay", options.weight_decay, 0.0, infinity, where);
  if (options.nesterov && (options.momentum == 0.0 || options.dampening != 0.0)) {
    autograd::fail(ErrorId::bad_argument, "SGD", where,
                   fmt::format("nesterov with momentum {} and dampening {}", options.momentum, options.dampening),
                   "nesterov needs a momentum above 0 and no dampening");
  }
  if (options.momentum != 0.0) add_state("momentum_buffer");
}

void SGD::run(const autograd::ParameterUpdate& update, std::int64_t steps) const {
  update.run(autograd::SgdStep{.lr = lr(),
                               .momentum = options.momentum,
                               .dampening = options.dampening,
                               .weight_decay = options.weight_decay,
                               .nesterov = options.nesterov,
                               .is_first = steps == 1});
}

}  // namespace nn
