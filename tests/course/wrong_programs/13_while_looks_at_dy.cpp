// wrong: the while loop asks for the dims of dy, which never change, instead of those of the sum
#include "given.h"

Tensor unbroadcast(const Tensor& dy, const Shape& shape) {
  Tensor result = dy;
  while (dy.dim() > shape.dim()) result = result.sum({0});
  for (int dim = 0; dim < shape.dim(); ++dim) {
    if (shape[dim] == 1) result = result.sum({dim}, true);
  }
  return result;
}

ProductGradients product_backward(const Tensor& dy, const Tensor& a, const Tensor& b) {
  return {unbroadcast(dy * b, a.shape()), unbroadcast(dy * a, b.shape())};
}
