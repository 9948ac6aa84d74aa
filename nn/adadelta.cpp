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

void Adadelta::run(const std::vector<Update>& updates, Where where) const {
  const double rho = options.rho;
  const double eps = options.eps;
  replace(updates, where, [rho, eps](const Update& now) -> std::vector<Tensor> {
    const Tensor g = now.gradient_with_decay();
    const Tensor u = rho * now.averages[0] + (1.0 - rho) * g * g;
    const Tensor d = sqrt(now.averages[1] + eps) / sqrt(u + eps) * g;
    const Tensor a = rho * now.averages[1] + (1.0 - rho) * d * d;
    return {now.parameter - now.lr * d, u, a};
  });
}

}  // namespace nn
