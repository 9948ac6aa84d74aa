// Checks of arguments. Each throws an Error that names the op, both sides and the user's line. Private to the engine.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "autograd/tensor/error.h"
#include "autograd/tensor/tensor.h"

namespace autograd {

// The dtypes that an op takes.
enum class Takes { floating, numbers };  // numbers: int64 too, which wraps around on overflow

[[noreturn]] void fail_not_taken(const char* op, const Tensor& x, Takes takes, Where where);
[[noreturn]] void fail_dtypes(const char* op, const Tensor& a, const Tensor& b, Where where);

inline void check_defined(const char* op, const Tensor& x, Where where) {
  if (!x.defined()) fail_undefined(op, where);
}
inline void check_takes(const char* op, const Tensor& x, Takes takes, Where where) {
  check_defined(op, x, where);
  const bool is_taken = is_floating(x.dtype()) || (takes == Takes::numbers && x.dtype() == int64);
  if (!is_taken) fail_not_taken(op, x, takes, where);
}
inline void check_floating(const char* op, const Tensor& x, Where where) {
  check_takes(op, x, Takes::floating, where);
}
// Throws if an op got its two tensors in exchanged order: integers or a mask in the place of numbers, and vice versa.
void check_order(const char* op, const Tensor& numbers, const Tensor& others, std::string_view order, Where where);
inline void check_same_dtype(const char* op, const Tensor& a, const Tensor& b, Where where) {
  check_defined(op, a, where);
  check_defined(op, b, where);
  if (a.dtype() != b.dtype()) fail_dtypes(op, a, b, where);
}
void check_dtype(const char* op, const Tensor& x, DType expected, Where where);     // for index tensors and masks
void check_mask(const char* op, const Tensor& mask, const Tensor& x, Where where);  // boolean, broadcasts to x
[[noreturn]] void fail_shapes(std::string_view op, const Shape& a, const Shape& b, Where where, std::string_view why,
                              std::string_view advice);

inline void check_same_shape(std::string_view op, const Shape& a, const Shape& b, Where where, std::string_view why,
                             std::string_view advice) {
  if (!(a == b)) fail_shapes(op, a, b, where, why, advice);
}

// The dtype that two operands have in common: a number takes on the tensor's, if that can hold it. Of two tensors, this
// is the first one's; check_same_dtype() compares them.
DType common_dtype_with_number(const char* op, const Operand& a, const Operand& b);
inline DType common_dtype(const char* op, const Operand& a, const Operand& b) {
  const bool are_tensors = a.is_tensor() && b.is_tensor() && a.tensor().defined() && b.tensor().defined();
  return are_tensors ? a.tensor().dtype() : common_dtype_with_number(op, a, b);
}
// Both operands as tensors; a number becomes one of that dtype.
struct TensorPair {
  const Tensor& a;
  const Tensor& b;
  Where where;
};
inline TensorPair as_tensors(const char* op, const Operand& a, const Operand& b) {
  const DType dtype = common_dtype(op, a, b);
  return {a.as_tensor(dtype), b.as_tensor(dtype), b.where()};
}
void check_number(const char* op, double number, DType dtype, Where where);
// Are there few enough elements for memory, so that no product of sizes overflows?
inline bool fits_into_memory(const Shape& shape) {
  constexpr std::int64_t most_elements = std::int64_t{1} << (sizeof(std::size_t) == 8 ? 48 : 28);
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    // A size of 0 counts as 1: strides are products of the other sizes, and must not overflow either.
    const bool overflow = __builtin_mul_overflow(count, size > 1 ? size : 1, &count);
    if (overflow || count > most_elements) return false;
  }
  return true;
}
[[noreturn]] void fail_size(std::string_view op, const Shape& shape, Where where);
inline void check_size(std::string_view op, const Shape& shape, Where where) {
  if (!fits_into_memory(shape)) fail_size(op, shape, where);
}

// The dim, counted from the front; throws bad-dim. `dims` is the number of dims.
int checked_dim(std::string_view op, std::int64_t dim, int dims, const Shape& shape, Where where);
// A tensor without dims counts as a list of one, as in PyTorch: dims 0 and -1 are accepted.
inline int checked_dim(std::string_view op, std::int64_t dim, const Tensor& x, Where where) {
  return checked_dim(op, dim, x.dim() > 0 ? x.dim() : 1, x.shape(), where);
}
// For ops that cut along a dim: in a tensor without dims, there is none to cut along.
inline int checked_dim_of_list(std::string_view op, std::int64_t dim, const Tensor& x, Where where) {
  return checked_dim(op, dim, x.dim(), x.shape(), where);
}
// The dims, counted from the front and in ascending order; throws bad-dim, also for a dim named twice. An empty list
// stands for all dims. For a tensor without dims, the result is empty.
Dims checked_dims(std::string_view op, const Dims& dims, const Tensor& x, Where where);
// The shape that both broadcast to; throws shape-mismatch.
Shape broadcast(std::string_view op, const Shape& a, const Shape& b, Where where);

// Throws wrong-gradient if a gradient of a running pass lies in the memory, and in-place-on-view if several elements
// share one place there, as along a dim that expand() repeats.
void check_writable(const char* op, const Tensor& x, Where where);

// The position along dim, counted from the front; throws index-out-of-range.
std::int64_t checked_position(const char* op, std::int64_t position, const Shape& shape, int dim, Where where);
// The memory position of an index, relative to the first element; throws index-out-of-range.
std::int64_t position_of(const char* op, const Tensor& tensor, std::initializer_list<std::int64_t> index, Where where);

}  // namespace autograd
