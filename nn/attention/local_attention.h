// LocalAttention: looks at a window of the source around one position p_t (Luong, Pham and Manning 2015, section 3.2).
//
//   monotonic (local-m)    p_t = t                                              source and target run side by side
//   predictive (local-p)   p_t = S sigmoid(v_p . tanh(W_p s_t))                 eq. 9
//
//   align_t(i)  = softmax of s_t . (W_a h_i) over the positions with |i - p_t| <= D, of which there may be fewer at
//                 the ends of the sentence                                      eq. 7, the score "general" of eq. 8
//   weights_ti  = align_t(i)                                                    monotonic
//   weights_ti  = align_t(i) exp(-(i - p_t)^2 / (2 sigma^2)),  sigma = D / 2    predictive, eq. 10
//
// Positions and steps count from 0; S is the sentence's length, the number of true places in its mask; D is `window`,
// a number of words. p_t of local-p is a real number; gradients reach it through the Gaussian only, so that W_p and v_p
// learn. The weights of local-p sum to less than 1.
//
// From step S + D on, no source position is in the window of local-m, and weights and context are 0: it needs sentences
// of similar length.
#pragma once

#include "nn/attention/score_functions.h"

namespace nn {

struct LocalAttentionOptions {
  Flag predictive = false;  // local-p, otherwise local-m
  Int window = 10;          // D, in words to each side; 10 is the paper's
};

class LocalAttention final : public GeneralAttention {
 public:
  // Throws bad-argument for a window below 1.
  explicit LocalAttention(const AttentionOptions& options, const LocalAttentionOptions& local = {},
                          Where where = Where::current());

  // p_t at this step: query [B, D], lengths [B, 1] in the query's dtype -> [B, 1].
  Tensor centre(const Tensor& query, const Tensor& lengths, std::int64_t step) const;

  const LocalAttentionOptions local;
  std::unique_ptr<Linear> W_p;  // D -> A; these two for local-p only
  std::unique_ptr<Linear> v_p;  // A -> 1

 private:
  Tensor weights(const Tensor& query, const Tensor& scores, const AttentionSource& source,
                 const AttentionMemory& memory) const override;
};

}  // namespace nn
