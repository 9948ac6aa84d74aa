// Private to the kernels: the loops that all of elementwise.cpp, binary.cpp, copy.cpp and index.cpp are made
// of.
//
//   map            one row:   y[i] = f(x[i], ...)
//   for_each_row   all rows:  cuts a Walk into rows that are as long as possible
#pragma once

#include "autograd/kernels/kernels.h"

namespace autograd::kernels {

// Three kinds of input for map: `const T*` is contiguous, Repeated is a broadcast scalar, Strided is anything
// else.
template <class T>
struct Repeated {
  T value;
  T operator[](int64_t) const { return value; }
};

template <class T>
struct Strided {
  const T* data;
  int64_t stride;
  T operator[](int64_t i) const { return data[i * stride]; }
};

// y[i] = f(x[i], ...) for i < n. The kind of each input is known at compile time, so the compiler can
// vectorise.
template <class Y, class F, class... Inputs>
inline void map(Y* y, int64_t n, F f, Inputs... x) {
  for (int64_t i = 0; i < n; ++i) y[i] = f(x[i]...);
}

// The same walk with fewer dims: without those of size 1, and with neighbours merged wherever one step of the
// outer dim equals a whole run through the inner one for every input. [8, 4, 5] contiguous becomes [160].
template <int inputs>
Walk merge_dims(const Walk& walk) {
  Walk merged;
  for (int dim = 0; dim < walk.dims; ++dim) {
    const int64_t size = walk.size[dim];
    if (size == 1) continue;
    bool fits = merged.dims > 0;  // into the last merged dim?
    for (int input = 0; input < inputs && fits; ++input) {
      fits = merged.stride[input][merged.dims - 1] == walk.stride[input][dim] * size;
    }
    if (!fits) ++merged.dims;
    const int last = merged.dims - 1;
    merged.size[last] = fits ? merged.size[last] * size : size;
    for (int input = 0; input < inputs; ++input) merged.stride[input][last] = walk.stride[input][dim];
  }
  return merged;
}

inline int64_t element_count(const Walk& walk) {
  int64_t count = 1;
  for (int dim = 0; dim < walk.dims; ++dim) count *= walk.size[dim];
  return count;
}

// What for_each_row hands out: `length` elements of the result from `position` on, made from those of each
// input that start at `offset` and lie `stride` apart.
template <int inputs>
struct Row {
  int64_t position;
  int64_t length;
  int64_t offset[inputs];
  int64_t stride[inputs];
};

// Calls visit(row) for each row of the walk, in order.
template <int inputs, class Visit>
inline void for_each_row(const Walk& walk, Visit visit) {
  Row<inputs> row = {};
  if (walk.dims <= 1) {  // the common case, with nothing to set up
    row.length = walk.dims == 0 ? 1 : walk.size[0];
    for (int input = 0; input < inputs; ++input) row.stride[input] = walk.stride[input][0];
    if (row.length > 0) visit(row);
    return;
  }

  if (element_count(walk) == 0) return;
  const Walk merged = merge_dims<inputs>(walk);
  const int last = merged.dims - 1;
  row.length = last < 0 ? 1 : merged.size[last];
  for (int input = 0; input < inputs && last >= 0; ++input) row.stride[input] = merged.stride[input][last];

  int64_t index[max_dims] = {};  // of the current row; counts up like an odometer
  while (true) {
    visit(row);
    row.position += row.length;
    int dim = last - 1;
    for (; dim >= 0; --dim) {
      for (int input = 0; input < inputs; ++input) row.offset[input] += merged.stride[input][dim];
      if (++index[dim] < merged.size[dim]) break;
      index[dim] = 0;  // this wheel is full: turn it back, and step the next one
      for (int input = 0; input < inputs; ++input)
        row.offset[input] -= merged.stride[input][dim] * merged.size[dim];
    }
    if (dim < 0) return;
  }
}

}  // namespace autograd::kernels
