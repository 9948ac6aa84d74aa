// MultiHeadMechanism: multi-head attention (multi_head_attention.h) for a recurrent decoder, whose state is the one
// query of each step. Keys and values of all heads are computed once per batch.
//
// With M = E the context is [B, E], as that of the other kinds; a query of another size gets its q_proj_weight [E, D].
//
// Two things differ from the other kinds. The returned weights are the mean over the heads, so that the context is not
// the sum of the values by these weights. And a row whose mask is false everywhere has the bias of out_proj as context.
#pragma once

#include "nn/attention/attention_mechanism.h"
#include "nn/attention/multi_head_attention.h"

namespace nn {

struct MultiHeadMechanismOptions {
  Int num_heads = 0;  // divides encoder_dim; unless given, the first of 8, 4, 2, 1 that does
};

class MultiHeadMechanism final : public AttentionMechanism {
 public:
  // Throws bad-argument if num_heads does not divide encoder_dim. attention_dim is not used.
  explicit MultiHeadMechanism(const AttentionOptions& options, const MultiHeadMechanismOptions& heads = {},
                              Where where = Where::current());

  MultiHeadAttention multi_head;

 private:
  ProjectedKeys project(const Tensor& encoder_outputs) const override;  // both [B, S, E], all heads side by side
  Output attend(const Tensor& query, const AttentionSource& source, const AttentionMemory& memory) const override;
};

}  // namespace nn
