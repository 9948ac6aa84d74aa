// y = f(a, b) and y = condition ? a : b, with broadcasting.
#include <cmath>
#include <type_traits>

#include "autograd/kernels/kernels.h"
#include "autograd/kernels/simd.h"
#include "autograd/kernels/walk.h"
#include "autograd/kernels/wrapping.h"

namespace autograd::kernels {
namespace {

// A part of a row of y = f(a, b). The three cases that make up nearly all work get a loop of their own, which the
// compiler vectorises; the last one takes any strides.
template <class Y, class T, class F> void map_row_part(Y* y, Strided<T> a, Strided<T> b, int64_t n, F f) {
  if (a.stride == 1 && b.stride == 1) {
    map_part(y, n, f, a.data, b.data);
  } else if (a.stride == 1 && b.stride == 0) {
    map_part(y, n, f, a.data, Repeated<T>{*b.data});
  } else if (a.stride == 0 && b.stride == 1) {
    map_part(y, n, f, Repeated<T>{*a.data}, b.data);
  } else {
    map_part(y, n, f, a, b);
  }
}

// The same as a loop of simd.h, which distinguishes the cases itself.
template <class T>
using RowLoop = void (*)(T* y, const T* a, int64_t a_stride, const T* b, int64_t b_stride, int64_t n);
template <class T> void map_row_part(T* y, Strided<T> a, Strided<T> b, int64_t n, RowLoop<T> loop) {
  loop(y, a.data, a.stride, b.data, b.stride, n);
}

template <class Y, class T, class F> void map_walk(Y* y, const T* a, const T* b, const Walk& walk, F f) {
  const bool is_short_row = walk.dims == 1 && walk.size[0] > 0 && walk.size[0] < 2 * parallel_elements;
  if (is_short_row) {  // no walk and no threads needed
    return map_row_part(y, Strided<T>{a, walk.stride[0][0]}, Strided<T>{b, walk.stride[1][0]}, walk.size[0], f);
  }
  for_each_row<2>(walk, [=](const Row<2>& row) {
    Y* y_row = y + row.position;
    const Strided<T> a_row{a + row.offset[0], row.stride[0]};
    const Strided<T> b_row{b + row.offset[1], row.stride[1]};
    if (row.length < 2 * parallel_elements) return map_row_part(y_row, a_row, b_row, row.length, f);
    parallel_for(row.length, parallel_elements, [=](int64_t begin, int64_t end) {
      map_row_part(y_row + begin, a_row + begin, b_row + begin, end - begin, f);
    });
  });
}

// A part of a row of y = condition ? a : b, likewise.
template <class T> void where_row_part(T* y, Strided<unsigned char> c, Strided<T> a, Strided<T> b, int64_t n) {
  const auto choose = [](unsigned char condition, T p, T q) { return condition != 0 ? p : q; };
  if (c.stride == 1 && a.stride == 1 && b.stride == 1) {
    map_part(y, n, choose, c.data, a.data, b.data);
  } else if (c.stride == 1 && a.stride == 1 && b.stride == 0) {
    map_part(y, n, choose, c.data, a.data, Repeated<T>{*b.data});
  } else if (c.stride == 1 && a.stride == 0 && b.stride == 1) {
    map_part(y, n, choose, c.data, Repeated<T>{*a.data}, b.data);
  } else {
    map_part(y, n, choose, c, a, b);
  }
}

// x to the power of one exponent.
template <class T> T power(T x, T exponent) {
  if (exponent == T(2)) return x * x;
  if (exponent == T(1)) return x;
  if (exponent == T(0.5)) return std::sqrt(x);
  if (exponent == T(-1)) return 1 / x;
  return std::pow(x, exponent);
}

}  // namespace

template <class T> void add(T* y, const T* a, const T* b, const Walk& walk) {
  if constexpr (std::is_same_v<T, int64_t>) {
    map_walk(y, a, b, walk, [](T p, T q) { return plus(p, q); });
  } else {
    map_walk(y, a, b, walk, simd<T>().add);
  }
}

template <class T> void sub(T* y, const T* a, const T* b, const Walk& walk) {
  if constexpr (std::is_same_v<T, int64_t>) {
    map_walk(y, a, b, walk, [](T p, T q) { return minus(p, q); });
  } else {
    map_walk(y, a, b, walk, simd<T>().sub);
  }
}

template <class T> void mul(T* y, const T* a, const T* b, const Walk& walk) {
  if constexpr (std::is_same_v<T, int64_t>) {
    map_walk(y, a, b, walk, [](T p, T q) { return times(p, q); });
  } else {
    map_walk(y, a, b, walk, simd<T>().mul);
  }
}

template <class T> void div(T* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, simd<T>().div);
}

template <class T> void pow(T* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return power(p, q); });
}

// A NaN on either side is the result: `p != p` holds for NaN only, and a NaN in q fails the first comparison.
template <class T> void maximum(T* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return ((p > q) | (p != p)) ? p : q; });
}

template <class T> void equal(bool* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return p == q; });
}

template <class T> void not_equal(bool* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return p != q; });
}

template <class T> void less(bool* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return p < q; });
}

template <class T> void less_equal(bool* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return p <= q; });
}

void logical_and(bool* y, const bool* a, const bool* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](bool p, bool q) { return bool(p & q); });
}

void logical_or(bool* y, const bool* a, const bool* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](bool p, bool q) { return bool(p | q); });
}

template <class T> void where(T* y, const bool* condition, const T* a, const T* b, const Walk& walk) {
  for_each_row<3>(walk, [=](const Row<3>& row) {
    const Strided<unsigned char> c_row{as_bytes(condition) + row.offset[0], row.stride[0]};
    const Strided<T> a_row{a + row.offset[1], row.stride[1]};
    const Strided<T> b_row{b + row.offset[2], row.stride[2]};
    T* y_row = y + row.position;
    parallel_for(row.length, parallel_elements, [=](int64_t begin, int64_t end) {
      where_row_part(y_row + begin, c_row + begin, a_row + begin, b_row + begin, end - begin);
    });
  });
}

#define INSTANTIATE_ARITHMETIC(T)                         \
  template void add(T*, const T*, const T*, const Walk&); \
  template void sub(T*, const T*, const T*, const Walk&); \
  template void mul(T*, const T*, const T*, const Walk&); \
  template void maximum(T*, const T*, const T*, const Walk&);
INSTANTIATE_ARITHMETIC(float)
INSTANTIATE_ARITHMETIC(double)
INSTANTIATE_ARITHMETIC(int64_t)

#define INSTANTIATE_REAL(T)                               \
  template void div(T*, const T*, const T*, const Walk&); \
  template void pow(T*, const T*, const T*, const Walk&);
INSTANTIATE_REAL(float)
INSTANTIATE_REAL(double)

#define INSTANTIATE_CHOICE(T)                                       \
  template void equal(bool*, const T*, const T*, const Walk&);      \
  template void not_equal(bool*, const T*, const T*, const Walk&);  \
  template void less(bool*, const T*, const T*, const Walk&);       \
  template void less_equal(bool*, const T*, const T*, const Walk&); \
  template void where(T*, const bool*, const T*, const T*, const Walk&);
INSTANTIATE_CHOICE(float)
INSTANTIATE_CHOICE(double)
INSTANTIATE_CHOICE(int64_t)
INSTANTIATE_CHOICE(bool)

}  // namespace autograd::kernels
