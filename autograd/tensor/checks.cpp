#include "autograd/tensor/checks.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

#include "autograd/tensor/format.h"

namespace autograd {

void fail_undefined(const char* op, Where where) {
  fail(ErrorId::undefined_tensor, op, where, "a tensor without a value was used",
       "give it a value first; grad() is undefined until backward() has run, and after zero_grad()");
}

void fail_not_taken(const char* op, const Tensor& x, Takes takes, Where where) {
  const bool also_int64 = takes == Takes::numbers;
  fail(ErrorId::dtype_mismatch, op, where,
       fmt::format("it works on {}, and this tensor is {} {}",
                   also_int64 ? "float32, float64 and int64" : "float32 and float64", x.dtype(), x.shape()),
       fmt::format("convert with to(float32){} or to(float64)", also_int64 ? ", to(int64)" : ""));
}

void check_order(const char* op, const Tensor& numbers, const Tensor& others, std::string_view order, Where where) {
  check_defined(op, numbers, where);
  check_defined(op, others, where);
  if (is_floating(numbers.dtype()) || !is_floating(others.dtype())) return;
  fail(ErrorId::dtype_mismatch, op, where,
       fmt::format("the first tensor is {} {}, and the second one {} {}: they are swapped", numbers.dtype(),
                   numbers.shape(), others.dtype(), others.shape()),
       fmt::format("write {}", order));
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
  fail(ErrorId::dtype_mismatch, op, where, fmt::format("{} {} meets {} {}", a.dtype(), a.shape(), b.dtype(), b.shape()),
       "dtypes never mix by themselves: convert one side with to()");
}

void fail_shapes(std::string_view op, const Shape& a, const Shape& b, Where where, std::string_view why,
                 std::string_view advice) {
  fail(ErrorId::shape_mismatch, op, where, fmt::format("{} and {}: {}", a, b, why), advice);
}

namespace {

bool can_hold(DType dtype, double number) {
  switch (dtype) {
    case DType::float32:
    case DType::float64: return true;
    case DType::int64: return number == std::trunc(number) && number >= -0x1p63 && number < 0x1p63;
    case DType::boolean: return number == 0.0 || number == 1.0;
  }
  return false;
}

}  // namespace

void check_number(const char* op, double number, DType dtype, Where where) {
  if (can_hold(dtype, number)) return;
  fail(ErrorId::dtype_mismatch, op, where, fmt::format("{} would be cut to fit {}", number, dtype),
       "convert the tensor with to(float32) or to(float64)");
}

DType common_dtype_with_number(const char* op, const Operand& a, const Operand& b) {
  const Where where = b.where();
  if (a.is_tensor()) check_defined(op, a.tensor(), where);
  if (b.is_tensor()) check_defined(op, b.tensor(), where);
  if (!a.is_tensor() && !b.is_tensor()) return float32;
  const DType dtype = a.is_tensor() ? a.tensor().dtype() : b.tensor().dtype();
  if (!a.is_tensor()) check_number(op, a.number(), dtype, where);
  if (!b.is_tensor()) check_number(op, b.number(), dtype, where);
  return dtype;
}

void fail_size(std::string_view op, const Shape& shape, Where where) {
  fail(ErrorId::out_of_memory, op, where, fmt::format("{} has more elements than memory can hold", shape),
       "use smaller sizes");
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

void check_mask(const char* op, const Tensor& mask, const Tensor& x, Where where) {
  check_dtype(op, mask, boolean, where);
  if (broadcast(op, x.shape(), mask.shape(), where) == x.shape()) return;
  fail_shapes(op, x.shape(), mask.shape(), where, "the mask is larger than the tensor",
              "expand() the tensor, or use a mask that broadcasts to it");
}

void check_writable(const char* op, const Tensor& x, Where where) {
  check_defined(op, x, where);
  if (x.impl()->storage->is_lent()) {
    fail(ErrorId::wrong_gradient, op, where,
         fmt::format("this {} tensor is a gradient of the backward pass that is running, and cannot be changed in "
                     "place: other gradients may lie in its memory",
                     x.shape()),
         "compute a new tensor and return that, as in: return gradient * 2.0; clone() what you keep to change later");
  }
  if (x.numel() == 0) return;  // without elements, strides may be 0
  for (int dim = 0; dim < x.dim(); ++dim) {
    if (x.strides()[dim] != 0 || x.shape()[dim] == 1) continue;
    fail(ErrorId::in_place_on_view, op, where,
         fmt::format("several elements of this {} tensor are one place in memory", x.shape()),
         "change it before expand(), or clone() first");
  }
}

std::int64_t checked_position(const char* op, std::int64_t position, const Shape& shape, int dim, Where where) {
  const std::int64_t size = shape[dim];
  if (position >= -size && position < size) return position < 0 ? position + size : position;
  fail(ErrorId::index_out_of_range, op, where,
       fmt::format("index {} is outside the size {} of dim {} of {}", position, size, dim, shape),
       size == 0 ? "this dim is empty" : fmt::format("use an index from {} to {}", -size, size - 1));
}

std::int64_t position_of(const char* op, const Tensor& tensor, std::initializer_list<std::int64_t> index, Where where) {
  check_defined(op, tensor, where);
  if (static_cast<int>(index.size()) != tensor.dim()) {
    fail(ErrorId::index_out_of_range, op, where,
         fmt::format("{} numbers given for the {} dims of {}", index.size(), tensor.dim(), tensor.shape()),
         "give one number per dim");
  }
  std::int64_t position = 0;
  int dim = 0;
  for (const std::int64_t number : index) {
    position += checked_position(op, number, tensor.shape(), dim, where) * tensor.strides()[dim];
    ++dim;
  }
  return position;
}

}  // namespace autograd
