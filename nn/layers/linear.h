// Linear: y = x W^T + b.
#pragma once

#include "nn/layers/module.h"

namespace nn {

struct LinearOptions {
  Int in_features = 0;   // required
  Int out_features = 0;  // required
  Flag bias = true;
  DType dtype = autograd::float32;
};

class Linear : public Module {
 public:
  // Both parameters start uniform on [-k, k) with k = 1 / sqrt(in_features), as in PyTorch.
  // Throws bad-argument for sizes below 1.
  explicit Linear(const LinearOptions& options, Where where = Where::current());

  // x [.., in_features] -> [.., out_features]
  Tensor operator()(const Tensor& x, Where where = Where::current()) const;

  const LinearOptions options;
  Tensor weight;  // [out_features, in_features]
  Tensor bias;    // [out_features]; undefined without bias
};

}  // namespace nn
