#include "nn/adadelta.h"

#include <limits>

#include "nn/checks.h"

namespace nn {

Adadelta::Adadelta(const std::vector<Tensor>& parameters, const AdadeltaOptions& given, Where where)
    : Optimizer("Adadelta", parameters, given.lr, where),
      options(given),
      square_avg_(add_state("square_avg")),
      acc_delta_(add_state("acc_delta")) {
  const double infinity = std::numeric_limits<double>::infinity();
  check_range("Adadelta", "rho", options.rho, 0.0, 1.0, where);
  check_range("Adadelta", "eps", options.eps, 0.0, infinity, where);
  check_range("Adadelta", "weight_decay", options.weight_decay, 0.0, infinity, where);
}

void Adadelta::update(std::size_t index, const Tensor& parameter, const Tensor& gradient) {
  Tensor& square_avg = square_avg_[index];
  Tensor& acc_delta = acc_delta_[index];
  if (!square_avg.defined()) square_avg = autograd::zeros_like(gradient);
  if (!acc_delta.defined()) acc_delta = autograd::zeros_like(gradient);
  const bool decays = options.weight_decay != 0.0;
  const Tensor direction = decays ? gradient + options.weight_decay * parameter : gradient;
  square_avg.mul_(options.rho);
  square_avg.addcmul_(direction, direction, 1.0 - options.rho);
  const Tensor size_of_gradients = autograd::sqrt(square_avg + options.eps);
  const Tensor size_of_steps = autograd::sqrt(acc_delta + options.eps);
  const Tensor delta = size_of_steps / size_of_gradients * direction;
  acc_delta.mul_(options.rho);
  acc_delta.addcmul_(delta, delta, 1.0 - options.rho);
  parameter.add_(delta, -lr());
}

}  // namespace nn
