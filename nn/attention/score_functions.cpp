#include "nn/attention/score_functions.h"

#include <fmt/core.h>

#include <cmath>

#include "nn/layers/checks.h"

namespace nn {
namespace {

// s . k_i: query [B, D], keys [B, S, D] -> [B, S]
Tensor dot_products(const Tensor& query, const Tensor& keys) {
  return autograd::bmm(keys, query.unsqueeze(2)).squeeze(2);
}

}  // namespace

// ---- concat --------------------------------------------------------------------------------------------------

ConcatAttention::ConcatAttention(const AttentionOptions& given, Where where)
    : ScoredAttention("ConcatAttention", given, where),
      W_a(layer(options.decoder_dim + options.encoder_dim, options.attention_dim, options), where),
      v_a(layer(options.attention_dim, 1, options), where) {
  register_module("W_a", W_a);
  register_module("v_a", v_a);
}

// W_a [s; h_i] is the sum of two products, of which the one with h_i is the same at every step.
ProjectedKeys ConcatAttention::project(const Tensor& encoder_outputs) const {
  const Tensor for_keys = W_a.weight.narrow(1, options.decoder_dim, options.encoder_dim);  // [A, E]
  return {autograd::linear(encoder_outputs, for_keys), encoder_outputs};
}

Tensor ConcatAttention::scores(const Tensor& query, const AttentionSource& source, const AttentionMemory&) const {
  const Tensor for_query = W_a.weight.narrow(1, 0, options.decoder_dim);  // [A, D]
  const Tensor query_part = autograd::linear(query, for_query);           // [B, A]
  return autograd::additive_score(query_part, source.keys, v_a.weight);   // [B, S]
}

// ---- dot and scaled dot --------------------------------------------------------------------------------------

DotAttention::DotAttention(const AttentionOptions& given, const DotAttentionOptions& given_dot, Where where)
    : ScoredAttention("DotAttention", given, where), dot(given_dot) {
  if (dot.project_keys) {
    W_k = std::make_unique<Linear>(layer(options.encoder_dim, options.decoder_dim, options), where);
    register_module("W_k", *W_k);
  } else if (options.decoder_dim != options.encoder_dim) {
    autograd::fail(ErrorId::bad_argument, type(), where,
                   fmt::format("decoder_dim is {}, encoder_dim is {}: there is no dot product of vectors of different "
                               "sizes",
                               options.decoder_dim, options.encoder_dim),
                   "use GeneralAttention (\"general\"), or project the keys, {.project_keys = true}");
  }
}

ProjectedKeys DotAttention::project(const Tensor& encoder_outputs) const {
  return {dot.project_keys ? (*W_k)(encoder_outputs) : encoder_outputs, encoder_outputs};
}

Tensor DotAttention::scores(const Tensor& query, const AttentionSource& source, const AttentionMemory&) const {
  const Tensor products = dot_products(query, source.keys);
  return dot.scaled ? products / std::sqrt(static_cast<double>(options.decoder_dim)) : products;
}

// ---- general -------------------------------------------------------------------------------------------------

GeneralAttention::GeneralAttention(const AttentionOptions& given, Where where)
    : GeneralAttention("GeneralAttention", given, where) {}

GeneralAttention::GeneralAttention(std::string_view type, const AttentionOptions& given, Where where)
    : ScoredAttention(type, given, where), W_a(layer(options.encoder_dim, options.decoder_dim, options), where) {
  register_module("W_a", W_a);
}

ProjectedKeys GeneralAttention::project(const Tensor& encoder_outputs) const {
  return {W_a(encoder_outputs), encoder_outputs};
}

Tensor GeneralAttention::scores(const Tensor& query, const AttentionSource& source, const AttentionMemory&) const {
  return dot_products(query, source.keys);
}

}  // namespace nn
