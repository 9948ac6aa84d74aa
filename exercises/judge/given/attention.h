// What exercises 36 to 38 and 40 are given: the weights of additive attention.
#pragma once

#include <judge/learner.h>

namespace given {

// e_j = v . tanh(W s + U h_j)
struct AttentionWeights {
  Tensor W;  // [attention, decoder]
  Tensor U;  // [attention, encoder]
  Tensor v;  // [attention]
};

// tanh(W s + U h_j): s [.., decoder], states [.., source, encoder] -> [.., source, attention]
inline Tensor attention_hidden(const Tensor& s, const Tensor& states, const AttentionWeights& weights) {
  return tanh(linear(s, weights.W).unsqueeze(-2) + linear(states, weights.U));
}

}  // namespace given
