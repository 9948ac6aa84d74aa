// What is given in exercise 11: the functions to write, and what they return.
#pragma once

#include <judge/learner.h>

namespace given {

// The gradients of an op's two operands.
struct OperandGradients {
  Tensor da;
  Tensor db;
};

}  // namespace given

using given::OperandGradients;

// All tensors of one op have the same shape. dy = dL/dy.
OperandGradients mul_backward(const Tensor& dy, const Tensor& a, const Tensor& b);  // y = a * b
OperandGradients sub_backward(const Tensor& dy);                                    // y = a - b
OperandGradients div_backward(const Tensor& dy, const Tensor& a, const Tensor& b);  // y = a / b
// y = x^exponent, the exponent one number that is not 0. Returns dx.
Tensor pow_backward(const Tensor& dy, const Tensor& x, double exponent);
// y = max(x, 0). Returns dx. The derivative at x = 0 must be 0.
Tensor relu_backward(const Tensor& dy, const Tensor& x);

struct Answer {
  decltype(&::mul_backward) mul_backward;
  decltype(&::sub_backward) sub_backward;
  decltype(&::div_backward) div_backward;
  decltype(&::pow_backward) pow_backward;
  decltype(&::relu_backward) relu_backward;
};
