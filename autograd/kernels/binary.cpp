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
void map_row(Y* y, const T* a, int64_t a_stride, const T* b, int64_t b_stride, int64_t n, F f) {
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

template <class Y, class T, class F> void map_walk(Y* y, const T* a, const T* b, const Walk& walk, F f) {
  for_each_row<2>(walk, [=](const Row<2>& row) {
    map_row(y + row.position, a + row.offset[0], row.stride[0], b + row.offset[1], row.stride[1], row.length, f);
  });
}

// One row of y = condition ? a : b, likewise.
template <class T>
void where_row(T* y, const bool* condition, int64_t c_stride, const T* a, int64_t a_stride, const T* b,
               int64_t b_stride, int64_t n) {
  const auto choose = [](unsigned char c, T p, T q) { return c != 0 ? p : q; };
  const unsigned char* c = as_bytes(condition);
  if (c_stride == 1 && a_stride == 1 && b_stride == 1) {
    map(y, n, choose, c, a, b);
  } else if (c_stride == 1 && a_stride == 1 && b_stride == 0) {
    map(y, n, choose, c, a, Repeated<T>{*b});
  } else if (c_stride == 1 && a_stride == 0 && b_stride == 1) {
    map(y, n, choose, c, Repeated<T>{*a}, b);
  } else {
    map(y, n, choose, Strided<unsigned char>{c, c_stride}, Strided<T>{a, a_stride}, Strided<T>{b, b_stride});
  }
}

// The type to calculate in. Integers wrap around when they overflow, which in C++ only unsigned ones may.
template <class T> using Wrapping = std::conditional_t<std::is_same_v<T, int64_t>, uint64_t, T>;

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
  map_walk(y, a, b, walk, [](T p, T q) { return T(Wrapping<T>(p) + Wrapping<T>(q)); });
}

template <class T> void sub(T* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return T(Wrapping<T>(p) - Wrapping<T>(q)); });
}

template <class T> void mul(T* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return T(Wrapping<T>(p) * Wrapping<T>(q)); });
}

template <class T> void div(T* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return p / q; });
}

template <class T> void pow(T* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return power(p, q); });
}

// Both keep a NaN: `p != p` is true for NaN only, and a NaN in q fails the first comparison and is returned.
template <class T> void maximum(T* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return ((p > q) | (p != p)) ? p : q; });
}

template <class T> void minimum(T* y, const T* a, const T* b, const Walk& walk) {
  map_walk(y, a, b, walk, [](T p, T q) { return ((p < q) | (p != p)) ? p : q; });
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
    where_row(y + row.position, condition + row.offset[0], row.stride[0], a + row.offset[1], row.stride[1],
              b + row.offset[2], row.stride[2], row.length);
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
