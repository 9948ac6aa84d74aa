// What is given in exercise 37: the forward pass of attention, what is kept of it, the way back through the states,
// and the functions to write.
#pragma once

#include <judge/given/attention.h>

namespace given {

struct AttentionStep {
  Tensor states;  // [batch, source, encoder]    h_j
  Tensor hidden;  // [batch, source, attention]  u_j = tanh(W s + U h_j)
  Tensor alpha;   // [batch, source]             softmax of v . u_j; 0 where there is no word
  Tensor c;       // [batch, encoder]            sum over j of alpha_j h_j
};

// The two terms of dL/dh_j, each [batch, source, encoder]. Their sum is the gradient.
struct StateGradients {
  Tensor as_value;
  Tensor as_key;
};

inline AttentionStep attention_forward(const Tensor& s, const Tensor& states, const Tensor& mask,
                                       const AttentionWeights& weights) {
  AttentionStep step;
  step.states = states;
  step.hidden = attention_hidden(s, states, weights);
  step.alpha = masked_softmax(matmul(step.hidden, weights.v), mask);
  step.c = bmm(step.alpha.unsqueeze(1), states).squeeze(1);
  return step;
}

// h_(j+1) = tanh(W_hh h_j + what comes from the word). direct [batch, source, encoder] is what each state gets from the
// loss without passing through another state -> all that each state gets.
inline Tensor through_time(const Tensor& direct, const Tensor& states, const Tensor& weight_hh) {
  std::vector<Tensor> all;  // [batch, encoder] each, the last state first
  for (std::int64_t j = states.size(1) - 1; j >= 0; --j) {
    all.push_back(direct.select(1, j));
    if (all.size() == 1) continue;
    const Tensor h = states.select(1, j + 1);
    all.back() = all.back() + matmul(all[all.size() - 2] * (1.0 - h * h), weight_hh);
  }
  return flip(autograd::stack(all, 1), {1});
}

}  // namespace given

using given::AttentionStep;
using given::AttentionWeights;
using given::StateGradients;
using given::through_time;

// Given dc = dL/dc [batch, encoder].
StateGradients state_gradients(const Tensor& dc, const AttentionStep& step, const AttentionWeights& weights);

// States [source, encoder], no two of them alike, whose second term is 0 for this dc [encoder], whatever s, W, U and v
// are.
Tensor silent_states(const Tensor& dc, std::int64_t source);

// The total gradient of every state [batch, source, encoder], where the decoder sees the last one.  d_last [batch,
// encoder]
Tensor without_attention(const Tensor& d_last, const Tensor& states, const Tensor& weight_hh);

// The same where it sees the context of attention.
Tensor with_attention(const Tensor& dc, const AttentionStep& step, const AttentionWeights& weights,
                      const Tensor& weight_hh);

struct Answer {
  decltype(&::state_gradients) state_gradients;
  decltype(&::silent_states) silent_states;
  decltype(&::without_attention) without_attention;
  decltype(&::with_attention) with_attention;
};
