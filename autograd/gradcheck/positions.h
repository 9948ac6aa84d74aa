// Converts between the index of an element and its position in row-major order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "autograd/tensor/shape.h"

namespace autograd::checker {

inline std::vector<std::int64_t> index_of(std::int64_t position, const Shape& shape) {
  std::vector<std::int64_t> index(static_cast<std::size_t>(shape.dim()));
  for (int dim = shape.dim() - 1; dim >= 0; --dim) {
    index[static_cast<std::size_t>(dim)] = position % shape[dim];
    position /= shape[dim];
  }
  return index;
}

inline std::size_t position_of(const std::vector<std::int64_t>& index, const Shape& shape) {
  std::int64_t position = 0;
  for (int dim = 0; dim < shape.dim(); ++dim) position = position * shape[dim] + index[static_cast<std::size_t>(dim)];
  return static_cast<std::size_t>(position);
}

}  // namespace autograd::checker
