// Adadelta: steps scaled by the ratio of the sizes of past steps and past gradients, so that no rate needs to be
// chosen (Zeiler 2012, algorithm 1); what Bahdanau, Cho and Bengio trained with (rho 0.95, eps 1e-6):
//
//   g = gradient + weight_decay * p
//   u = rho * u + (1 - rho) * g^2                      square_avg
//   d = sqrt(a + eps) / sqrt(u + eps) * g
//   a = rho * a + (1 - rho) * d^2                      acc_delta
//   p = p - lr * d
#pragma once

#include "nn/optim/optimizer.h"

namespace nn {

struct AdadeltaOptions {
  double lr = 1.0;
  double rho = 0.9;
  double eps = 1e-6;
  double weight_decay = 0.0;
};

struct Adadelta : Optimizer {
  // Throws bad-argument for a rho outside [0, 1] and negative options.
  explicit Adadelta(const ParameterGroups& parameters, const AdadeltaOptions& options = {},
                    Where where = Where::current());
};

}  // namespace nn
