// softmax along the rows of x [rows, n].
#pragma once

#include "examples/fast_kernels/exp_vectors.h"

namespace fast_kernels {
namespace {

constexpr float lowest = -3.4e38f;

inline float largest_of_row(const float* x, int64_t n) {
  Vector most = broadcast(lowest);
  for (int64_t i = 0; i < n; i += lanes) most = maximum(most, load_up_to(x + i, n - i, lowest));
  return largest(most);
}

// y = exp(x - peak), and the sum of them. What lies behind the row adds nothing: exp of the lowest number.
inline float exp_and_sum(float* y, const float* x, float peak, int64_t n) {
  Vector total = {};
  for (int64_t i = 0; i < n; i += lanes) {
    const Vector e = exp(load_up_to(x + i, n - i, lowest) - peak);
    store_up_to(y + i, e, n - i);
    total += e;
  }
  return sum(total);
}

// 3. Three passes over one row, then over the next: a row of some thousand numbers stays in the first cache.
void softmax(float* y, const float* x, int64_t rows, int64_t n) {
  for (; rows > 0; --rows, x += n, y += n) {
    const float total = exp_and_sum(y, x, largest_of_row(x, n), n);
    for (int64_t i = 0; i < n; ++i) y[i] *= 1.0f / total;
  }
}

}  // namespace
}  // namespace fast_kernels
