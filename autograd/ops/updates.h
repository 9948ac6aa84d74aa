// Changes of several tensors at once, for optimisers and checkpoints. Nothing here is recorded, and a function that
// throws has changed nothing.
//
// All throw undefined-tensor, in-place-on-view where several elements share one place in memory, and bad-argument for a
// tensor whose changes would have to be recorded.
#pragma once

#include <vector>

#include "autograd/tensor/tensor.h"

namespace autograd {

// Copies each source over its target, which has the same shape and any dtype. `op` is what errors name.
struct Copy {
  Tensor target;
  Tensor source;
};
void copy_all_(const std::vector<Copy>& copies, Where where = Where::current(), const char* op = "copy_all_");

// Multiplies each tensor by the factor.
void scale_all_(const std::vector<Tensor>& tensors, double factor, Where where = Where::current());

// A step of Adam (Kingma and Ba 2015, algorithm 1), with g = gradient + weight_decay * parameter:
//   exp_avg        = beta1 * exp_avg + (1 - beta1) * g
//   exp_avg_sq     = beta2 * exp_avg_sq + (1 - beta2) * g^2
//   max_exp_avg_sq = max(max_exp_avg_sq, exp_avg_sq)        if it is given; it then stands for exp_avg_sq below
//   parameter      = keep * parameter - step_size * exp_avg / (root_scale * sqrt(exp_avg_sq) + eps)
struct AdamStep {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double step_size = 1e-3;    // lr / (1 - beta1^t)
  double root_scale = 1.0;    // 1 / sqrt(1 - beta2^t)
  double weight_decay = 0.0;  // Adam's: added to the gradient
  double keep = 1.0;          // AdamW's decay: 1 - lr * weight_decay
};
// One parameter and its state, all of one shape and dtype.
struct AdamParameter {
  Tensor parameter;
  Tensor gradient;
  Tensor exp_avg;
  Tensor exp_avg_sq;
  AdamStep step = {};
  Tensor max_exp_avg_sq = {};  // amsgrad's; may be undefined
};
// Throws shape-mismatch and dtype-mismatch too.
void adam_step_(const std::vector<AdamParameter>& parameters, Where where = Where::current());

// The sum of the squares of all elements, in double.
double sum_of_squares(const Tensor& x, Where where = Where::current());

}  // namespace autograd
