#include "autograd/tensor/shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "autograd/tensor/error.h"

namespace autograd {

Shape::Shape(const std::vector<std::int64_t>& sizes) {
  for (const std::int64_t size : sizes) push_back(size);
}

void Shape::fail_too_many_dims() const {
  fail(ErrorId::bad_dim, "shape", Where{},
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

namespace {

// Can the dim `inner` be merged into the dim before it? For every input, one step along the outer dim must be the same
// as steps through all of the inner one.
bool mergeable(const Shape& shape, const std::array<const Strides*, 3>& inputs, int inner) {
  for (const Strides* strides : inputs) {
    if (strides && (*strides)[inner - 1] != (*strides)[inner] * shape[inner]) return false;
  }
  return true;
}

kernels::Walk make_walk(const Shape& shape, const std::array<const Strides*, 3>& inputs) {
  kernels::Walk walk;
  for (int i = 0; i < shape.dim(); ++i) {
    if (shape[i] == 1) continue;
    const bool merge = walk.dims > 0 && i > 0 && shape[i - 1] != 1 && mergeable(shape, inputs, i);
    if (!merge) {
      walk.size[walk.dims] = 1;
      ++walk.dims;
    }
    walk.size[walk.dims - 1] *= shape[i];
    for (std::size_t input = 0; input < inputs.size(); ++input) {
      if (inputs[input]) walk.stride[input][walk.dims - 1] = (*inputs[input])[i];
    }
  }
  return walk;
}

}  // namespace

kernels::Walk make_walk(const Shape& shape, const Strides& first) {
  return make_walk(shape, std::array<const Strides*, 3>{&first, nullptr, nullptr});
}

kernels::Walk make_walk(const Shape& shape, const Strides& first, const Strides& second) {
  return make_walk(shape, std::array<const Strides*, 3>{&first, &second, nullptr});
}

kernels::Walk make_walk(const Shape& shape, const Strides& first, const Strides& second, const Strides& third) {
  return make_walk(shape, std::array<const Strides*, 3>{&first, &second, &third});
}

}  // namespace autograd
