// CoverageAttention: additive attention that knows where it has looked before, so that no word is translated twice or
// not at all (Tu et al. 2016, section 3.1, in its simplest form; See, Liu and Manning 2017, eq. 10 and 11):
//
//   cov_ti = sum_{t' < t} alpha_t'i                                       0 at the first step
//   e_ti   = v . tanh(W_dec s_t + W_enc h_i + W_c cov_ti)
//
// and the loss that penalises looking twice (See et al., eq. 12):
//
//   covloss_t = sum_i min(alpha_ti, cov_ti)
//
// Gradients flow through the coverage to the steps before.
#pragma once

#include "nn/attention/attention_mechanism.h"
#include "nn/layers/linear.h"

namespace nn {

class CoverageAttention final : public ScoredAttention {
 public:
  // W_c starts uniform on [-k, k) with k = 1 / sqrt(attention_dim); Linear's k for one input, 1, would drown the
  // other two terms.
  explicit CoverageAttention(const AttentionOptions& options, Where where = Where::current());

  bool keeps_coverage() const override { return true; }

  Linear W_dec;  // D -> A; these three as in AdditiveAttention
  Linear W_enc;  // E -> A
  Linear v;      // A -> 1
  Linear W_c;    // 1 -> A

 private:
  ProjectedKeys project(const Tensor& encoder_outputs) const override;  // keys W_enc h_i: [B, S, A]
  Tensor scores(const Tensor& query, const AttentionSource& source, const AttentionMemory& memory) const override;
};

// covloss_t: weights [B, S] of a step and the coverage before it, AttentionMemory::coverage (undefined: 0) -> [B].
// Throws shape-mismatch.
Tensor coverage_loss(const Tensor& weights, const Tensor& coverage, Where where = Where::current());

// The same for all steps, each with the coverage of the steps before: weights [B, T, S] of any attention -> [B, T].
Tensor coverage_loss_of_steps(const Tensor& weights, Where where = Where::current());

}  // namespace nn
