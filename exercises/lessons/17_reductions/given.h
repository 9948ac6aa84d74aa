// What is given in exercise 17: the functions to write.
#pragma once

#include <judge/learner.h>

using autograd::Shape;

// x has `shape`. y is x reduced over `dim`, which y and dy do not have any more: x [2, 4, 3], dim 1 -> dy [2, 3].
// Each returns dx, in x's shape.
Tensor sum_backward(const Tensor& dy, const Shape& shape, int dim);   // y = sum of x over dim
Tensor mean_backward(const Tensor& dy, const Shape& shape, int dim);  // y = mean of x over dim
// y = the largest of x over dim, y as the forward pass computed it. Elements that share the first place share dy
// equally.
Tensor max_backward(const Tensor& dy, const Tensor& x, const Tensor& y, int dim);

struct Answer {
  decltype(&::sum_backward) sum_backward;
  decltype(&::mean_backward) mean_backward;
  decltype(&::max_backward) max_backward;
};
