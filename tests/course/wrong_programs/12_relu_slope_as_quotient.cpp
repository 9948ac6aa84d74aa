// wrong: the slope of relu is computed as relu(x) / x, which is NaN where x is exactly 0
#include "given.h"

OperandGradients mul_backward(const Tensor& dy, const Tensor& a, const Tensor& b) {
  return {dy * b, dy * a};
}

OperandGradients sub_backward(const Tensor& dy) {
  return {dy, -dy};
}

OperandGradients div_backward(const Tensor& dy, const Tensor& a, const Tensor& b) {
  return {dy / b, -dy * a / (b * b)};
}

Tensor pow_backward(const Tensor& dy, const Tensor& x, double exponent) {
  return dy * exponent * pow(x, exponent - 1);
}

Tensor relu_backward(const Tensor& dy, const Tensor& x) {
  const Tensor y = where(x > 0.0, x, 0.0);
  return dy * (y / x);
}
