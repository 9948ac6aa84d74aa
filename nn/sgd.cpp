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
  if (options.momentum != 0.0) momentum_buffer_ = &add_state("momentum_buffer");
}

void SGD::update(std::size_t index, const Tensor& parameter, const Tensor& gradient) {
  Tensor direction = gradient;
  if (options.weight_decay != 0.0) direction = direction + options.weight_decay * parameter;
  if (momentum_buffer_) direction = with_momentum(index, direction);
  parameter.add_(direction, -lr());
}

Tensor SGD::with_momentum(std::size_t index, const Tensor& gradient) {
  Tensor& buffer = (*momentum_buffer_)[index];
  if (buffer.defined()) {
    buffer.mul_(options.momentum);
    buffer.add_(gradient, 1.0 - options.dampening);
  } else {
    buffer = gradient.clone();
  }
  return options.nesterov ? gradient + options.momentum * buffer : buffer;
}

}  // namespace nn
