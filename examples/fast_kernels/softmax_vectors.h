// softmax and cross entropy along the rows of x [rows, n].
#pragma once

#include "examples/fast_kernels/exp_vectors.h"

namespace fast_kernels::VECTORS {
namespace {

constexpr float lowest = -3.4e38f;

inline float largest_of_row(const float* x, int64_t n) {
  Vector most = broadcast(lowest);
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) most = maximum(most, load(x + i));
  if (i < n) most = maximum(most, load_part(x + i, n - i, lowest));
  return largest(most);
}

// y = exp(x - peak), and the sum of them.
inline float exp_and_sum(float* y, const float* x, float peak, int64_t n) {
  Vector total = {};
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const Vector e = exp(load(x + i) - peak);
    store(y + i, e);
    total += e;
  }
  float rest = 0;
  if (i < n) {
    const Vector e = exp(load_part(x + i, n - i, lowest) - peak);
    store_part(y + i, e, n - i);
    for (int64_t j = 0; j < n - i; ++j) rest += e[j];
  }
  return sum(total) + rest;
}

inline void scale_row(float* y, float factor, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] *= factor;
}

// 3. Three passes over the whole matrix: the maximum, exp and its sum, the division.
void softmax_by_passes(float* y, const float* x, float* peak, float* total, int64_t rows, int64_t n) {
  for (int64_t row = 0; row < rows; ++row) peak[row] = largest_of_row(x + row * n, n);
  for (int64_t row = 0; row < rows; ++row) total[row] = exp_and_sum(y + row * n, x + row * n, peak[row], n);
  for (int64_t row = 0; row < rows; ++row) scale_row(y + row * n, 1.0f / total[row], n);
}

// 4. The three passes over one row, then over the next: a row of some thousand numbers stays in the first cache.
void softmax_by_rows(float* y, const float* x, int64_t rows, int64_t n) {
  for (; rows > 0; --rows, x += n, y += n) {
    const float total = exp_and_sum(y, x, largest_of_row(x, n), n);
    scale_row(y, 1.0f / total, n);
  }
}

// 5. Two passes: the sum is kept relative to the largest number so far, and made smaller whenever there is a larger one
// (Milakov and Gimelshein 2018).
void softmax_online(float* y, const float* x, int64_t rows, int64_t n) {
  for (; rows > 0; --rows, x += n, y += n) {
    Vector peak = broadcast(lowest);
    Vector total = {};
    int64_t i = 0;
    for (; i < n; i += lanes) {
      const Vector v = i + lanes <= n ? load(x + i) : load_part(x + i, n - i, lowest);
      const Vector higher = maximum(peak, v);
      const Vector is_there = v > lowest ? broadcast(1.0f) : Vector{};
      total = total * exp(peak - higher) + is_there * exp(v - higher);
      peak = higher;
    }
    const float highest = largest(peak);
    const float factor = 1.0f / sum(total * exp(peak - highest));
    map(y, x, n, [=](Vector v) { return factor * exp(v - highest); });
  }
}

// The loss of each row, -log softmax(x)[target], and the gradient of their mean, (softmax(x) - 1 at target) / rows: the
// exponentials are computed once, and dx is the only thing of their size.
void cross_entropy(float* loss, float* dx, const float* x, const int64_t* target, int64_t rows, int64_t n) {
  for (int64_t row = 0; row < rows; ++row, x += n, dx += n) {
    const float peak = largest_of_row(x, n);
    const float total = exp_and_sum(dx, x, peak, n);
    scale_row(dx, 1.0f / (total * float(rows)), n);
    dx[target[row]] -= 1.0f / float(rows);
    loss[row] = __builtin_logf(total) - (x[target[row]] - peak);
  }
}

}  // namespace
}  // namespace fast_kernels::VECTORS
