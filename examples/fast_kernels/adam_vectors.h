// One step of Adam in one pass.
#pragma once

#include "examples/fast_kernels/vector.h"

namespace fast_kernels::VECTORS {
namespace {

// A plain loop: the compiler makes vectors of it, and memory is slower than they are.
void adam(const AdamUpdate& update) {
  const auto [n, parameter_, gradient_, exp_avg_, exp_avg_sq_, beta1, rest1, beta2, rest2, eps, step_size, root_scale] =
      update;
  float* __restrict parameter = parameter_;
  float* __restrict exp_avg = exp_avg_;
  float* __restrict exp_avg_sq = exp_avg_sq_;
  const float* __restrict gradient = gradient_;
  for (int64_t i = 0; i < n; ++i) {
    const float g = gradient[i];
    const float m = beta1 * exp_avg[i] + rest1 * g;
    const float v = beta2 * exp_avg_sq[i] + rest2 * g * g;
    exp_avg[i] = m;
    exp_avg_sq[i] = v;
    parameter[i] -= step_size * m / (root_scale * __builtin_sqrtf(v) + eps);
  }
}

}  // namespace
}  // namespace fast_kernels::VECTORS
