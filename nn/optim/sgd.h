// SGD: stochastic gradient descent, with momentum if wanted, in PyTorch's form:
//
//   g = gradient + weight_decay * p
//   b = momentum * b + (1 - dampening) * g       the first time b = g
//   g = b                                        with nesterov: g + momentum * b
//   p = p - lr * g
//
// (Polyak 1964; Nesterov's variant as in Sutskever et al. 2013. There the rate is inside b, here outside.)
#pragma once

#include "nn/optim/optimizer.h"

namespace nn {

struct SGDOptions {
  double lr = 1e-3;
  double momentum = 0.0;
  double dampening = 0.0;
  double weight_decay = 0.0;
  Flag nesterov = false;
};

struct SGD : Optimizer {
  // Throws bad-argument for negative options, and for nesterov without momentum or with dampening.
  explicit SGD(const ParameterGroups& parameters, const SGDOptions& options = {}, Where where = Where::current());
};

}  // namespace nn
