#include "nn/attention/multi_head_attention.h"

#include <fmt/core.h>

#include <cmath>

#include "nn/attention/attention_mask.h"
#include "nn/layers/checks.h"
#include "nn/layers/init.h"
#include "nn/layers/padding.h"

namespace nn {
namespace {

MultiHeadAttentionOptions with_defaults(MultiHeadAttentionOptions options, Where where) {
  const std::string_view type = "MultiHeadAttention";
  check_size(type, "embed_dim", options.embed_dim, where);
  check_positive(type, "num_heads", options.num_heads, where);
  for (Int* dim : {&options.qdim, &options.kdim, &options.vdim}) {
    if (*dim == 0) *dim = options.embed_dim;
  }
  check_size(type, "qdim", options.qdim, where);
  check_size(type, "kdim", options.kdim, where);
  check_size(type, "vdim", options.vdim, where);
  check_range(type, "dropout", options.dropout, 0.0, 1.0, where);
  check_parameter_dtype(type, options.dtype, where);
  if (options.embed_dim % options.num_heads != 0) {
    autograd::fail(ErrorId::bad_argument, type, where,
                   fmt::format("embed_dim {} cannot be shared by {} heads", options.embed_dim, options.num_heads),
                   "choose num_heads that divides embed_dim");
  }
  return options;
}

AttentionOptions of_one_query(const MultiHeadAttentionOptions& options) {
  return {.decoder_dim = options.qdim, .encoder_dim = options.kdim, .dropout = options.dropout, .dtype = options.dtype};
}

Tensor xavier(std::int64_t out, std::int64_t in, DType dtype, Where where) {
  const Tensor weight = autograd::empty({out, in}, dtype, where);
  init::xavier_uniform_(weight);
  return weight;
}

}  // namespace

MultiHeadAttention::MultiHeadAttention(const MultiHeadAttentionOptions& given, Where where)
    : AttentionMechanism("MultiHeadAttention", of_one_query(with_defaults(given, where)), where),
      options(with_defaults(given, where)),
      out_proj({.in_features = options.embed_dim,
                .out_features = options.embed_dim,
                .bias = options.bias,
                .dtype = options.dtype},
               where) {
  make_weights(where);
  register_parameter("in_proj_weight", in_proj_weight);
  register_parameter("q_proj_weight", q_proj_weight);
  register_parameter("k_proj_weight", k_proj_weight);
  register_parameter("v_proj_weight", v_proj_weight);
  register_parameter("in_proj_bias", in_proj_bias);
  register_module("out_proj", out_proj);
}

void MultiHeadAttention::make_weights(Where where) {
  const std::int64_t size = options.embed_dim;
  const bool same_dims = options.qdim == size && options.kdim == size && options.vdim == size;
  if (same_dims) {
    in_proj_weight = xavier(3 * size, size, options.dtype, where);
  } else {
    q_proj_weight = xavier(size, options.qdim, options.dtype, where);
    k_proj_weight = xavier(size, options.kdim, options.dtype, where);
    v_proj_weight = xavier(size, options.vdim, options.dtype, where);
  }
  if (!options.bias) return;
  in_proj_bias = autograd::zeros({3 * size}, options.dtype, where);
  init::zeros_(out_proj.bias);
}

// ---- the formulas --------------------------------------------------------------------------------------------

namespace {

// [B, T, M] -> [B, heads, T, M / heads]
Tensor split_heads(const Tensor& x, std::int64_t heads) {
  const std::int64_t head_dim = x.size(2) / heads;
  return x.reshape({x.size(0), x.size(1), heads, head_dim}).transpose(1, 2);
}

// [B, heads, T, M / heads] -> [B, T, M]
Tensor join_heads(const Tensor& x) {
  const Tensor side_by_side = x.transpose(1, 2);  // [B, T, heads, M / heads]
  return side_by_side.reshape({x.size(0), x.size(2), x.size(1) * x.size(3)});
}

// [T, S]: may query t look at key s? The last query sees all keys.
Tensor causal_mask(std::int64_t queries, std::int64_t keys) {
  const Tensor key = autograd::arange(keys).unsqueeze(0);                                   // [1, S]
  const Tensor last_key = autograd::arange(queries).unsqueeze(1) + double(keys - queries);  // [T, 1]
  return key <= last_key;
}

// Broadcasts to [B, heads, T, S]; undefined where all is visible.
Tensor visible(const MultiHeadMasks& masks, std::int64_t queries, std::int64_t keys) {
  const Tensor tokens = masks.mask.defined() ? masks.mask.unsqueeze(1).unsqueeze(1) : Tensor();  // [B, 1, 1, S]
  if (!masks.causal) return tokens;
  const Tensor before = causal_mask(queries, keys);
  return tokens.defined() ? autograd::logical_and(tokens, before) : before;
}

}  // namespace

Tensor MultiHeadAttention::project(const Tensor& x, Part part) const {
  const std::int64_t size = options.embed_dim;
  const std::int64_t first_row = static_cast<std::int64_t>(part) * size;
  const Tensor bias = in_proj_bias.defined() ? in_proj_bias.narrow(0, first_row, size) : Tensor();
  if (in_proj_weight.defined()) return autograd::linear(x, in_proj_weight.narrow(0, first_row, size), bias);
  switch (part) {
    case Part::query: return autograd::linear(x, q_proj_weight, bias);
    case Part::key: return autograd::linear(x, k_proj_weight, bias);
    case Part::value: break;
  }
  return autograd::linear(x, v_proj_weight, bias);
}

MultiHeadAttention::Output MultiHeadAttention::operator()(const Tensor& query, const ProjectedKeys& source,
                                                          const MultiHeadMasks& masks, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  check_query(query, source, where);
  check_attention_mask("MultiHeadAttention", masks.mask, query.size(0), source.keys.size(1), where);
  const double scale = 1.0 / std::sqrt(static_cast<double>(options.embed_dim / options.num_heads));
  const Tensor queries = split_heads(project(query, Part::query) * scale, options.num_heads);  // [B, heads, T, M/heads]
  const Tensor keys = split_heads(source.keys, options.num_heads);                             // [B, heads, S, M/heads]
  const Tensor values = split_heads(source.values, options.num_heads);
  const Tensor scores = autograd::matmul(queries, keys.transpose(-2, -1));  // [B, heads, T, S]
  const Tensor weights = softmax_over(scores, visible(masks, query.size(1), source.keys.size(1)));
  const Tensor thinned = autograd::dropout(weights, options.dropout, training());
  const Tensor heads = autograd::matmul(thinned, values);  // [B, heads, T, M/heads]
  return {out_proj(join_heads(heads)), masks.average_attn_weights ? weights.mean(1) : weights};
}

// ---- as any kind of attention --------------------------------------------------------------------------------

ProjectedKeys MultiHeadAttention::project(const Tensor& encoder_outputs) const {
  return precompute(encoder_outputs, encoder_outputs);
}

AttentionMechanism::Output MultiHeadAttention::attend(const Tensor& query, const AttentionSource& source,
                                                      const AttentionMemory&) const {
  const Tensor one_query = query.unsqueeze(1);  // [B, 1, D]
  const auto [output, weights] = (*this)(one_query, {source.keys, source.values}, {.mask = source.mask});
  return {output.squeeze(1), weights.squeeze(1)};
}

// ---- the other calls -----------------------------------------------------------------------------------------

MultiHeadAttention::Output MultiHeadAttention::operator()(const Tensor& query, const Tensor& key, const Tensor& value,
                                                          const MultiHeadMasks& masks, Where where) const {
  return (*this)(query, precompute(key, value, masks.mask, where), masks, where);
}

ProjectedKeys MultiHeadAttention::precompute(const Tensor& key, const Tensor& value, const Tensor& mask,
                                             Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  const std::string_view type = "MultiHeadAttention";
  check_shape(type, "key", key, {-1, -1, options.kdim}, "[batch, source, kdim]", where);
  check_shape(type, "value", value, {key.size(0), key.size(1), options.vdim}, "[batch, source, vdim]", where);
  check_attention_mask(type, mask, key.size(0), key.size(1), where);
  const bool same = key.is_same(value);
  const Tensor clean_key = without_padding(key, mask);
  const Tensor clean_value = same ? clean_key : without_padding(value, mask);
  return {project(clean_key, Part::key), project(clean_value, Part::value)};
}

void MultiHeadAttention::check_query(const Tensor& query, const ProjectedKeys& source, Where where) const {
  const std::string_view type = "MultiHeadAttention";
  check_shape(type, "the source's keys", source.keys, {-1, -1, options.embed_dim}, "[batch, source, embed_dim]", where);
  check_shape(type, "the source's values", source.values, source.keys.shape(), "[batch, source, embed_dim]", where);
  check_shape(type, "query", query, {source.keys.size(0), -1, options.qdim}, "[batch, queries, qdim]", where);
}

}  // namespace nn
