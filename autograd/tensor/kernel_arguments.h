// How a tensor is handed to a kernel, which sees only pointers, sizes and C++ types. Private to the engine.
#pragma once

#include <concepts>
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

// How tensors are walked over together, each expanded to `shape`.
template <std::same_as<Tensor>... Inputs> kernels::Walk broadcast_walk(const Shape& shape, const Inputs&... inputs) {
  return make_walk(shape, expanded_strides(inputs.shape(), inputs.strides(), shape)...);
}

// How the last two dims of a tensor lie in memory, in the terms of kernels::gemm.
struct MatrixLayout {
  bool possible = false;  // rows or columns without gaps; otherwise a copy is needed
  bool transposed = false;
  std::int64_t leading = 1;  // elements from one stored row to the next
};
MatrixLayout layout_of(const Tensor& x);
// The values of x in a layout that gemm can read.
Tensor as_matrices(const Tensor& x);

// The one way to the kernel of a dtype. Calls f(T{}) with the C++ type of a floating dtype:
//   with_float_type(x.dtype(), [&]<class T>(T) { kernels::scale(pointer<T>(x), ...); });
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

// A kernel for several ops to hand to one function, which picks the type by with_type(): {kernels::exp, kernels::exp}.
template <template <class> class Kernel> struct KernelTable {
  Kernel<float> on_float32;
  Kernel<double> on_float64;
  Kernel<std::int64_t> on_int64 = nullptr;  // not every op has one
  Kernel<bool> on_boolean = nullptr;        // likewise

  template <class T> Kernel<T> of() const {
    if constexpr (std::same_as<T, float>) return on_float32;
    if constexpr (std::same_as<T, double>) return on_float64;
    if constexpr (std::same_as<T, std::int64_t>) return on_int64;
    if constexpr (std::same_as<T, bool>) return on_boolean;
  }
};

// A shape seen as [outer, n, inner] around one dim: outer * inner lanes of n elements.
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

template <class T>
using AlongKernel = void (*)(T* y, const T* x, std::int64_t outer, std::int64_t n, std::int64_t inner);
// The numbers of an op that works along one dim and keeps the shape, not recorded.
Tensor compute_along(const Tensor& x, int dim, const KernelTable<AlongKernel>& kernel);

}  // namespace autograd
