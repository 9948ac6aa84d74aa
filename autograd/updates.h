// What optimisers do to every parameter at every step, in one pass over its memory. Written as tensor ops, an update of
// Adam is ten passes. Nothing here is recorded.
#pragma once

#include "autograd/tensor.h"

namespace autograd {

struct AdamStep {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double step_size = 1e-3;    // lr / (1 - beta1^t)
  double root_scale = 1.0;    // 1 / sqrt(1 - beta2^t)
  double weight_decay = 0.0;  // Adam's: added to the gradient
};

// One step of Adam (Kingma and Ba 2015, algorithm 1), with g = gradient + weight_decay * parameter:
//   exp_avg    = beta1 * exp_avg + (1 - beta1) * g
//   exp_avg_sq = beta2 * exp_avg_sq + (1 - beta2) * g^2
//   parameter -= step_size * exp_avg / (root_scale * sqrt(exp_avg_sq) + eps)
// All four have the same shape and floating dtype, and are contiguous but for the gradient.
// Throws shape-mismatch, dtype-mismatch and bad-argument.
void adam_step_(const Tensor& parameter, const Tensor& gradient, const Tensor& exp_avg, const Tensor& exp_avg_sq,
                const AdamStep& step, Where where = Where::current());

// The sum of the squares of all elements. Blocks of 512 are summed in x's dtype, and their sums in double.
double sum_of_squares(const Tensor& x, Where where = Where::current());

}  // namespace autograd
