// RMSprop: the gradient divided by the root of its running mean square (Hinton 2012, lecture 6), in PyTorch's form:
//
//   g = gradient + weight_decay * p
//   u = alpha * u + (1 - alpha) * g^2                  square_avg
//   m = alpha * m + (1 - alpha) * g                    grad_avg, with centered only (Graves 2013, eq. 38 to 45)
//   d = g / (sqrt(u) + eps)                            with centered sqrt(max(u - m^2, 0))
//   b = momentum * b + d                               momentum_buffer, with momentum only; it then stands for d
//   p = p - lr * d
#pragma once

#include "nn/optim/optimizer.h"

namespace nn {

struct RMSpropOptions {
  double lr = 1e-2;
  double alpha = 0.99;
  double eps = 1e-8;
  double weight_decay = 0.0;
  double momentum = 0.0;
  Flag centered = false;
};

struct RMSprop : Optimizer {
  // Throws bad-argument for an alpha outside [0, 1] and negative options.
  explicit RMSprop(const ParameterGroups& parameters, const RMSpropOptions& options = {},
                   Where where = Where::current());
};

}  // namespace nn
