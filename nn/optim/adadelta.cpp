#include "nn/optim/adadelta.h"

#include <limits>

#include "nn/layers/checks.h"

namespace nn {

Adadelta::Adadelta(const ParameterGroups& parameters, const AdadeltaOptions& o, Where where)
    : Optimizer("Adadelta", parameters, o.lr, o.weight_decay, where) {
  const double infinity = std::numeric_limits<double>::infinity();
  check_range("Adadelta", "rho", o.rho, 0.0, 1.0, where);
  check_range("Adadelta", "eps", o.eps, 0.0, infinity, where);
  add_state("square_avg");
  add_state("acc_delta");
  set_formula([o](const Update& now) -> std::vector<Tensor> {
    const Tensor g = now.gradient_with_decay();
    const Tensor u = o.rho * now.averages[0] + (1.0 - o.rho) * g * g;
    const Tensor d = sqrt(now.averages[1] + o.eps) / sqrt(u + o.eps) * g;
    const Tensor a = o.rho * now.averages[1] + (1.0 - o.rho) * d * d;
    return {now.parameter - now.lr * d, u, a};
  });
}

}  // namespace nn
