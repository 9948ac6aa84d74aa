// y = f(a, b) and y = condition ? a : b, with broadcasting.
#include <cmath>
#include <type_traits>

#include "autograd/kernels/kernels.h"
#include "autograd/kernels/walk.h"

namespace autograd::kernels {
namespace {

// One row of y = f(a, b). The three cases that make up nearly all work get a loop of their own, which the
// compiler vectorises; the last one takes any strides.
template <class Y, class T, class F>
void map_row(Y* y, const T* a, const T* b, const Row<2>& row, F f) {
  const int64_t a_stride = row.stride[0], b_stride = row.stride[1], n = row.length;
  if (a_stride == 1 && b_stride == 1) {
    map(y, n, f, a, b);
  } else if (a_stride == 1 && b_stride == 0) {
    map(y, n, f, a, Repeated<T>{*b});
  } else if (a_stride == 0 && b_stride == 1) {
    map(y, n, f, Repeated<T>{*a}, b);
  } else {
    map(y, n, f, Strided<T>{a, a_stride}, Strided<T>{b, b_stride});
  }
}

template <class Y, class T, class F>
void map_walk(Y* y, const T* a, const T* b, const Walk& walk, F f) {
  for_each_row<2>(walk, [=](const Row<2>& row) {  //
    map_row(y + row.position, a + row.offset[0], b + row.offset[1], row, f);
  });
}

// The type to calculate in. Integers wrap around when they overflow, which in C++ only unsigned ones may.
template <class T>
using Wrapping = std::conditional_t<std::is_same_v<T, int64_t>, uint64_t, T>;

// x to the power of one exponent.
template <class T>
T power(T x, T exponent) {
  if (exponent == T(2)) return x * x;
  if (exponent == T(1)) return x;
  if (exponent == T(0.5)) return std::sqrt(x);
  if (exponent == T(-1)) return 1 / x;
  return std::pow(x, exponent);
}

}  // namespace

template <class T>
void add(T* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return T(Wrapping<T>(p) + Wrapping<T>(q)); });
}

template <class T>
void sub(T* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return T(Wrapping<T>(p) - Wrapping<T>(q)); });
}

template <class T>
void mul(T* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return T(Wrapping<T>(p) * Wrapping<T>(q)); });
}

template <class T>
void div(T* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return p / q; });
}

template <class T>
void pow(T* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return power(p, q); });
}

// Both keep a NaN: `p != p` is true for NaN only, and a NaN in q fails the first comparison and is returned.
template <class T>
void maximum(T* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return ((p > q) | (p != p)) ? p : q; });
}

template <class T>
void minimum(T* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return ((p < q) | (p != p)) ? p : q; });
}

template <class T>
void equal(bool* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return p == q; });
}

template <class T>
void not_equal(bool* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return p != q; });
}

template <class T>
void less(bool* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return p < q; });
}

template <class T>
void less_equal(bool* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return p <= q; });
}

void logical_and(bool* y, const bool* a, const bool* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](bool p, bool q) { return bool(p & q); });
}

void logical_or(bool* y, const bool* a, const bool* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](bool p, bool q) { return bool(p | q); });
}

template <class T>
void where(T* y, const bool* condition, const T* a, const T* b, const Walk& walk) {
  const auto choose = [](bool c, T p, T q) { return c ? p : q; };
  for_each_row<3>(walk, [=](const Row<3>& row) {
    T* y_row = y + row.position;
    const bool* c_row = condition + row.offset[0];
    const T* a_row = a + row.offset[1];
    const T* b_row = b + row.offset[2];
    const auto& [c_stride, a_stride, b_stride] = row.stride;
    if (c_stride == 1 && a_stride == 1 && b_stride == 1) {
      map(y_row, row.length, choose, c_row, a_row, b_row);
    } else if (c_stride == 1 && a_stride == 1 && b_stride == 0) {
      map(y_row, row.length, choose, c_row, a_row, Repeated<T>{*b_row});
    } else if (c_stride == 1 && a_stride == 0 && b_stride == 1) {
      map(y_row, row.length, choose, c_row, Repeated<T>{*a_row}, b_row);
    } else {
      map(y_row, row.length, choose, Strided<bool>{c_row, c_stride}, Strided<T>{a_row, a_stride},
          Strided<T>{b_row, b_stride});
    }
  });
}

#define INSTANTIATE_ARITHMETIC(T)                         \
  template void add(T*, const T*, const T*, const Walk&); \
  template void sub(T*, const T*, const T*, const Walk&); \
  template void mul(T*, const T*, const T*, const Walk&);
INSTANTIATE_ARITHMETIC(float)
INSTANTIATE_ARITHMETIC(double)
INSTANTIATE_ARITHMETIC(int64_t)

#define INSTANTIATE_REAL(T)                                   \
  template void div(T*, const T*, const T*, const Walk&);     \
  template void pow(T*, const T*, const T*, const Walk&);     \
  template void maximum(T*, const T*, const T*, const Walk&); \
  template void minimum(T*, const T*, const T*, const Walk&);
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
