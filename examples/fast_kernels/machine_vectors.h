// What the processor can do at most: arithmetic in registers, and reading.
#pragma once

#include "examples/fast_kernels/vector.h"

namespace fast_kernels {
namespace {

// A multiply-add takes four cycles or five until its result can be used, and two can begin in each. So it takes ten
// that do not wait for each other.
constexpr int registers_in_use = 10;

float multiply_adds(int64_t steps) {
  Vector sums[registers_in_use];
  for (int i = 0; i < registers_in_use; ++i) sums[i] = broadcast(float(i));
  const Vector factor = broadcast(0.999f);
  const Vector summand = broadcast(0.001f);
  for (int64_t step = 0; step < steps; ++step) {
    for (int i = 0; i < registers_in_use; ++i) sums[i] = sums[i] * factor + summand;
  }
  Vector total = {};
  for (int i = 0; i < registers_in_use; ++i) total += sums[i];
  return sum(total);
}

float read(const float* x, int64_t n) {
  constexpr int together = 8;
  Vector sums[together] = {};
  for (int64_t i = 0; i + together * lanes <= n; i += together * lanes) {
    for (int j = 0; j < together; ++j) sums[j] += load(x + i + j * lanes);
  }
  Vector total = {};
  for (int j = 0; j < together; ++j) total += sums[j];
  return sum(total);
}

}  // namespace
}  // namespace fast_kernels
