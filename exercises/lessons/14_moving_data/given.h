// What is given in exercise 14: the functions to write.
#pragma once

#include <judge/learner.h>

using autograd::Dims;

// Each gets dy in the shape of y, and returns dx in the shape of x.
Tensor transpose_backward(const Tensor& dy, int dim0, int dim1);  // y = x.transpose(dim0, dim1)
// y = x.permute(dims): dim i of y is dim dims[i] of x. Negative dims count from the end.
Tensor permute_backward(const Tensor& dy, const Dims& dims);
Tensor flip_backward(const Tensor& dy, int dim);  // y = flip(x, {dim}): reversed along dim
// x [batch, time, groups * size] -> y [batch, groups, time, size]: the last dim is cut into groups,
// y = x.reshape({batch, time, groups, size}).transpose(1, 2).
Tensor split_groups_backward(const Tensor& dy);

struct Answer {
  decltype(&::transpose_backward) transpose_backward;
  decltype(&::permute_backward) permute_backward;
  decltype(&::flip_backward) flip_backward;
  decltype(&::split_groups_backward) split_groups_backward;
};
