// Shape: the sizes of a tensor's dims, at most eight. The same small list serves for strides and
// for lists of dims.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "autograd/kernels/kernels.h"
#include "autograd/tensor/arguments.h"
#include "autograd/tensor/where.h"

namespace autograd {

inline constexpr int max_dims = kernels::max_dims;

class Shape {
 public:
  Shape() {}
  template <WholeNumber Size> Shape(Size size) : Shape(Int(size)) {}  // sum(x, 1), zeros(3)
  Shape(Int size) { push_back(size); }
  Shape(std::initializer_list<std::int64_t> sizes, Where where = Where::current()) {
    for (const std::int64_t size : sizes) push_back(size, where);
  }
  template <std::same_as<bool> T> Shape(std::initializer_list<T>) = delete;
  explicit Shape(const std::vector<std::int64_t>& sizes, Where where = Where::current());

  int dim() const { return dim_; }
  bool empty() const { return dim_ == 0; }
  std::int64_t operator[](std::int64_t i) const { return sizes_[i]; }
  std::int64_t& operator[](std::int64_t i) { return sizes_[i]; }
  const std::int64_t* begin() const { return sizes_; }
  const std::int64_t* end() const { return sizes_ + dim_; }
  std::int64_t back() const { return sizes_[dim_ - 1]; }

  // Both throw beyond eight dims.
  void push_back(std::int64_t size, Where where = {}) {
    if (dim_ == max_dims) fail_too_many_dims(where);
    sizes_[dim_++] = size;
  }
  void insert(int position, std::int64_t size) {
    push_back(size);
    for (int i = dim_ - 1; i > position; --i) std::swap((*this)[i], (*this)[i - 1]);
  }
  void erase(int position) {
    for (int i = position; i + 1 < dim_; ++i) (*this)[i] = (*this)[i + 1];
    --dim_;
  }
  void truncate(int dim) { dim_ = dim; }  // keeps the first `dim` sizes

  // The product of the sizes; 1 for no dims at all.
  std::int64_t numel() const {
    std::int64_t count = 1;
    for (int i = 0; i < dim_; ++i) count *= sizes_[i];
    return count;
  }

  friend bool operator==(const Shape& a, const Shape& b) {
    if (a.dim_ != b.dim_) return false;
    for (int i = 0; i < a.dim_; ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }

 private:
  [[noreturn]] void fail_too_many_dims(Where where) const;

  std::int64_t sizes_[max_dims];  // the first dim_ are set; not a std::array, whose [] is two calls in Debug
  int dim_ = 0;
};

using Strides = Shape;  // elements to skip for one step along each dim
using Dims = Shape;     // a list of dims, negative ones counted from the end

std::string to_string(const Shape& shape);  // "[2, 3]"

// Replaces sizes by the strides of row-major memory without gaps.
inline void make_contiguous_strides(Shape& sizes) {
  std::int64_t step = 1;
  for (int i = sizes.dim() - 1; i >= 0; --i) step *= std::exchange(sizes[i], step);
}
inline Strides contiguous_strides(const Shape& shape) {
  Strides strides = shape;
  make_contiguous_strides(strides);
  return strides;
}

// The shape that both expand to, by the usual rule: align at the last dim; sizes are equal or one of
// them is 1. False when there is none.
bool broadcast_shapes(const Shape& a, const Shape& b, Shape* result);

// The strides that read a tensor of `shape` and `strides` as one of shape `target`: 0 along every repeated dim. `shape`
// must broadcast to `target`.
Strides expanded_strides(const Shape& shape, const Strides& strides, const Shape& target);

// Where the p-th element in row-major order is: 5 in [2, 4] is [1, 1].
Shape coordinates(const Shape& shape, std::int64_t p);

// The walk over `shape` in row-major order with up to three inputs, each expanded to `shape`. Adjacent dims are merged
// where all inputs allow it.
kernels::Walk make_walk_of(const Shape& shape, std::initializer_list<const Strides*> inputs);
template <std::same_as<Strides>... Inputs> kernels::Walk make_walk(const Shape& shape, const Inputs&... strides) {
  return make_walk_of(shape, {&strides...});
}

}  // namespace autograd
