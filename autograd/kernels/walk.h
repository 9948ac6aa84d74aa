// Private to the kernels: the loops that elementwise.cpp, binary.cpp, copy.cpp and index.cpp are made of.
//
//   map            one row:   y[i] = f(x[i], ...)
//   for_each_row   all rows:  cuts a Walk into rows that are as long as possible
#pragma once

#include "autograd/kernels/independent_steps.h"
#include "autograd/kernels/kernels.h"
#include "autograd/kernels/parallel.h"

namespace autograd::kernels {

// From this many elements on, a loop is worth several threads.
inline constexpr int64_t parallel_elements = int64_t(1) << 16;

// Three kinds of input for map: `const T*` is contiguous, Repeated is a broadcast scalar, Strided is anything else.
template <class T> struct Repeated {
  T value;
  T operator[](int64_t) const { return value; }
  Repeated operator+(int64_t) const { return *this; }
};

template <class T> struct Strided {
  const T* data;
  int64_t stride;
  T operator[](int64_t i) const { return data[i * stride]; }
  Strided operator+(int64_t begin) const { return {data + begin * stride, stride}; }
};

// g++ 12 vectorises loops that read bytes, but not loops that read bools, which are bytes of 0 or 1.
inline const unsigned char* as_bytes(const bool* x) {
  return reinterpret_cast<const unsigned char*>(x);
}

// y[i] = f(x[i], ...) for i < n. The kind of each input is known at compile time, so that the compiler can vectorise. y
// overlaps no x, or is the same memory.
template <class Y, class F, class... Inputs> inline void map_part(Y* y, int64_t n, F f, Inputs... x) {
  BACKSTEP_INDEPENDENT_STEPS
  for (int64_t i = 0; i < n; ++i) y[i] = f(x[i]...);
}
// The same, on several threads if the loop is long.
template <class Y, class F, class... Inputs> inline void map(Y* y, int64_t n, F f, Inputs... x) {
  if (n < 2 * parallel_elements || thread_count() == 1) return map_part(y, n, f, x...);
  parallel_for(n, parallel_elements,
               [&](int64_t begin, int64_t end) { map_part(y + begin, end - begin, f, (x + begin)...); });
}

// One innermost run of a walk: `length` elements of the result from `position` on, made from those of each input that
// start at `offset` and lie `stride` apart.
template <int inputs> struct Row {
  int64_t position;
  int64_t length;
  int64_t offset[inputs];
  int64_t stride[inputs];
};

// The same walk in as few dims as possible: dims of size 1 are dropped, and neighbours are merged when, for every
// input, one step along the outer is as far as the whole of the inner. [8, 1, 4, 5] contiguous becomes [160].
template <int inputs> struct MergedWalk {
  int dims = 0;
  int64_t size[max_dims];
  int64_t stride[inputs][max_dims];

  explicit MergedWalk(const Walk& walk) {
    for (int dim = 0; dim < walk.dims; ++dim) {
      if (walk.size[dim] != 1) append(walk, dim);
    }
  }

  void append(const Walk& walk, int dim) {
    bool fits = dims > 0;  // into the last one
    for (int i = 0; i < inputs; ++i) fits = fits && stride[i][dims - 1] == walk.stride[i][dim] * walk.size[dim];
    if (!fits) size[dims++] = 1;
    size[dims - 1] *= walk.size[dim];
    for (int i = 0; i < inputs; ++i) stride[i][dims - 1] = walk.stride[i][dim];
  }

  int64_t count() const {
    int64_t product = 1;
    for (int dim = 0; dim < dims; ++dim) product *= size[dim];
    return product;
  }
};

// Calls visit(row) for each row of the walk, in order.
template <int inputs, class Visit> void for_each_row(const Walk& walk, const Visit& visit) {
  if (walk.dims == 1) {  // by far the most common case
    Row<inputs> row = {.position = 0, .length = walk.size[0], .offset = {}, .stride = {}};
    for (int i = 0; i < inputs; ++i) row.stride[i] = walk.stride[i][0];
    if (row.length > 0) visit(row);
    return;
  }
  const MergedWalk<inputs> merged(walk);
  const int64_t count = merged.count();
  const int last = merged.dims - 1;
  Row<inputs> row = {.position = 0, .length = 1, .offset = {}, .stride = {}};
  if (last >= 0) {
    row.length = merged.size[last];
    for (int i = 0; i < inputs; ++i) row.stride[i] = merged.stride[i][last];
  }

  int64_t index[max_dims] = {};  // of the current row, counting like an odometer
  while (row.position < count) {
    visit(row);
    row.position += row.length;
    for (int dim = last - 1; dim >= 0; --dim) {
      for (int i = 0; i < inputs; ++i) row.offset[i] += merged.stride[i][dim];
      if (++index[dim] < merged.size[dim]) break;
      index[dim] = 0;  // this dim is done: start it again, and step the next one
      for (int i = 0; i < inputs; ++i) row.offset[i] -= merged.stride[i][dim] * merged.size[dim];
    }
  }
}

}  // namespace autograd::kernels
