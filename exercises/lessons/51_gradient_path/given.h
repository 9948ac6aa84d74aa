// What is given in exercise 51: the types, the gradient that attention sends to the states by itself (exercise 36), and
// the functions to write.
#pragma once

#include <judge/given/attention.h>

namespace given {

// Attention alone, the states being given: query [decoder], states [time, hidden] -> weights [time].
inline Tensor attention(const Tensor& query, const Tensor& states, const AttentionWeights& weights) {
  return autograd::softmax(autograd::matmul(attention_hidden(query, states, weights), weights.v), -1);
}

// As a value and as a key: alpha_t g + alpha_t (g . (h_t - c)) U^T [v (1 - tanh^2)], g = d_context [hidden]
// -> [time, hidden].
inline Tensor attention_backward(const Tensor& d_context, const Tensor& query, const Tensor& states,
                                 const AttentionWeights& weights) {
  const Tensor alpha = attention(query, states, weights);
  const Tensor hidden = attention_hidden(query, states, weights);
  const Tensor context = autograd::matmul(alpha, states);
  const Tensor d_scores = alpha * autograd::matmul(states - context, d_context);
  const Tensor d_sums = d_scores.unsqueeze(1) * weights.v * (1.0 - hidden * hidden);
  return alpha.unsqueeze(1) * d_context + autograd::matmul(d_sums, weights.U);
}

}  // namespace given

using given::AttentionWeights;

// h_{t+1} = tanh(W_hh h_t + what comes from x). `direct` [time, hidden] is what each state gets from the loss without
// passing through another state; states [time, hidden] -> all that each state gets, [time, hidden].
Tensor through_time(const Tensor& direct, const Tensor& states, const Tensor& weight_hh);

// A decoder that sees the last state only: d_last [hidden] -> the gradients of all states.
Tensor without_attention(const Tensor& d_last, const Tensor& states, const Tensor& weight_hh);

// A decoder that sees the context of attention: d_context [hidden] -> the gradients of all states.
Tensor with_attention(const Tensor& d_context, const Tensor& query, const Tensor& states,
                      const AttentionWeights& weights, const Tensor& weight_hh);

// norm = c r^length: the r that fits best. (The least-squares line through the points (length, log norm).)
double factor_per_step(const std::vector<double>& lengths, const std::vector<double>& norms);

// norm = c length^p: the p that fits best. (The same for the points (log length, log norm).)
double power_of_length(const std::vector<double>& lengths, const std::vector<double>& norms);

struct Answer {
  decltype(&::through_time) through_time;
  decltype(&::without_attention) without_attention;
  decltype(&::with_attention) with_attention;
  decltype(&::factor_per_step) factor_per_step;
  decltype(&::power_of_length) power_of_length;
};
