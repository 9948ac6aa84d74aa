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

void RMSprop::run(const autograd::ParameterUpdate& update, const Rates& now) const {
  update.run(autograd::RmspropStep{.lr = now.lr,
                                   .alpha = options.alpha,
                                   .eps = options.eps,
                                   .weight_decay = now.weight_decay,
                                   .momentum = options.momentum,
                                   .centered = options.centered});
}

}  // namespace nn
