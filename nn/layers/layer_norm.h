// LayerNorm: y = (x - mean) / sqrt(var + eps) * weight + bias, mean and (biased) variance over the last dims of
// each example (Ba, Kiros and Hinton 2016, eq. 4).
#pragma once

#include "nn/layers/module.h"

namespace nn {

struct LayerNormOptions {
  Shape normalized_shape = {};  // the last dims, {features} as a rule; required
  double eps = 1e-5;
  Flag elementwise_affine = true;  // with weight and bias
  Flag bias = true;                // false: with weight only
  DType dtype = autograd::float32;
};

class LayerNorm : public Module {
 public:
  // weight starts at one, bias at zero. Throws bad-argument without a normalized_shape, for sizes below 1 and for
  // a negative eps.
  explicit LayerNorm(const LayerNormOptions& options, Where where = Where::current());

  // x [.., *normalized_shape] -> the same shape.
  Tensor operator()(const Tensor& x, Where where = Where::current()) const;

  const LayerNormOptions options;
  Tensor weight;  // normalized_shape; undefined without elementwise_affine
  Tensor bias;    // likewise
};

}  // namespace nn
