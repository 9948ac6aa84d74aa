// How a tensor is handed to a kernel, which sees only pointers, sizes and C++ types. Private to the engine.
#pragma once

#include <cstdint>

#include "autograd/kernels/kernels.h"
#include "autograd/tensor/tensor.h"

namespace autograd {

// The first element.
template <class T> T* pointer(const Tensor& x) {
  return reinterpret_cast<T*>(x.impl()->first);
}

// An unrecorded copy of the values, row-major.
Tensor contiguous_copy(const Tensor& x);
// The same, converted to another dtype.
Tensor copied(const Tensor& x, DType dtype);
// x itself if it is contiguous, otherwise such a copy. For kernels, which need the values but not the graph.
inline Tensor contiguous_values(const Tensor& x) {
  return x.is_contiguous() ? x : contiguous_copy(x);
}

// Writes the values of `source`, of the same shape and dtype, into the memory of `target`, which may be a view.
void write_into(const Tensor& target, const Tensor& source);
// Adds them there. Floating.
void add_into(const Tensor& target, const Tensor& source);

// How two tensors are walked over together, both expanded to `shape`.
kernels::Walk broadcast_walk(const Shape& shape, const Tensor& a, const Tensor& b);

// How the last two dims of a tensor lie in memory, in the terms of kernels::gemm.
struct MatrixLayout {
  bool possible = false;  // rows or columns without gaps; otherwise a copy is needed
  bool transposed = false;
  std::int64_t leading = 1;  // elements from one stored row to the next
};
MatrixLayout layout_of(const Tensor& x);
// The values of x in a layout that gemm can read.
Tensor as_matrices(const Tensor& x);

// Calls f(T{}) with the C++ type of a floating dtype:
//   with_float_type(x.dtype(), [&]<class T>(T) { using T = T; kernels::tanh(pointer<T>(y), ...); });
template <class F> void with_float_type(DType dtype, F&& f) {
  if (dtype == float32) {
    f(float{});
  } else {
    f(double{});
  }
}
// The same for int64 too.
template <class F> void with_number_type(DType dtype, F&& f) {
  if (dtype == int64) {
    f(std::int64_t{});
  } else {
    with_float_type(dtype, f);
  }
}
// The same for any dtype.
template <class F> void with_type(DType dtype, F&& f) {
  switch (dtype) {
    case DType::float32: f(float{}); break;
    case DType::float64: f(double{}); break;
    case DType::int64: f(std::int64_t{}); break;
    case DType::boolean: f(bool{}); break;
  }
}

// A shape seen as [outer, n, inner] around one dim.
struct AroundDim {
  std::int64_t outer = 1, n = 1, inner = 1;

  // Without lanes, no kernel needs to count the others' sizes: [2^40, 3, 0] becomes [0, 0, 0].
  AroundDim without_empty_lanes() const { return outer == 0 || inner == 0 ? AroundDim{0, 0, 0} : *this; }
};
AroundDim around_dim(const Shape& shape, int dim);
// A tensor without dims counts as a list of one.
inline std::int64_t size_along(const Shape& shape, int dim) {
  return shape.empty() ? 1 : shape[dim];
}

// kernel(y, x, outer, n, inner) along one dim; not recorded.
template <class Kernel> Tensor compute_along(const Tensor& x, int dim, Kernel kernel) {
  const Tensor x_ = contiguous_values(x);
  Tensor y = make_tensor(x.shape(), x.dtype());
  if (y.numel() == 0) return y;
  const AroundDim around = around_dim(x.shape(), dim);
  with_float_type(x.dtype(),
                  [&]<class T>(T) { kernel(pointer<T>(y), pointer<T>(x_), around.outer, around.n, around.inner); });
  return y;
}

}  // namespace autograd
