// What is given in exercise 19: the function to write, and what it returns.
#pragma once

#include <judge/learner.h>

namespace given {

// The gradients of a linear layer's loss with respect to what went into it.
struct LinearGradients {
  Tensor dx;  // [batch, in]
  Tensor dw;  // [out, in]
  Tensor db;  // [out]
};

}  // namespace given

using given::LinearGradients;

// y = x W^T + b, given dy = dL/dy [batch, out], x [batch, in] and weight [out, in].
LinearGradients linear_backward(const Tensor& dy, const Tensor& x, const Tensor& weight);

struct Answer {
  decltype(&::linear_backward) linear_backward;
};
