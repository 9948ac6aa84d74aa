#include "autograd/tensor/kernel_arguments.h"

namespace autograd {

Tensor copied(const Tensor& x, DType dtype) {
  Tensor y = make_tensor(x.shape(), dtype);
  const kernels::Walk walk = make_walk(x.shape(), x.strides());
  with_type(dtype, [&]<class To>(To) {
    with_type(x.dtype(), [&]<class From>(From) { kernels::copy(pointer<To>(y), pointer<From>(x), walk); });
  });
  return y;
}

Tensor contiguous_copy(const Tensor& x) {
  return copied(x, x.dtype());
}

void write_into(const Tensor& target, const Tensor& source) {
  const Tensor values = contiguous_values(source);
  const kernels::Walk walk = make_walk(target.shape(), target.strides());
  with_type(target.dtype(), [&]<class T>(T) { kernels::copy_into(pointer<T>(target), pointer<T>(values), walk); });
}

void add_into(const Tensor& target, const Tensor& source) {
  const Tensor values = contiguous_values(source);
  const kernels::Walk walk = make_walk(target.shape(), target.strides());
  with_float_type(target.dtype(), [&]<class T>(T) { kernels::add_into(pointer<T>(target), pointer<T>(values), walk); });
}

MatrixLayout layout_of(const Tensor& x) {
  const std::int64_t rows = x.shape()[x.dim() - 2];
  const std::int64_t columns = x.shape()[x.dim() - 1];
  const std::int64_t row_stride = x.strides()[x.dim() - 2];
  const std::int64_t column_stride = x.strides()[x.dim() - 1];
  if ((column_stride == 1 || columns == 1) && (row_stride >= columns || rows == 1)) {
    return {true, false, rows == 1 ? columns : row_stride};
  }
  if ((row_stride == 1 || rows == 1) && (column_stride >= rows || columns == 1)) {
    return {true, true, columns == 1 ? rows : column_stride};
  }
  return {};
}

Tensor as_matrices(const Tensor& x) {
  return layout_of(x).possible ? x : contiguous_values(x);
}

AroundDim around_dim(const Shape& shape, int dim) {
  AroundDim around;
  for (int i = 0; i < dim; ++i) around.outer *= shape[i];
  around.n = size_along(shape, dim);
  for (int i = dim + 1; i < shape.dim(); ++i) around.inner *= shape[i];
  return around.without_empty_lanes();
}

Tensor compute_along(const Tensor& x, int dim, const KernelTable<AlongKernel>& kernel) {
  const Tensor x_ = contiguous_values(x);
  Tensor y = make_tensor(x.shape(), x.dtype());
  const AroundDim size = around_dim(x.shape(), dim);
  with_type(x.dtype(), [&]<class T>(T) {
    if (y.numel() > 0) kernel.of<T>()(pointer<T>(y), pointer<T>(x_), size.outer, size.n, size.inner);
  });
  return y;
}

}  // namespace autograd
