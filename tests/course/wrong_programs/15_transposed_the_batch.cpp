// wrong: in the batch, dims 0 and 1 are exchanged instead of the last two
#include "given.h"

FactorGradients matmul_backward(const Tensor& dy, const Tensor& a, const Tensor& b) {
  return {matmul(dy, b.t()), matmul(a.t(), dy)};
}

FactorGradients batched_matmul_backward(const Tensor& dy, const Tensor& a, const Tensor& b) {
  const Tensor da = matmul(dy, b.transpose(0, 1));
  const Tensor db = matmul(a.transpose(0, 1), dy);
  return {unbroadcast(da, a.shape()), unbroadcast(db, b.shape())};
}
