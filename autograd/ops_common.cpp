#include "autograd/ops_common.h"

#include <fmt/format.h>

#include <algorithm>

#include "autograd/format.h"

namespace autograd {

void fail_undefined(const char* op, Where where) {
  fail(ErrorId::undefined_tensor, op, where, "a tensor without a value was used",
       "give it a value first; grad() is undefined until backward() has run, and after zero_grad()");
}

void fail_not_floating(const char* op, const Tensor& x, Where where) {
  fail(ErrorId::dtype_mismatch, op, where,
       fmt::format("it works on float32 and float64, and this tensor is {} {}", x.dtype(), x.shape()),
       "convert with to(float32) or to(float64)");
}

void check_dtype(const char* op, const Tensor& x, DType expected, Where where) {
  check_defined(op, x, where);
  if (x.dtype() == expected) return;
  const std::string_view what = expected == boolean ? "a mask" : expected == int64 ? "a tensor of ids" : "the tensor";
  const std::string_view advice = expected == boolean ? "make one by comparing, as in x != 0.0, or with length_mask()"
                                                      : "check the order of the arguments, or convert with to()";
  fail(ErrorId::dtype_mismatch, op, where,
       fmt::format("{} must be {}, and this one is {} {}", what, expected, x.dtype(), x.shape()), advice);
}

void fail_dtypes(const char* op, const Tensor& a, const Tensor& b, Where where) {
  fail(ErrorId::dtype_mismatch, op, where,
       fmt::format("{} {} meets {} {}", a.dtype(), a.shape(), b.dtype(), b.shape()),
       "dtypes never mix by themselves: convert one side with to()");
}

void fail_shapes(std::string_view op, const Shape& a, const Shape& b, Where where, std::string_view why,
                 std::string_view advice) {
  fail(ErrorId::shape_mismatch, op, where, fmt::format("{} and {}: {}", a, b, why), advice);
}

int checked_dim(std::string_view op, std::int64_t dim, int dims, const Shape& shape, Where where) {
  if (dim >= -dims && dim < dims) return static_cast<int>(dim < 0 ? dim + dims : dim);
  if (dims == 0) {
    fail(ErrorId::bad_dim, op, where, fmt::format("dim {} of a single number, which has no dims", dim),
         "use a tensor with dims");
  }
  fail(ErrorId::bad_dim, op, where, fmt::format("dim {} does not exist in {}", dim, shape),
       fmt::format("use a dim from {} to {}", -dims, dims - 1));
}

Dims checked_dims(std::string_view op, const Dims& dims, const Tensor& x, Where where) {
  std::array<bool, max_dims> chosen{};
  for (const std::int64_t dim : dims) {
    bool& entry = chosen[static_cast<std::size_t>(checked_dim(op, dim, x, where))];
    if (entry) {
      fail(ErrorId::bad_dim, op, where, fmt::format("dim {} is named twice in {}, for {}", dim, dims, x.shape()),
           "name each dim once");
    }
    entry = true;
  }
  Dims result;
  for (int i = 0; i < x.dim(); ++i) {
    if (dims.empty() || chosen[static_cast<std::size_t>(i)]) result.push_back(i);
  }
  return result;
}

Shape broadcast(std::string_view op, const Shape& a, const Shape& b, Where where) {
  Shape result;
  if (!broadcast_shapes(a, b, &result)) {
    fail_shapes(op, a, b, where, "these do not broadcast: aligned at the last dim, sizes must be equal or 1",
                "insert a dim with unsqueeze(), or reshape() one of them");
  }
  return result;
}

Tensor contiguous_values(const Tensor& x) {
  return x.is_contiguous() ? x : clone(x.detach());
}

AroundDim around_dim(const Shape& shape, int dim) {
  AroundDim around;
  for (int i = 0; i < dim; ++i) around.outer *= shape[i];
  around.n = shape[dim];
  for (int i = dim + 1; i < shape.dim(); ++i) around.inner *= shape[i];
  return around;
}

}  // namespace autograd
