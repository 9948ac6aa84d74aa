// y[i] = f(x[i]): one line per function.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "autograd/kernels/kernels.h"
#include "autograd/kernels/simd.h"
#include "autograd/kernels/walk.h"
#include "autograd/kernels/wrapping.h"

namespace autograd::kernels {
namespace {

// y = f(x), where f(y, x, n) is one of the vector loops.
template <class T> void map_vectors(T* y, const T* x, int64_t n, void (*f)(T*, const T*, int64_t)) {
  constexpr int64_t grain = parallel_elements / 4;  // these functions take longer than a load and a store
  if (n < 2 * grain) return f(y, x, n);
  parallel_for(n, grain, [=](int64_t begin, int64_t end) { f(y + begin, x + begin, end - begin); });
}

template <class T> T magnitude(T a) {
  if constexpr (std::is_integral_v<T>) {
    return a < 0 ? negative(a) : a;
  } else {
    return std::abs(a);
  }
}

}  // namespace

template <class T> void neg(T* y, const T* x, int64_t n) {
  map(
      y, n, [](T a) { return negative(a); }, x);
}

template <class T> void exp(T* y, const T* x, int64_t n) {
  map_vectors(y, x, n, simd<T>().exp);
}

template <class T> void log(T* y, const T* x, int64_t n) {
  map(
      y, n, [](T a) { return std::log(a); }, x);
}

template <class T> void sqrt(T* y, const T* x, int64_t n) {
  map(
      y, n, [](T a) { return std::sqrt(a); }, x);
}

template <class T> void abs(T* y, const T* x, int64_t n) {
  map(
      y, n, [](T a) { return magnitude(a); }, x);
}

template <class T> void sin(T* y, const T* x, int64_t n) {
  map(
      y, n, [](T a) { return std::sin(a); }, x);
}

template <class T> void cos(T* y, const T* x, int64_t n) {
  map(
      y, n, [](T a) { return std::cos(a); }, x);
}

// Calls of the C library, which no compiler vectorises.
template <class T> void log1p(T* y, const T* x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = std::log1p(x[i]);
}

template <class T> void erf(T* y, const T* x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = std::erf(x[i]);
}

template <class T> void tanh(T* y, const T* x, int64_t n) {
  map_vectors(y, x, n, simd<T>().tanh);
}

template <class T> void sigmoid(T* y, const T* x, int64_t n) {
  map_vectors(y, x, n, simd<T>().sigmoid);
}

template <class T> void sigmoid_backward(T* dx, const T* dy, const T* y, int64_t n) {
  map(
      dx, n, [](T d, T s) { return d * (s * (1 - s)); }, dy, y);
}

template <class T> void relu(T* y, const T* x, int64_t n) {
  map(
      y, n, [](T a) { return a < 0 ? T(0) : a; }, x);
}

template <class T> void sign(T* y, const T* x, int64_t n) {
  map(
      y, n, [](T a) { return T(a > 0) - T(a < 0); }, x);
}

template <class T> void clamp(T* y, const T* x, T low, T high, int64_t n) {
  map(
      y, n,
      [low, high](T a) {
        const T raised = a < low ? low : a;
        return raised > high ? high : raised;
      },
      x);
}

template <class T> void fill(T* y, T value, int64_t n) {
  map(
      y, n, [](T a) { return a; }, Repeated<T>{value});
}

// In blocks: a loop without a break can be vectorised, and the search ends after the first block with such a number.
template <class T> bool all_finite(const T* x, int64_t n) {
  constexpr int64_t block = 1024;
  for (int64_t begin = 0; begin < n; begin += block) {
    const int64_t end = std::min(n, begin + block);
    int odd = 0;
    for (int64_t i = begin; i < end; ++i) odd |= !(x[i] - x[i] == 0);  // inf - inf and NaN - NaN are NaN
    if (odd) return false;
  }
  return true;
}

void logical_not(bool* y, const bool* x, int64_t n) {
  map(
      y, n, [](bool a) { return !a; }, x);
}

#define INSTANTIATE_NUMBERS(T)                               \
  template void neg(T*, const T*, int64_t);                  \
  template void abs(T*, const T*, int64_t);                  \
  template void relu(T*, const T*, int64_t);                 \
  template void sign(T*, const T*, int64_t);                 \
  template void clamp(T*, const T*, T low, T high, int64_t); \
  template void fill(T*, T value, int64_t);
INSTANTIATE_NUMBERS(float)
INSTANTIATE_NUMBERS(double)
INSTANTIATE_NUMBERS(int64_t)
template void fill(bool*, bool value, int64_t);

#define INSTANTIATE_REAL(T)                                        \
  template void exp(T*, const T*, int64_t);                        \
  template void log(T*, const T*, int64_t);                        \
  template void sqrt(T*, const T*, int64_t);                       \
  template void sin(T*, const T*, int64_t);                        \
  template void cos(T*, const T*, int64_t);                        \
  template void log1p(T*, const T*, int64_t);                      \
  template void erf(T*, const T*, int64_t);                        \
  template void tanh(T*, const T*, int64_t);                       \
  template void sigmoid(T*, const T*, int64_t);                    \
  template void sigmoid_backward(T*, const T*, const T*, int64_t); \
  template bool all_finite(const T*, int64_t);
INSTANTIATE_REAL(float)
INSTANTIATE_REAL(double)

}  // namespace autograd::kernels
