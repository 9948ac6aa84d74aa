// A vector of floats, as wide as this compilation's processors have them: `a * b + c` on vectors does all lanes at
// once. It is the compiler's own type (GCC and Clang call it a vector extension), so there is nothing of one processor
// here.
#pragma once

#include "examples/fast_kernels/vectors.h"

// For tools that look at a header by itself.
#ifndef VECTOR_BYTES
#define VECTOR_BYTES 16
#define TILE_ROWS 4
#endif

namespace fast_kernels {
namespace {

typedef float Vector __attribute__((vector_size(VECTOR_BYTES)));
typedef std::uint32_t BitVector __attribute__((vector_size(VECTOR_BYTES)));

constexpr int64_t lanes = VECTOR_BYTES / sizeof(float);
constexpr int64_t tile_rows = TILE_ROWS;
constexpr int64_t tile_columns = 2 * lanes;

inline Vector load(const float* x) {
  Vector v;
  __builtin_memcpy(&v, x, sizeof v);
  return v;
}
inline void store(float* y, Vector v) {
  __builtin_memcpy(y, &v, sizeof v);
}
inline Vector broadcast(float x) {
  return x - Vector{};
}

// A whole vector where there are `left` elements for it, else a part of one, and `rest` in the other lanes.
inline Vector load_up_to(const float* x, int64_t left, float rest) {
  if (left >= lanes) return load(x);
  Vector v = broadcast(rest);
  for (int64_t i = 0; i < left; ++i) v[i] = x[i];
  return v;
}
inline void store_up_to(float* y, Vector v, int64_t left) {
  if (left >= lanes) return store(y, v);
  for (int64_t i = 0; i < left; ++i) y[i] = v[i];
}
inline void add_up_to(float* y, Vector v, int64_t left) {
  store_up_to(y, load_up_to(y, left, 0) + v, left);
}

inline float sum(Vector v) {
  float total = 0;
  for (int64_t i = 0; i < lanes; ++i) total += v[i];
  return total;
}
inline float largest(Vector v) {
  float most = v[0];
  for (int64_t i = 1; i < lanes; ++i) most = v[i] > most ? v[i] : most;
  return most;
}
inline Vector maximum(Vector a, Vector b) {
  return a > b ? a : b;
}

inline int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

// y[i] = f(x[i]) in vectors; the end of the array in a vector that is filled up.
template <class F> void map(float* y, const float* x, int64_t n, F f) {
  for (int64_t i = 0; i < n; i += lanes) store_up_to(y + i, f(load_up_to(x + i, n - i, 0)), n - i);
}

}  // namespace
}  // namespace fast_kernels
