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

// Calls visit(row) for each row of the walk, in order.
template <int inputs, class Visit> void for_each_row(const Walk& walk, const Visit& visit) {
  int64_t count = 1;
  for (int dim = 0; dim < walk.dims; ++dim) count *= walk.size[dim];
  const int last = walk.dims - 1;
  Row<inputs> row = {.position = 0, .length = 1, .offset = {}, .stride = {}};
  if (last >= 0) {
    row.length = walk.size[last];
    for (int i = 0; i < inputs; ++i) row.stride[i] = walk.stride[i][last];
  }

  int64_t index[max_dims] = {};  // of the current row, counting like an odometer
  while (row.position < count) {
    visit(row);
    row.position += row.length;
    for (int dim = last - 1; dim >= 0; --dim) {
      for (int i = 0; i < inputs; ++i) row.offset[i] += walk.stride[i][dim];
      if (++index[dim] < walk.size[dim]) break;
      index[dim] = 0;  // this dim is done: start it again, and step the next one
      for (int i = 0; i < inputs; ++i) row.offset[i] -= walk.stride[i][dim] * walk.size[dim];
    }
  }
}

}  // namespace autograd::kernels
