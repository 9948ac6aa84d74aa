// Derivatives of functions of one tensor, as in torch.autograd.functional: each calls f and differentiates what f
// recorded. (For a function of several tensors, take one tensor at a time and let f capture the others.)
//
//   const auto f = [&](const Tensor& x) { return tanh(matmul(w, x)); };
//   const Tensor jacobian_of_f = jacobian(f, x);                    // [outputs, inputs]
//
// No .grad() changes. With create_graph, results can be differentiated again, also with respect to x; otherwise x is
// detached first, and no result shares memory with another tensor. Where the output does not depend on x, derivatives
// are 0.
#pragma once

#include <functional>

#include "autograd/tensor/tensor.h"

namespace autograd {

using Function = std::function<Tensor(const Tensor& x)>;

struct OutputAndProduct {
  Tensor output;   // f(x)
  Tensor product;  // v^T J, or J v
};

// v^T J, what backward() computes: v is like f(x), the product like x. v may be left out where f(x) is one number.
OutputAndProduct vjp(const Function& f, const Tensor& x, const Tensor& v = Tensor(), Flag create_graph = false,
                     Where where = Where::current());
// J v, the derivative of f in the direction v: v is like x, the product like f(x).
OutputAndProduct jvp(const Function& f, const Tensor& x, const Tensor& v, Flag create_graph = false,
                     Where where = Where::current());
// d f(x)[i] / d x[j], in the shape [sizes of f(x), sizes of x]; one backward for each number of f(x).
Tensor jacobian(const Function& f, const Tensor& x, Flag create_graph = false, Where where = Where::current());
// d^2 f(x) / d x[i] d x[j], in the shape [sizes of x, sizes of x]; f(x) is one number.
Tensor hessian(const Function& f, const Tensor& x, Flag create_graph = false, Where where = Where::current());

}  // namespace autograd
