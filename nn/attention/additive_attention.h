// AdditiveAttention: chooses the source positions that a decoder looks at (Bahdanau, Cho and Bengio 2015, A.1.2):
//
//   e_ti     = v . tanh(W_dec s_t + W_enc h_i)        how well query s_t and key h_i fit
//   alpha_ti = exp(e_ti) / sum_j exp(e_tj)            softmax over the source, position by position
//   c_t      = sum_i alpha_ti h_i                     the context
//
// Sizes: B batch, T decoder steps, S source positions, D decoder_dim, E encoder_dim, A attention_dim.
//
//   query    one step [B, D]       all steps [B, T, D]
//   keys     [B, S, E]             values [B, S, any]; the same tensor as a rule
//   mask     [B, S], boolean, true where there is a token; or [B, T, S], one row per step; or none
//   context  [B, E]                [B, T, E]
//   weights  [B, S]                [B, T, S]
//
// A row whose mask is false everywhere has nothing to look at: its weights are all 0, its context is 0, and no
// gradient flows from it. (softmax over a row of -inf, as in most implementations, is NaN there.) Where no step may
// look, the source may hold anything, NaN too, and its gradient is exactly 0.
//
//   nn::AdditiveAttention attention({.decoder_dim = 256, .encoder_dim = 512, .attention_dim = 128});
//   auto [context, weights] = attention(decoder_state, encoder_outputs, mask);
//
// Other forms of additive attention:
// - keys and values apart: attention(query, attention.precompute(keys, values), mask);
// - biases, as where the layers are written without bias=False, or in Keras: {.bias = true}. The bias of v is
//   added to every score of a row, and softmax does not see that: its gradient is 0;
// - Keras keeps a last dim of 1, softmax over axis 1 of [B, S, 1]: that is weights.unsqueeze(-1);
// - a query [B, 1, D] with weights [B, S] is the query [B, D], or weights.squeeze(1) of ours.
#pragma once

#include "nn/attention/attention_mechanism.h"
#include "nn/layers/linear.h"

namespace nn {

struct AdditiveAttentionOptions {
  Int decoder_dim = 0;    // D; required
  Int encoder_dim = 0;    // E; required
  Int attention_dim = 0;  // A; decoder_dim unless given
  double dropout = 0.0;   // on the weights, in training; they are not scaled back to the sum 1
  Flag bias = false;      // in all three layers
  DType dtype = autograd::float32;
};

// Without bias.
AdditiveAttentionOptions additive_options(const AttentionOptions& options);

class AdditiveAttention : public AttentionMechanism {
 public:
  // The weights start as those of Linear. Throws bad-argument for sizes below 1 and dropout outside [0, 1].
  explicit AdditiveAttention(const AdditiveAttentionOptions& options, Where where = Where::current());

  // One step [B, D] or all steps [B, T, D]. Throws shape-mismatch, and dtype-mismatch for a mask that is not boolean.
  Output operator()(const Tensor& query, const Tensor& encoder_outputs, const Tensor& mask = Tensor(),
                    Where where = Where::current()) const;
  Output operator()(const Tensor& query, const ProjectedKeys& source, const Tensor& mask = Tensor(),
                    Where where = Where::current()) const;

  // One step of any kind of attention (attention_mechanism.h).
  using AttentionMechanism::operator();

  ProjectedKeys precompute(const Tensor& encoder_outputs, Where where = Where::current()) const;
  // With a mask, what the padding holds does not matter, even if it is NaN; without, it must be finite.
  ProjectedKeys precompute(const Tensor& keys, const Tensor& values, Where where = Where::current()) const;
  ProjectedKeys precompute(const Tensor& keys, const Tensor& values, const Tensor& mask,
                           Where where = Where::current()) const;

  // e alone, before masking: [B, S] or [B, T, S].
  Tensor scores(const Tensor& query, const ProjectedKeys& source, Where where = Where::current()) const;

  Linear W_dec;  // D -> A
  Linear W_enc;  // E -> A
  Linear v;      // A -> 1

 private:
  ProjectedKeys project(const Tensor& encoder_outputs) const override;
  Output attend(const Tensor& query, const AttentionSource& source, const AttentionMemory& memory) const override;

  Tensor raw_scores(const Tensor& query, const ProjectedKeys& source) const;
  Output look(const Tensor& query, const ProjectedKeys& source, const Tensor& mask) const;
  Output look_at_each_step(const Tensor& queries, const ProjectedKeys& source, const Tensor& mask) const;
  void check_query(const Tensor& query, const ProjectedKeys& source, Where where) const;
  void check_mask(const Tensor& mask, const Tensor& query, const ProjectedKeys& source, Where where) const;
};

}  // namespace nn
