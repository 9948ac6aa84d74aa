// The score functions of Luong, Pham and Manning 2015, beside that of Bahdanau et al. 2015 (additive_attention.h): how
// well a decoder state s [B, D] fits each encoder output h_i [B, S, E]. Weights and context are those of every
// ScoredAttention (attention_mechanism.h).
//
//   additive    e_i = v . tanh(W_dec s + W_enc h_i)        Bahdanau, Cho and Bengio 2015, appendix A.1.2
//   concat      e_i = v_a . tanh(W_a [s; h_i])             Luong et al. 2015, eq. 8, third line
//   dot         e_i = s . h_i                              first line; D = E
//   general     e_i = s . (W_a h_i)                        second line
//   scaled_dot  e_i = s . h_i / sqrt(D)                    Vaswani et al. 2017, eq. 1; D = E
//
// Luong writes the sizes for D = E. concat and additive are the same function, W_a = [W_dec, W_enc]; they differ in the
// initial values of their weights. None has biases: that of v would be the same for all positions, which softmax
// does not see.
#pragma once

#include <memory>

#include "nn/attention/attention_mechanism.h"
#include "nn/layers/linear.h"

namespace nn {

class ConcatAttention final : public ScoredAttention {
 public:
  explicit ConcatAttention(const AttentionOptions& options, Where where = Where::current());

  Linear W_a;  // D + E -> A
  Linear v_a;  // A -> 1

 private:
  ProjectedKeys project(const Tensor& encoder_outputs) const override;  // keys: the part of W_a for h_i, [B, S, A]
  Tensor scores(const Tensor& query, const AttentionSource& source, const AttentionMemory& memory) const override;
};

struct DotAttentionOptions {
  Flag scaled = false;  // by 1 / sqrt(D)
  // A layer E -> D on the keys, for sizes that differ, as those of a decoder state [B, H] and of a bidirectional
  // encoder's outputs [B, S, 2 H]. The score is then that of general attention, s . (W_k h_i): for a comparison of
  // the two, make the sizes equal.
  Flag project_keys = false;
};

class DotAttention final : public ScoredAttention {
 public:
  // Throws bad-argument if D and E differ, unless the keys are projected.
  explicit DotAttention(const AttentionOptions& options, const DotAttentionOptions& dot = {},
                        Where where = Where::current());

  const DotAttentionOptions dot;
  std::unique_ptr<Linear> W_k;  // E -> D; none without project_keys

 private:
  ProjectedKeys project(const Tensor& encoder_outputs) const override;  // keys h_i or W_k h_i: [B, S, D]
  Tensor scores(const Tensor& query, const AttentionSource& source, const AttentionMemory& memory) const override;
};

class GeneralAttention : public ScoredAttention {
 public:
  explicit GeneralAttention(const AttentionOptions& options, Where where = Where::current());

  Linear W_a;  // E -> D

 protected:
  GeneralAttention(std::string_view type, const AttentionOptions& options, Where where);

 private:
  ProjectedKeys project(const Tensor& encoder_outputs) const override;  // keys W_a h_i: [B, S, D]
  Tensor scores(const Tensor& query, const AttentionSource& source, const AttentionMemory& memory) const override;
};

}  // namespace nn
