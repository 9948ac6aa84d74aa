#include "autograd/tensor/shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "autograd/tensor/error.h"

namespace autograd {

Shape::Shape(const std::vector<std::int64_t>& sizes, Where where) {
  for (const std::int64_t size : sizes) push_back(size, where);
}

void Shape::fail_too_many_dims(Where where) const {
  fail(ErrorId::bad_dim, "shape", where,
       fmt::format("{} with one more dim has over {} dims", to_string(*this), max_dims), "merge dims with reshape()");
}

std::string to_string(const Shape& shape) {
  return fmt::format("[{}]", fmt::join(shape.begin(), shape.end(), ", "));
}

bool broadcast_shapes(const Shape& a, const Shape& b, Shape* result) {
  const Shape& longer = a.dim() >= b.dim() ? a : b;
  const Shape& shorter = a.dim() >= b.dim() ? b : a;
  *result = longer;
  const int offset = longer.dim() - shorter.dim();
  for (int i = 0; i < shorter.dim(); ++i) {
    const std::int64_t size = shorter[i];
    std::int64_t& together = (*result)[i + offset];
    if (together == 1) {
      together = size;
    } else if (size != 1 && size != together) {
      return false;
    }
  }
  return true;
}

Strides expanded_strides(const Shape& shape, const Strides& strides, const Shape& target) {
  Strides expanded = target;
  const int offset = target.dim() - shape.dim();
  for (int i = 0; i < target.dim(); ++i) {
    const bool repeated = i < offset || shape[i - offset] != target[i];
    expanded[i] = repeated ? 0 : strides[i - offset];
  }
  return expanded;
}

Shape coordinates(const Shape& shape, std::int64_t p) {
  Shape result = shape;
  for (int dim = shape.dim() - 1; dim >= 0; --dim) {
    result[dim] = p % shape[dim];
    p /= shape[dim];
  }
  return result;
}

// [8, 1, 4, 5] contiguous becomes a walk over [160].
kernels::Walk make_walk_of(const Shape& shape, std::initializer_list<const Strides*> inputs) {
  kernels::Walk walk;
  for (int dim = 0; dim < shape.dim(); ++dim) {
    if (shape[dim] == 1) continue;
    // It is merged into the last one if, for every input, one step along that one is as far as the whole of this.
    const int last = walk.dims - 1;
    bool merges = last >= 0;
    int input = 0;
    for (const Strides* strides : inputs) {
      merges = merges && walk.stride[input++][last] == (*strides)[dim] * shape[dim];
    }
    if (!merges) walk.size[walk.dims++] = 1;
    walk.size[walk.dims - 1] *= shape[dim];
    input = 0;
    for (const Strides* strides : inputs) walk.stride[input++][walk.dims - 1] = (*strides)[dim];
  }
  return walk;
}

}  // namespace autograd
