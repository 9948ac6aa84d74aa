// Wrong: weighted_mean is computed in place, so that dy itself becomes y * dy before it is used in the bracket (and the
// caller's dy is overwritten).
#include "given.h"

Tensor softmax_jacobian(const Tensor& y) {
  return autograd::eye(y.size(0), y.dtype()) * y - y.unsqueeze(1) * y.unsqueeze(0);
}

Tensor softmax_vjp(const Tensor& dy, const Tensor& y) {
  Tensor weighted = dy;
  weighted.mul_(y);
  const Tensor weighted_mean = weighted.sum({-1}, true);
  probe("weighted_mean", weighted_mean);
  return y * (dy - weighted_mean);
}
