// What is given in exercise 36: one step of attention forwards, what is kept of it, and the functions to write.
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

}  // namespace given

using given::AttentionStep;
using given::AttentionWeights;
using given::StateGradients;

// Given dc = dL/dc [batch, encoder].
StateGradients state_gradients(const Tensor& dc, const AttentionStep& step, const AttentionWeights& weights);

// States [source, encoder], no two of them alike, whose second term is 0 for this dc [encoder], whatever s, W, U and v
// are.
Tensor silent_states(const Tensor& dc, std::int64_t source);

struct Answer {
  decltype(&::state_gradients) state_gradients;
  decltype(&::silent_states) silent_states;
};
