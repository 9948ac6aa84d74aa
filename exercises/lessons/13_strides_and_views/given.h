// What is given in exercise 13: an array seen through shape, strides and offset, and the functions to write.
#pragma once

#include <judge/learner.h>

#include <memory>

namespace given {

using Sizes = std::vector<std::int64_t>;

// Numbers in one row of memory, and how to read them as an n-dimensional array. Copies of an Array share the memory.
struct Array {
  std::shared_ptr<std::vector<double>> memory;
  Sizes shape;
  Sizes strides;            // how many numbers to step over for the next element along each dim
  std::int64_t offset = 0;  // the place of element [0, 0, ..] in the memory
};

// Goes on to the next index in row-major order: the last dim first. False after the last one.
inline bool next_index(Sizes& index, const Sizes& shape) {
  for (std::size_t dim = shape.size(); dim-- > 0;) {
    if (++index[dim] < shape[dim]) return true;
    index[dim] = 0;
  }
  return false;
}

}  // namespace given

using given::Array;
using given::next_index;
using given::Sizes;

// The strides of memory in row-major order without gaps: [4, 3] has [3, 1].
Sizes row_major_strides(const Sizes& shape);
// Where in x's memory the element at `index` is.
std::int64_t position(const Array& x, const Sizes& index);
// x[index] += value. Every array that shares the memory sees it.
void add_at(const Array& x, const Sizes& index, double value);
// A view: dims dim0 and dim1 exchanged, no number moved.
Array transposed(const Array& x, int dim0, int dim1);
// A view: along dim only the elements start, start + 1, .., start + length - 1.
Array narrowed(const Array& x, int dim, std::int64_t start, std::int64_t length);
// The same elements in memory of their own, in row-major order without gaps.
Array contiguous_copy(const Array& x);

struct Answer {
  decltype(&::row_major_strides) row_major_strides;
  decltype(&::position) position;
  decltype(&::add_at) add_at;
  decltype(&::transposed) transposed;
  decltype(&::narrowed) narrowed;
  decltype(&::contiguous_copy) contiguous_copy;
};
