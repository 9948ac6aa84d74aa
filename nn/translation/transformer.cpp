#include "nn/translation/transformer.h"

#include <fmt/core.h>

#include "nn/attention/attention_mask.h"
#include "nn/layers/checks.h"
#include "nn/layers/padding.h"

namespace nn {
namespace {

TransformerLayerOptions checked(std::string_view type, const TransformerLayerOptions& options, Where where) {
  check_size(type, "d_model", options.d_model, where);
  check_positive(type, "nhead", options.nhead, where);
  check_size(type, "dim_feedforward", options.dim_feedforward, where);
  if (options.d_model % options.nhead != 0) {
    autograd::fail(ErrorId::bad_argument, type, where,
                   fmt::format("d_model {} cannot be shared by {} heads", options.d_model, options.nhead),
                   "choose an nhead that divides d_model");
  }
  return options;
}

MultiHeadAttentionOptions attention(const TransformerLayerOptions& options) {
  return {.embed_dim = options.d_model, .num_heads = options.nhead, .dropout = options.dropout, .dtype = options.dtype};
}

LinearOptions widen(const TransformerLayerOptions& options) {
  return {.in_features = options.d_model, .out_features = options.dim_feedforward, .dtype = options.dtype};
}

LinearOptions narrow(const TransformerLayerOptions& options) {
  return {.in_features = options.dim_feedforward, .out_features = options.d_model, .dtype = options.dtype};
}

LayerNormOptions normalise(const TransformerLayerOptions& options) {
  return {.normalized_shape = {options.d_model}, .eps = options.layer_norm_eps, .dtype = options.dtype};
}

// Of either layer.
template <class Layer> Tensor feed_forward(const Layer& its, const Tensor& x) {
  return its.dropout(its.linear2(its.dropout(autograd::relu(its.linear1(x)))));
}

}  // namespace

// ---- encoder -------------------------------------------------------------------------------------------------

TransformerEncoderLayer::TransformerEncoderLayer(const TransformerLayerOptions& given, Where where)
    : options(checked("TransformerEncoderLayer", given, where)),
      self_attn(attention(options), where),
      linear1(widen(options), where),
      linear2(narrow(options), where),
      norm1(normalise(options), where),
      norm2(normalise(options), where),
      dropout({.p = options.dropout}, where) {
  register_module("self_attn", self_attn);
  register_module("linear1", linear1);
  register_module("linear2", linear2);
  register_module("norm1", norm1);
  register_module("norm2", norm2);
  register_module("dropout", dropout);
}

Tensor TransformerEncoderLayer::look_around(const Tensor& x, const Tensor& mask) const {
  return dropout(self_attn(x, x, x, {.mask = mask}).output);
}

Tensor TransformerEncoderLayer::operator()(const Tensor& src, const Tensor& mask, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  check_shape("TransformerEncoderLayer", "src", src, {-1, -1, options.d_model}, "[batch, source, d_model]", where);
  check_attention_mask("TransformerEncoderLayer", mask, src.size(0), src.size(1), where);
  const Tensor x = with_finite_padding(src, mask);
  if (options.norm_first) {
    const Tensor attended = x + look_around(norm1(x), mask);
    return attended + feed_forward(*this, norm2(attended));
  }
  const Tensor attended = norm1(x + look_around(x, mask));
  return norm2(attended + feed_forward(*this, attended));
}

// ---- decoder -------------------------------------------------------------------------------------------------

TransformerDecoderLayer::TransformerDecoderLayer(const TransformerLayerOptions& given, Where where)
    : options(checked("TransformerDecoderLayer", given, where)),
      self_attn(attention(options), where),
      multihead_attn(attention(options), where),
      linear1(widen(options), where),
      linear2(narrow(options), where),
      norm1(normalise(options), where),
      norm2(normalise(options), where),
      norm3(normalise(options), where),
      dropout({.p = options.dropout}, where) {
  register_module("self_attn", self_attn);
  register_module("multihead_attn", multihead_attn);
  register_module("linear1", linear1);
  register_module("linear2", linear2);
  register_module("norm1", norm1);
  register_module("norm2", norm2);
  register_module("norm3", norm3);
  register_module("dropout", dropout);
}

namespace {

// [B, before, M] and [B, T, M] -> [B, before + T, M]
Tensor append(const Tensor& before, const Tensor& next) {
  return before.size(1) == 0 ? next : autograd::cat({before, next}, 1);
}

}  // namespace

// x [B, T, M] are the next words: they see the words before, and each one itself and those before it.
Tensor TransformerDecoderLayer::look_back(const Tensor& x, ProjectedKeys& words) const {
  const ProjectedKeys next = self_attn.precompute(x, x);
  words = {append(words.keys, next.keys), append(words.values, next.values)};
  return dropout(self_attn(x, words, {.causal = true}).output);
}

TransformerDecoderLayer::Output TransformerDecoderLayer::look_at_source(const Tensor& x, const ProjectedKeys& source,
                                                                        const Tensor& memory_mask) const {
  const auto [output, weights] = multihead_attn(x, source, {.mask = memory_mask});
  return {dropout(output), weights};
}

TransformerDecoderCache TransformerDecoderLayer::start(const Tensor& memory, const Tensor& memory_mask,
                                                       Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  check_shape("TransformerDecoderLayer", "memory", memory, {-1, -1, options.d_model}, "[batch, source, d_model]",
              where);
  const Tensor no_words = autograd::empty({memory.size(0), 0, options.d_model}, memory.dtype());
  return {multihead_attn.precompute(memory, memory, memory_mask), {no_words, no_words}};
}

TransformerDecoderLayer::Output TransformerDecoderLayer::operator()(const Tensor& tgt, TransformerDecoderCache& cache,
                                                                    const Tensor& memory_mask, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  check_defined("TransformerDecoderLayer", "the cache", cache.source.keys, where);
  check_shape("TransformerDecoderLayer", "tgt", tgt, {cache.source.keys.size(0), -1, options.d_model},
              "[batch, target, d_model]", where);
  if (options.norm_first) {
    const Tensor attended = tgt + look_back(norm1(tgt), cache.words);
    const auto [context, weights] = look_at_source(norm2(attended), cache.source, memory_mask);
    const Tensor informed = attended + context;
    return {informed + feed_forward(*this, norm3(informed)), weights};
  }
  const Tensor attended = norm1(tgt + look_back(tgt, cache.words));
  const auto [context, weights] = look_at_source(attended, cache.source, memory_mask);
  const Tensor informed = norm2(attended + context);
  return {norm3(informed + feed_forward(*this, informed)), weights};
}

TransformerDecoderLayer::Output TransformerDecoderLayer::operator()(const Tensor& tgt, const Tensor& memory,
                                                                    const Tensor& memory_mask, Where where) const {
  TransformerDecoderCache cache = start(memory, memory_mask, where);
  return (*this)(tgt, cache, memory_mask, where);
}

// ---- stacks of layers ----------------------------------------------------------------------------------------

namespace {

TransformerStackOptions checked(std::string_view type, const TransformerStackOptions& options, Where where) {
  check_layers(type, "num_layers", options.num_layers, where);
  return options;
}

std::unique_ptr<LayerNorm> last_norm(const TransformerStackOptions& options, Where where) {
  return options.norm ? std::make_unique<LayerNorm>(normalise(options.layer), where) : nullptr;
}

}  // namespace

TransformerEncoder::TransformerEncoder(const TransformerStackOptions& given, Where where)
    : options(checked("TransformerEncoder", given, where)), norm(last_norm(options, where)) {
  for (std::int64_t i = 0; i < options.num_layers; ++i) layers.emplace_back(options.layer, where);
  register_module("layers", layers);
  if (norm) register_module("norm", *norm);
}

Tensor TransformerEncoder::run_layers(const Tensor& src, const Tensor& mask) const {
  const autograd::ScopeGuard scope(layers.name(), Where::current());
  Tensor x = src;
  for (const TransformerEncoderLayer& layer : layers) x = layer(x, mask);
  return x;
}

Tensor TransformerEncoder::operator()(const Tensor& src, const Tensor& mask, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  const Tensor x = run_layers(src, mask);
  return norm ? (*norm)(x) : x;
}

TransformerDecoder::TransformerDecoder(const TransformerStackOptions& given, Where where)
    : options(checked("TransformerDecoder", given, where)), norm(last_norm(options, where)) {
  for (std::int64_t i = 0; i < options.num_layers; ++i) layers.emplace_back(options.layer, where);
  register_module("layers", layers);
  if (norm) register_module("norm", *norm);
}

TransformerDecoder::Caches TransformerDecoder::start(const Tensor& memory, const Tensor& memory_mask,
                                                     Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  const autograd::ScopeGuard scope_of_layers(layers.name(), Where::current());
  Caches caches;
  for (const TransformerDecoderLayer& layer : layers) caches.push_back(layer.start(memory, memory_mask));
  return caches;
}

TransformerDecoder::Output TransformerDecoder::run_layers(const Tensor& tgt, Caches& caches,
                                                          const Tensor& memory_mask) const {
  const autograd::ScopeGuard scope(layers.name(), Where::current());
  Output last{tgt, Tensor()};
  for (std::size_t i = 0; i < layers.size(); ++i) last = layers[i](last.output, caches[i], memory_mask);
  return last;
}

TransformerDecoder::Output TransformerDecoder::operator()(const Tensor& tgt, Caches& caches, const Tensor& memory_mask,
                                                          Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  if (caches.size() != layers.size()) {
    autograd::fail(ErrorId::bad_argument, "TransformerDecoder", where,
                   fmt::format("{} caches for {} layers", caches.size(), layers.size()),
                   "pass what start() of this decoder returned");
  }
  const Output last = run_layers(tgt, caches, memory_mask);
  return norm ? Output{(*norm)(last.output), last.weights} : last;
}

TransformerDecoder::Output TransformerDecoder::operator()(const Tensor& tgt, const Tensor& memory,
                                                          const Tensor& memory_mask, Where where) const {
  Caches caches = start(memory, memory_mask, where);
  return (*this)(tgt, caches, memory_mask, where);
}

}  // namespace nn
