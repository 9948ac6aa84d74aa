#include "autograd/tensor/shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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

kernels::Walk make_walk_of(const Shape& shape, std::initializer_list<const Strides*> inputs) {
  // Can the dim be merged into the one before it? For every input, one step along that one must be the same as steps
  // through all of this one.
  const auto is_mergeable = [&](int dim) {
    return std::all_of(inputs.begin(), inputs.end(),
                       [&](const Strides* strides) { return (*strides)[dim - 1] == (*strides)[dim] * shape[dim]; });
  };
  kernels::Walk walk;
  for (int i = 0; i < shape.dim(); ++i) {
    if (shape[i] == 1) continue;
    const bool merge = walk.dims > 0 && i > 0 && shape[i - 1] != 1 && is_mergeable(i);
    if (!merge) {
      walk.size[walk.dims] = 1;
      ++walk.dims;
    }
    walk.size[walk.dims - 1] *= shape[i];
    int input = 0;
    for (const Strides* strides : inputs) walk.stride[input++][walk.dims - 1] = (*strides)[i];
  }
  return walk;
}

}  // namespace autograd
