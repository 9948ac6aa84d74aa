#include "nn/layers/linear.h"

#include <cmath>

#include "nn/layers/checks.h"
#include "nn/layers/init.h"

namespace nn {

Linear::Linear(const LinearOptions& given, Where where) : options(given) {
  check_size("Linear", "in_features", options.in_features, where);
  check_size("Linear", "out_features", options.out_features, where);
  check_parameter_dtype("Linear", options.dtype, where);
  const double bound = 1.0 / std::sqrt(static_cast<double>(options.in_features));
  weight = autograd::empty({options.out_features, options.in_features}, options.dtype, where);
  init::uniform_(weight, -bound, bound);
  if (options.bias) {
    bias = autograd::empty({options.out_features}, options.dtype, where);
    init::uniform_(bias, -bound, bound);
  }
  register_parameter("weight", weight);
  register_parameter("bias", bias);
}

Tensor Linear::operator()(const Tensor& x, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  return autograd::linear(x, weight, bias);
}

}  // namespace nn
