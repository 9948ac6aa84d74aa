#include "nn/attention/hierarchical_attention.h"

#include <fmt/core.h>

#include "nn/attention/attention_mask.h"
#include "nn/layers/checks.h"

namespace nn {
namespace {

// Dropout is on the weights of both levels together.
AdditiveAttentionOptions level(const AttentionOptions& options) {
  AdditiveAttentionOptions own = additive_options(options);
  own.dropout = 0.0;
  return own;
}

// [B, N, S]: which words are in which segment; the padding is in none.
Tensor words_of_segments(const AttentionSource& source) {
  const std::int64_t batch = source.values.size(0);
  const std::int64_t positions = source.values.size(1);
  const Tensor segments =
      source.segments.defined() ? source.segments : autograd::ones({batch, 1, positions}, autograd::boolean);
  return source.mask.defined() ? autograd::logical_and(segments, source.mask.unsqueeze(1)) : segments;
}

}  // namespace

HierarchicalAttention::HierarchicalAttention(const AttentionOptions& given, Where where)
    : AttentionMechanism("HierarchicalAttention", given, where),
      word(level(options), where),
      sentence(level(options), where) {
  register_module("word", word);
  register_module("sentence", sentence);
}

ProjectedKeys HierarchicalAttention::project(const Tensor& encoder_outputs) const {
  return word.precompute(encoder_outputs);
}

AttentionMechanism::Output HierarchicalAttention::attend(const Tensor& query, const AttentionSource& source,
                                                         const AttentionMemory&) const {
  const Tensor words = words_of_segments(source);                               // [B, N, S]
  const Tensor word_scores = word.scores(query, {source.keys, source.values});  // [B, S]
  const Tensor word_weights = softmax_over(word_scores.unsqueeze(1).expand(words.shape()), words);
  const Tensor segment_vectors = autograd::bmm(word_weights, source.values);           // [B, N, E]
  const Tensor has_words = words.to(query.dtype()).sum(-1) > 0.0;                      // [B, N]
  const Tensor segment_weights = sentence(query, segment_vectors, has_words).weights;  // [B, N]
  const Tensor weights = autograd::bmm(segment_weights.unsqueeze(1), word_weights).squeeze(1);
  return {context_of(weights, source.values), weights};
}

Tensor segments_of(const Tensor& token_ids, std::int64_t separator, const Tensor& mask, Where where) {
  check_shape("segments_of", "token_ids", token_ids, {-1, -1}, "[batch, source]", where);
  check_attention_mask("segments_of", mask, token_ids.size(0), token_ids.size(1), where);
  if (token_ids.dtype() != autograd::int64) {
    autograd::fail(ErrorId::dtype_mismatch, "segments_of", where,
                   fmt::format("token_ids is {} {}, not int64", token_ids.dtype(), token_ids.shape()),
                   "give the ids that the encoder's embedding got");
  }
  const Tensor is_end = (token_ids == double(separator)).to(autograd::float64);
  const Tensor ends_before = autograd::cumsum(is_end, 1) - is_end;  // [B, S], the number of a position's segment
  const Tensor of_tokens = mask.defined() ? ends_before.masked_fill(autograd::logical_not(mask), 0.0) : ends_before;
  const std::int64_t count = of_tokens.amax().item<std::int64_t>() + 1;
  const Tensor numbers = autograd::arange(count, autograd::float64).unsqueeze(1);  // [N, 1]
  const Tensor segments = ends_before.unsqueeze(1) == numbers;                     // [B, N, S]
  return mask.defined() ? autograd::logical_and(segments, mask.unsqueeze(1)) : segments;
}

}  // namespace nn
