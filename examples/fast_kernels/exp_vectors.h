// exp and tanh on vectors: no table and no branch, so that all lanes do the same.
#pragma once

#include "examples/fast_kernels/vector.h"

namespace fast_kernels {
namespace {

// Adding a number this large pushes everything behind the point out of a float.
constexpr float to_integer = 12582912.0f;  // 1.5 * 2^23

inline Vector round(Vector x) {
  return (x + to_integer) - to_integer;
}

// 2^n for whole n from -126 to 127: n + 127 is written into the bits of the exponent.
inline Vector power_of_two(Vector n) {
  return (Vector)((BitVector)(n + (to_integer + 127.0f)) << 23);
}

// x = n * ln 2 + r with |r| <= ln 2 / 2. ln 2 is taken off in two parts: n times the first one is exact.
struct Reduced {
  Vector n, r;
};
inline Reduced reduce(Vector x) {
  const Vector n = round(x * 1.44269504f);
  return {n, (x - n * 0.693145752f) - n * 1.42860677e-6f};
}

// exp(r) - 1 = r + r^2/2! + r^3/3! + .. + r^7/7!
inline Vector expm1_of_small(Vector r) {
  constexpr float factor[] = {1 / 5040.0f, 1 / 720.0f, 1 / 120.0f, 1 / 24.0f, 1 / 6.0f, 1 / 2.0f};
  Vector series = broadcast(factor[0]);
  for (int i = 1; i < 6; ++i) series = series * r + factor[i];
  return series * r * r + r;
}

// exp(x) = 2^n * exp(r). Below -87 and above 88 it stays what it is there.
inline Vector exp(Vector x) {
  const Vector inside = x < -87.0f ? broadcast(-87.0f) : x > 88.0f ? broadcast(88.0f) : x;
  const auto [n, r] = reduce(inside);
  return (expm1_of_small(r) + 1.0f) * power_of_two(n);
}

inline Vector absolute(Vector x) {
  return x < 0.0f ? -x : x;
}

// 2. tanh(x) = (1 - e) / (1 + e) with e = exp(-2 |x|), and the sign of x. Near 0, e is near 1, and 1 - e loses digits.
void tanh_by_exp(float* y, const float* x, int64_t n) {
  map(y, x, n, [](Vector v) {
    const Vector e = exp(-2.0f * absolute(v));
    const Vector size = (1.0f - e) / (1.0f + e);
    return v < 0.0f ? -size : size;
  });
}

// The same with e = exp(-2 |x|) - 1, of which 1 is never subtracted: tanh(x) = -e / (e + 2).
inline Vector tanh(Vector x) {
  const Vector size = absolute(x) > 10.0f ? broadcast(10.0f) : absolute(x);
  const auto [n, r] = reduce(-2.0f * size);
  const Vector scale = power_of_two(n);
  const Vector e = expm1_of_small(r) * scale + (scale - 1.0f);
  return (x < 0.0f ? e : -e) / (e + 2.0f);
}

// 3.
void tanh_by_expm1(float* y, const float* x, int64_t n) {
  map(y, x, n, [](Vector v) { return tanh(v); });
}

}  // namespace
}  // namespace fast_kernels
