#include "nn/adadelta.h"

#include <limits>

#include "nn/checks.h"

namespace nn {

Adadelta::Adadelta(const ParameterGroups& parameters, const AdadeltaOptions& given, Where where)
    : Optimizer("Adadelta", parameters, given.lr, given.weight_decay, where), options(given) {
  const double infinity = std::numeric_limits<double>::infinity();
  check_range("Adadelta", "rho", options.rho, 0.0, 1.0, where);
  check_range("Adadelta", "eps", options.eps, 0.0, infinity, where);
  add_state("square_avg");
  add_state("acc_delta");
}

void Adadelta::run(const autograd::ParameterUpdate& update, const Rates& now) const {
  update.run(
      autograd::AdadeltaStep{.lr = now.lr, .rho = options.rho, .eps = options.eps, .weight_decay = now.weight_decay});
}

}  // namespace nn
