#include "nn/layers/layer_norm.h"

#include "nn/layers/checks.h"

namespace nn {

LayerNorm::LayerNorm(const LayerNormOptions& given, Where where) : options(given) {
  check_positive("LayerNorm", "normalized_shape.dim()", options.normalized_shape.dim(), where);
  for (const std::int64_t size : options.normalized_shape) {
    check_size("LayerNorm", "normalized_shape", size, where);
  }
  check_range("LayerNorm", "eps", options.eps, 0.0, 1.0, where);
  check_parameter_dtype("LayerNorm", options.dtype, where);
  if (!options.elementwise_affine) return;
  weight = autograd::ones(options.normalized_shape, options.dtype, where);
  register_parameter("weight", weight);
  if (!options.bias) return;
  bias = autograd::zeros(options.normalized_shape, options.dtype, where);
  register_parameter("bias", bias);
}

Tensor LayerNorm::operator()(const Tensor& x, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  return autograd::layer_norm(x, options.normalized_shape, weight, bias, options.eps);
}

}  // namespace nn
