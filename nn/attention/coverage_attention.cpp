#include "nn/attention/coverage_attention.h"

#include <cmath>

#include "nn/layers/checks.h"
#include "nn/layers/init.h"

namespace nn {
CoverageAttention::CoverageAttention(const AttentionOptions& given, Where where)
    : ScoredAttention("CoverageAttention", given, where),
      W_dec(layer(options.decoder_dim, options.attention_dim, options), where),
      W_enc(layer(options.encoder_dim, options.attention_dim, options), where),
      v(layer(options.attention_dim, 1, options), where),
      W_c(layer(1, options.attention_dim, options), where) {
  const double bound = 1.0 / std::sqrt(static_cast<double>(options.attention_dim));
  init::uniform_(W_c.weight, -bound, bound);
  register_module("W_dec", W_dec);
  register_module("W_enc", W_enc);
  register_module("v", v);
  register_module("W_c", W_c);
}

ProjectedKeys CoverageAttention::project(const Tensor& encoder_outputs) const {
  return {W_enc(encoder_outputs), encoder_outputs};
}

// W_c cov_i is added to the key of position i; the rest is additive attention.
Tensor CoverageAttention::scores(const Tensor& query, const AttentionSource& source,
                                 const AttentionMemory& memory) const {
  const bool is_first = !memory.coverage.defined();
  const Tensor keys = is_first ? source.keys : source.keys + W_c(memory.coverage.unsqueeze(-1));  // [B, S, A]
  return autograd::additive_score(W_dec(query), keys, v.weight);
}

Tensor coverage_loss(const Tensor& weights, const Tensor& coverage, Where where) {
  check_shape("coverage_loss", "weights", weights, {-1, -1}, "[batch, source]", where);
  if (!coverage.defined()) return autograd::zeros({weights.size(0)}, weights.dtype(), where);
  check_shape("coverage_loss", "coverage", coverage, weights.shape(), "[batch, source]", where);
  return autograd::minimum(weights, coverage).sum(-1);
}

Tensor coverage_loss_of_steps(const Tensor& weights, Where where) {
  check_shape("coverage_loss_of_steps", "weights", weights, {-1, -1, -1}, "[batch, steps, source]", where);
  const Tensor coverage_before = autograd::cumsum(weights, 1) - weights;
  return autograd::minimum(weights, coverage_before).sum(-1);
}

}  // namespace nn
