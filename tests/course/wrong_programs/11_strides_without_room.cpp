// wrong: the list of strides is empty when it is written to by index: out of bounds
#include "given.h"

Sizes row_major_strides(const Sizes& shape) {
  Sizes strides;
  std::int64_t stride = 1;
  for (int dim = static_cast<int>(shape.size()) - 1; dim >= 0; --dim) {
    strides[dim] = stride;
    stride *= shape[dim];
  }
  return strides;
}

std::int64_t position(const Array& x, const Sizes& index) {
  std::int64_t result = x.offset;
  for (std::size_t dim = 0; dim < index.size(); ++dim) result += index[dim] * x.strides[dim];
  return result;
}

void add_at(const Array& x, const Sizes& index, double value) {
  x.memory->at(position(x, index)) += value;
}

Array transposed(const Array& x, int dim0, int dim1) {
  Array y = x;
  std::swap(y.shape[dim0], y.shape[dim1]);
  std::swap(y.strides[dim0], y.strides[dim1]);
  return y;
}

Array narrowed(const Array& x, int dim, std::int64_t start, std::int64_t length) {
  Array y = x;
  y.offset += start * x.strides[dim];
  y.shape[dim] = length;
  return y;
}

Array contiguous_copy(const Array& x) {
  Array y;
  y.memory = std::make_shared<std::vector<double>>();
  y.shape = x.shape;
  y.strides = row_major_strides(x.shape);
  Sizes index(x.shape.size(), 0);
  do {
    y.memory->push_back(x.memory->at(position(x, index)));
  } while (next_index(index, x.shape));
  return y;
}
