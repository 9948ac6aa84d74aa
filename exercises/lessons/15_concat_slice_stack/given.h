// What is given in exercise 15: the functions to write.
#pragma once

#include <judge/learner.h>

using autograd::Shape;

// y = cat({a, b, ..}, dim), where a, b, .. have these sizes along dim. Returns da, db, ..
std::vector<Tensor> cat_backward(const Tensor& dy, const std::vector<std::int64_t>& sizes, int dim);
// y = stack({a, b, ..}, dim): dim is new, as long as there are tensors. Returns da, db, ..
std::vector<Tensor> stack_backward(const Tensor& dy, int dim);
// y = x.narrow(dim, start, length), where x has `shape`. Returns dx.
Tensor narrow_backward(const Tensor& dy, const Shape& shape, int dim, std::int64_t start);
// x [time, features] seen through overlapping windows: y[w] = x.narrow(0, w * step, size), y [windows, size, features].
// `shape` is x's. Returns dx.
Tensor windows_backward(const Tensor& dy, const Shape& shape, std::int64_t step);

struct Answer {
  decltype(&::cat_backward) cat_backward;
  decltype(&::stack_backward) stack_backward;
  decltype(&::narrow_backward) narrow_backward;
  decltype(&::windows_backward) windows_backward;
};
