#include "nn/attention/additive_attention.h"

#include "nn/attention/attention_mask.h"
#include "nn/layers/checks.h"
#include "nn/layers/padding.h"

namespace nn {
namespace {

AttentionOptions without_bias(const AdditiveAttentionOptions& options) {
  return {.decoder_dim = options.decoder_dim,
          .encoder_dim = options.encoder_dim,
          .attention_dim = options.attention_dim,
          .dropout = options.dropout,
          .dtype = options.dtype};
}

}  // namespace

AdditiveAttentionOptions additive_options(const AttentionOptions& options) {
  return {.decoder_dim = options.decoder_dim,
          .encoder_dim = options.encoder_dim,
          .attention_dim = options.attention_dim,
          .dropout = options.dropout,
          .dtype = options.dtype};
}

AdditiveAttention::AdditiveAttention(const AdditiveAttentionOptions& given, Where where)
    : AttentionMechanism("AdditiveAttention", without_bias(given), where),
      W_dec(layer(options.decoder_dim, options.attention_dim, options, given.bias), where),
      W_enc(layer(options.encoder_dim, options.attention_dim, options, given.bias), where),
      v(layer(options.attention_dim, 1, options, given.bias), where) {
  register_module("W_dec", W_dec);
  register_module("W_enc", W_enc);
  register_module("v", v);
}

// ---- the formulas --------------------------------------------------------------------------------------------

// e = v . tanh(W_dec s + W_enc h): query [B, D] or [B, T, D] -> [B, S] or [B, T, S]
Tensor AdditiveAttention::raw_scores(const Tensor& query, const ProjectedKeys& source) const {
  const Tensor scores = autograd::additive_score(W_dec(query), source.keys, v.weight);
  return v.bias.defined() ? scores + v.bias : scores;
}

Tensor AdditiveAttention::scores(const Tensor& query, const ProjectedKeys& source, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  check_query(query, source, where);
  return raw_scores(query, source);
}

AdditiveAttention::Output AdditiveAttention::operator()(const Tensor& query, const ProjectedKeys& source,
                                                        const Tensor& mask, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  check_query(query, source, where);
  check_mask(mask, query, source, where);
  return look(query, source, mask);
}

// One step is a sequence of one. A mask of one row per sentence holds for all steps.
AdditiveAttention::Output AdditiveAttention::look(const Tensor& query, const ProjectedKeys& source,
                                                  const Tensor& mask) const {
  const bool one_row_per_sentence = mask.defined() && mask.dim() == 2;
  const Tensor mask_of_steps = one_row_per_sentence ? mask.unsqueeze(1) : mask;
  if (query.dim() == 3) return look_at_each_step(query, source, mask_of_steps);
  const Output steps = look_at_each_step(query.unsqueeze(1), source, mask_of_steps);
  return {steps.context.squeeze(1), steps.weights.squeeze(1)};
}

// queries [B, T, D], mask [B, T or 1, S] or undefined -> context [B, T, E], weights [B, T, S]
AdditiveAttention::Output AdditiveAttention::look_at_each_step(const Tensor& queries, const ProjectedKeys& source,
                                                               const Tensor& mask) const {
  const Tensor scores = raw_scores(queries, source);  // [B, T, S]
  const Tensor weights = mask.defined() ? autograd::masked_softmax(scores, mask) : autograd::softmax(scores, -1);
  const Tensor thinned = autograd::dropout(weights, options.dropout, training());
  const Tensor context = autograd::bmm(thinned, source.values);  // [B, T, E]
  return {context, weights};
}

// ---- as any kind of attention --------------------------------------------------------------------------------

ProjectedKeys AdditiveAttention::project(const Tensor& encoder_outputs) const {
  return {W_enc(encoder_outputs), encoder_outputs};
}

AdditiveAttention::Output AdditiveAttention::attend(const Tensor& query, const AttentionSource& source,
                                                    const AttentionMemory&) const {
  return look(query, {source.keys, source.values}, source.mask);
}

// ---- the other calls -----------------------------------------------------------------------------------------

namespace {

// Somebody may have passed values.
void check_boolean_mask(const Tensor& mask, Where where) {
  check_boolean("AdditiveAttention", "the mask is", mask,
                "make one with length_mask, or mask != 0; separate values go into precompute(keys, values)", where);
}

// mask [B, S] or [B, T, S] -> [B, S]
Tensor seen_by_any_step(const Tensor& mask, std::int64_t batch, std::int64_t positions, Where where) {
  if (!mask.defined()) return mask;
  check_boolean_mask(mask, where);
  if (mask.dim() != 3) {
    check_shape("AdditiveAttention", "mask", mask, {batch, positions}, "[batch, source]", where);
    return mask;
  }
  check_shape("AdditiveAttention", "mask", mask, {batch, -1, positions}, "[batch, steps, source]", where);
  return mask.to(autograd::float32).sum({1}) > 0.0;
}

}  // namespace

AdditiveAttention::Output AdditiveAttention::operator()(const Tensor& query, const Tensor& encoder_outputs,
                                                        const Tensor& mask, Where where) const {
  return (*this)(query, precompute(encoder_outputs, encoder_outputs, mask, where), mask, where);
}

ProjectedKeys AdditiveAttention::precompute(const Tensor& encoder_outputs, Where where) const {
  return precompute(encoder_outputs, encoder_outputs, where);
}

ProjectedKeys AdditiveAttention::precompute(const Tensor& keys, const Tensor& values, Where where) const {
  return precompute(keys, values, Tensor(), where);
}

ProjectedKeys AdditiveAttention::precompute(const Tensor& keys, const Tensor& values, const Tensor& mask,
                                            Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  check_shape("AdditiveAttention", "keys", keys, {-1, -1, options.encoder_dim}, "[batch, source, encoder_dim]", where);
  check_shape("AdditiveAttention", "values", values, {keys.size(0), keys.size(1), -1}, "[batch, source, any]", where);
  const bool same = keys.is_same(values);
  const Tensor seen = seen_by_any_step(mask, keys.size(0), keys.size(1), where);
  const Tensor clean_keys = with_finite_padding(keys, seen);
  const Tensor clean_values = same ? clean_keys : with_finite_padding(values, seen);
  return {W_enc(clean_keys), clean_values};
}

// ---- arguments -----------------------------------------------------------------------------------------------

void AdditiveAttention::check_query(const Tensor& query, const ProjectedKeys& source, Where where) const {
  check_defined("AdditiveAttention", "the source", source.keys, where);
  check_defined("AdditiveAttention", "query", query, where);
  const std::int64_t batch = source.keys.size(0);
  if (query.dim() == 3) {
    check_shape("AdditiveAttention", "query", query, {batch, -1, options.decoder_dim}, "[batch, steps, decoder_dim]",
                where);
  } else {
    check_shape("AdditiveAttention", "query", query, {batch, options.decoder_dim}, "[batch, decoder_dim]", where);
  }
}

void AdditiveAttention::check_mask(const Tensor& mask, const Tensor& query, const ProjectedKeys& source,
                                   Where where) const {
  if (!mask.defined()) return;
  check_boolean_mask(mask, where);
  const std::int64_t batch = source.keys.size(0);
  const std::int64_t positions = source.keys.size(1);
  if (query.dim() == 3 && mask.dim() == 3) {
    check_shape("AdditiveAttention", "mask", mask, {batch, query.size(1), positions}, "[batch, steps, source]", where);
  } else {
    check_shape("AdditiveAttention", "mask", mask, {batch, positions}, "[batch, source]", where);
  }
}

}  // namespace nn
