// What is given in exercise 16: the functions to write, what they return, and the un-broadcasting of exercise 12.
#pragma once

#include <judge/learner.h>

namespace given {

// The gradients of the two factors, each in the shape of its factor.
struct FactorGradients {
  Tensor da;
  Tensor db;
};

// The gradient of a tensor of `shape` that was broadcast to the shape of `gradient`: the sum over what was repeated.
inline Tensor unbroadcast(const Tensor& gradient, const autograd::Shape& shape) {
  Tensor sum = gradient;
  while (sum.dim() > shape.dim()) sum = sum.sum({0});
  for (int dim = 0; dim < shape.dim(); ++dim) {
    if (shape[dim] == 1) sum = sum.sum({dim}, true);
  }
  return sum;
}

}  // namespace given

using given::FactorGradients;
using given::unbroadcast;

// y = a b:  a [m, k], b [k, n], dy [m, n].
FactorGradients matmul_backward(const Tensor& dy, const Tensor& a, const Tensor& b);
// The same for a batch of matrices: a [.., m, k], b [.., k, n], dy [.., m, n]. The dims in front broadcast, so one
// factor may have fewer of them, or size 1 there.
FactorGradients batched_matmul_backward(const Tensor& dy, const Tensor& a, const Tensor& b);

struct Answer {
  decltype(&::matmul_backward) matmul_backward;
  decltype(&::batched_matmul_backward) batched_matmul_backward;
};
