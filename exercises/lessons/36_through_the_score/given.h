// What is given in exercise 36: the forward pass of scores and weights, what is kept of it, and the function to write.
#pragma once

#include <judge/given/attention.h>

namespace given {

using ScoreWeights = AttentionWeights;

// What the step was given and what it computed, kept for the backward pass.
struct ScoreStep {
  Tensor s;       // [batch, decoder]
  Tensor states;  // [batch, source, encoder]    h_j
  Tensor hidden;  // [batch, source, attention]  u_j = tanh(W s + U h_j)
  Tensor alpha;   // [batch, source]             softmax of v . u_j; 0 where there is no word
};

struct ScoreGradients {
  Tensor d_e;       // [batch, source]
  Tensor d_s;       // [batch, decoder]
  Tensor d_states;  // [batch, source, encoder]: what the states get as keys
  Tensor dW;        // [attention, decoder]
  Tensor dU;        // [attention, encoder]
  Tensor dv;        // [attention]
};

inline ScoreStep score_forward(const Tensor& s, const Tensor& states, const Tensor& mask, const ScoreWeights& weights) {
  ScoreStep step;
  step.s = s;
  step.states = states;
  step.hidden = attention_hidden(s, states, weights);
  step.alpha = masked_softmax(matmul(step.hidden, weights.v), mask);
  return step;
}

}  // namespace given

using given::ScoreGradients;
using given::ScoreStep;
using given::ScoreWeights;

// Given d_alpha = dL/d_alpha [batch, source].
ScoreGradients score_backward(const Tensor& d_alpha, const ScoreStep& step, const ScoreWeights& weights);

struct Answer {
  decltype(&::score_backward) score_backward;
};
