// The additive score without the tensor [batch, steps, source, attention] in its middle.
#pragma once

#include "examples/fast_kernels/exp_vectors.h"

namespace fast_kernels::VECTORS {
namespace {

// v . tanh(query + key); beyond the end of v there are zeros, which count nothing.
float score_of_pair(const float* query, const float* key, const float* v, int64_t attention) {
  Vector total = {};
  for (int64_t i = 0; i < attention; i += lanes) {
    const Vector y = tanh(load_up_to(query + i, attention - i) + load_up_to(key + i, attention - i));
    total += load_up_to(v + i, attention - i) * y;
  }
  return sum(total);
}

void additive_score(const AdditiveScore& score) {
  const auto& [batch, steps, source, attention, query, key, v, scores] = score;
  for (int64_t row = 0; row < batch * steps; ++row) {
    const float* keys = key + row / steps * source * attention;
    for (int64_t s = 0; s < source; ++s) {
      scores[row * source + s] = score_of_pair(query + row * attention, keys + s * attention, v, attention);
    }
  }
}

// With y = tanh(query + key), made again, and d = dscore * v * (1 - y^2): dquery += d, dkey += d, dv += dscore * y.
void backward_of_pair(float dscore, const float* query, const float* key, const float* v, float* dquery, float* dkey,
                      float* dv, int64_t attention) {
  for (int64_t i = 0; i < attention; i += lanes) {
    const Vector y = tanh(load_up_to(query + i, attention - i) + load_up_to(key + i, attention - i));
    const Vector d = dscore * load_up_to(v + i, attention - i) * (1.0f - y * y);
    add_up_to(dquery + i, d, attention - i);
    add_up_to(dkey + i, d, attention - i);
    add_up_to(dv + i, dscore * y, attention - i);
  }
}

void additive_score_backward(const AdditiveScore& score, const AdditiveScoreGradients& gradients) {
  const auto& [batch, steps, source, attention, query, key, v, scores] = score;
  const auto& [dscores, dquery, dkey, dv] = gradients;
  for (int64_t row = 0; row < batch * steps; ++row) {
    for (int64_t s = 0; s < source; ++s) {
      const int64_t at_key = (row / steps * source + s) * attention;
      backward_of_pair(dscores[row * source + s], query + row * attention, key + at_key, v, dquery + row * attention,
                       dkey + at_key, dv, attention);
    }
  }
}

}  // namespace
}  // namespace fast_kernels::VECTORS
