// What is given in exercise 12: the functions to write, and what they return.
#pragma once

#include <judge/learner.h>

namespace given {

struct ProductGradients {
  Tensor da;  // a's shape
  Tensor db;  // b's shape
};

}  // namespace given

using autograd::Shape;
using given::ProductGradients;

// The gradient of a tensor of `shape` that was broadcast to dy's shape: dy, summed over what was repeated.
Tensor unbroadcast(const Tensor& dy, const Shape& shape);
// y = a * b, where a and b broadcast to dy's shape.
ProductGradients product_backward(const Tensor& dy, const Tensor& a, const Tensor& b);

struct Answer {
  decltype(&::unbroadcast) unbroadcast;
  decltype(&::product_backward) product_backward;
};
