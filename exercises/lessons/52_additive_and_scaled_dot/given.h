// What is given in exercise 52: both kinds of attention, and the functions to write.
#pragma once

#include <judge/learner.h>

namespace given {

// e_i = v . tanh(W s + U h_i + bias)
struct AdditiveWeights {
  Tensor W;     // [attention, decoder]
  Tensor U;     // [attention, encoder]
  Tensor bias;  // [attention]
  Tensor v;     // [attention]
};

// query [decoder], keys [source, encoder] -> [source]
inline Tensor additive_scores(const Tensor& query, const Tensor& keys, const AdditiveWeights& weights) {
  const Tensor sums = autograd::linear(query, weights.W) + autograd::linear(keys, weights.U) + weights.bias;
  return autograd::matmul(autograd::tanh(sums), weights.v);
}

// (W_q s) . (W_k h_i) / sqrt(d): query [decoder], keys [source, encoder], W_q [d, decoder], W_k [d, encoder] ->
// [source]
inline Tensor dot_scores(const Tensor& query, const Tensor& keys, const Tensor& W_q, const Tensor& W_k) {
  const double root = std::sqrt(static_cast<double>(W_q.size(0)));
  return autograd::matmul(autograd::linear(keys, W_k), autograd::linear(query, W_q)) / root;
}

// Of all scores between `words` queries and `words` keys of size `features`, projected already.
struct ScoreCost {
  std::int64_t multiply_adds = 0;
  std::int64_t tanhs = 0;
  std::int64_t numbers = 0;  // in the largest tensor on the way
};

struct SelfAttentionWeights {
  Tensor W_q;  // [features, model]
  Tensor W_k;  // [features, model]
  Tensor W_v;  // [features, model]
};

}  // namespace given

using given::AdditiveWeights;
using given::ScoreCost;
using given::SelfAttentionWeights;

// The scores with tanh(x) replaced by x -> [source].
Tensor linear_scores(const Tensor& query, const Tensor& keys, const AdditiveWeights& weights);

// The largest absolute difference between additive scores and linear ones when W, U and bias are multiplied by
// `scale`.
double linear_error(const Tensor& query, const Tensor& keys, const AdditiveWeights& weights, double scale);

// Additive weights whose scores are nearly those of given::dot_scores, the more nearly the smaller epsilon is.
AdditiveWeights additive_like_dot(const Tensor& W_q, const Tensor& W_k, double epsilon);

ScoreCost additive_cost(std::int64_t words, std::int64_t features);
ScoreCost dot_cost(std::int64_t words, std::int64_t features);

// One head of a Transformer's self-attention: x [batch, word, model] -> [batch, word, features].
Tensor self_attention(const Tensor& x, const SelfAttentionWeights& weights);

struct Answer {
  decltype(&::linear_scores) linear_scores;
  decltype(&::linear_error) linear_error;
  decltype(&::additive_like_dot) additive_like_dot;
  decltype(&::additive_cost) additive_cost;
  decltype(&::dot_cost) dot_cost;
  decltype(&::self_attention) self_attention;
};
