// Layer normalisation (Ba et al. 2016), a composite.
#include <cmath>

#include "autograd/composites/composites.h"
#include "autograd/ops/op.h"
#include "autograd/ops/parts.h"
namespace autograd {
namespace {

void check_layer_norm(const Tensor& x, const Shape& normalized_shape, const Tensor& weight, const Tensor& bias,
                      double eps, Where where) {
  check_floating("layer_norm", x, where);
  const int added = x.dim() - normalized_shape.dim();
  bool fits = added >= 0 && !normalized_shape.empty();
  for (int i = 0; fits && i < normalized_shape.dim(); ++i) fits = x.shape()[added + i] == normalized_shape[i];
  if (!fits) {
    fail_shapes("layer_norm", x.shape(), normalized_shape, where, "the input does not end in normalized_shape",
                "normalized_shape names the sizes of the last dims of the input");
  }
  for (const Tensor* parameter : {&weight, &bias}) {
    if (!parameter->defined()) continue;
    check_same_dtype("layer_norm", x, *parameter, where);
    if (parameter->shape() == normalized_shape) continue;
    fail_shapes("layer_norm", parameter->shape(), normalized_shape, where,
                fmt::format("the {} does not have the normalised shape", parameter == &weight ? "weight" : "bias"),
                "give weight and bias the shape normalized_shape");
  }
  if (!(eps >= 0.0 && std::isfinite(eps))) {
    fail(ErrorId::bad_argument, "layer_norm", where, fmt::format("eps is {}", eps),
         "use a small positive number, as 1e-5");
  }
}

}  // namespace

Tensor layer_norm(const Tensor& x, const Shape& normalized_shape, const Tensor& weight, const Tensor& bias, double eps,
                  Where where) {
  check_layer_norm(x, normalized_shape, weight, bias, eps, where);
  Dims dims;
  for (int i = 0; i < normalized_shape.dim(); ++i) dims.push_back(x.dim() - normalized_shape.dim() + i);

  const CompositeGuard composite("layer_norm", where);
  const Tensor centered = x - mean(x, dims, true);
  const double n = static_cast<double>(normalized_shape.numel());  // not n - 1
  Tensor y = centered / root_mean_square(centered, dims, n, eps, true);
  if (weight.defined()) y = y * weight;
  if (bias.defined()) y = y + bias;
  return y;
}

}  // namespace autograd
