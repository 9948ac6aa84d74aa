// HierarchicalAttention: first over the words of each segment, then over the segments (Yang et al. 2016, section 2.2,
// eq. 5 to 10), for a source of several sentences or parts:
//
//   a_ni    = v_w . tanh(W_w s + U_w h_i)      the words i of segment n
//   alpha_n = softmax over the words of segment n
//   g_n     = sum_i alpha_ni h_i               the vector of the segment
//   b_n     = v_s . tanh(W_s s + U_s g_n)      the segments
//   beta    = softmax over the segments that have words
//   context = sum_n beta_n g_n = sum_i (sum_n beta_n alpha_ni) h_i
//
// so that weights_i = sum_n beta_n alpha_ni is one distribution over all positions. Both scores are additive attention,
// `word` and `sentence`. Yang classifies documents and has no decoder: his score is v . tanh(U h_i + b), and the bias,
// the same for all words, is here W s, which changes with the decoder's state. His second encoder, a recurrent layer
// over the vectors g_n, is left out: they depend on s, so it would have to run anew at every step.
//
// The segments are part of the source. Without them, all words are one segment, and the second level has no effect.
//
//   nn::AttentionSource source = attention.read_source(encoder_outputs, mask);
//   source.segments = nn::segments_of(token_ids, full_stop, mask);              // [B, N, S]
#pragma once

#include "nn/attention/additive_attention.h"
#include "nn/attention/attention_mechanism.h"

namespace nn {

class HierarchicalAttention final : public AttentionMechanism {
 public:
  explicit HierarchicalAttention(const AttentionOptions& options, Where where = Where::current());

  AdditiveAttention word;      // W_dec, W_enc, v: W_w, U_w, v_w above
  AdditiveAttention sentence;  // W_s, U_s, v_s

 private:
  ProjectedKeys project(const Tensor& encoder_outputs) const override;  // keys U_w h_i: [B, S, A]
  Output attend(const Tensor& query, const AttentionSource& source, const AttentionMemory& memory) const override;
};

// Which positions belong to which segment, if the token `separator` ends each: [B, N, S], boolean, where N is the
// number of segments of the sentence that has most. token_ids [B, S] int64; mask [B, S], boolean, true where there is a
// token, or undefined: everywhere. The separator belongs to the segment that it ends. Throws shape-mismatch,
// dtype-mismatch.
Tensor segments_of(const Tensor& token_ids, std::int64_t separator, const Tensor& mask = Tensor(),
                   Where where = Where::current());

}  // namespace nn
