// A matrix times a vector, y[n] = W[n, k] x[k]: each weight is used once.
#pragma once

#include "examples/fast_kernels/vector.h"

namespace fast_kernels::VECTORS {
namespace {

inline float dot_of_rest(const float* a, const float* b, int64_t from, int64_t n) {
  float total = 0;
  for (int64_t i = from; i < n; ++i) total += a[i] * b[i];
  return total;
}

// 2. In vectors. Each multiply-add waits for the one before: they all add to the same sum.
void one_sum(float* y, const float* w, const float* x, int64_t n, int64_t k) {
  for (int64_t j = 0; j < n; ++j) {
    const float* row = w + j * k;
    Vector total = {};
    int64_t p = 0;
    for (; p + lanes <= k; p += lanes) total += load(row + p) * load(x + p);
    y[j] = sum(total) + dot_of_rest(row, x, p, k);
  }
}

// 3. Four rows of W at a time: four sums that do not wait for each other, and x is loaded once for all of them.
void four_sums(float* y, const float* w, const float* x, int64_t n, int64_t k) {
  constexpr int64_t together = 4;
  int64_t j = 0;
  for (; j + together <= n; j += together) {
    const float* rows = w + j * k;
    Vector total[together] = {};
    int64_t p = 0;
    for (; p + lanes <= k; p += lanes) {
      for (int64_t i = 0; i < together; ++i) total[i] += load(rows + i * k + p) * load(x + p);
    }
    for (int64_t i = 0; i < together; ++i) y[j + i] = sum(total[i]) + dot_of_rest(rows + i * k, x, p, k);
  }
  one_sum(y + j, w + j * k, x, n - j, k);
}

}  // namespace
}  // namespace fast_kernels::VECTORS
