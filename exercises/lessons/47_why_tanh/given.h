// What is given in exercise 47: attention with any activation in its score, and the functions to write.
#pragma once

#include <judge/learner.h>

namespace given {

enum class Activation { tanh, sigmoid, relu, none };

struct ScoreWeights {
  Tensor W;  // [attention, decoder]
  Tensor U;  // [attention, encoder]
  Tensor v;  // [attention]
};

inline Tensor activate(const Tensor& x, Activation activation) {
  switch (activation) {
    case Activation::tanh: return autograd::tanh(x);
    case Activation::sigmoid: return autograd::sigmoid(x);
    case Activation::relu: return autograd::relu(x);
    case Activation::none: break;
  }
  return x;
}

// What goes into the activation: query [decoder], keys [source, encoder] -> [source, attention].
inline Tensor hidden_sums(const Tensor& query, const Tensor& keys, const ScoreWeights& weights) {
  return autograd::linear(query, weights.W) + autograd::linear(keys, weights.U);
}

// softmax over the source of v . f(W query + U key_i) -> [source]
inline Tensor attention_weights(const Tensor& query, const Tensor& keys, const ScoreWeights& weights,
                                Activation activation) {
  const Tensor hidden = activate(hidden_sums(query, keys, weights), activation);
  return autograd::softmax(autograd::matmul(hidden, weights.v), -1);
}

}  // namespace given

using given::Activation;
using given::ScoreWeights;

// How far the weights for two queries are apart: the largest absolute difference of any weight.
double query_influence(const Tensor& query_a, const Tensor& query_b, const Tensor& keys, const ScoreWeights& weights,
                       Activation activation);

// Weights that give with sigmoid the same attention as `weights` give with tanh.
ScoreWeights with_sigmoid(const ScoreWeights& weights);

// The largest weight that one of `source` words can ever get with tanh, whatever the query and the keys.
double largest_possible_weight(const Tensor& v, std::int64_t source);

// The mean of f'(x) over all words and units: what the activation lets through of a gradient.
double mean_slope(const Tensor& query, const Tensor& keys, const ScoreWeights& weights, Activation activation);

// queries [batch, decoder], keys [batch, source, encoder], wanted [batch]: the position to be looked at, as an id
// -> the mean of -log(weight of the wanted position).
Tensor lookup_loss(const Tensor& queries, const Tensor& keys, const Tensor& wanted, const ScoreWeights& weights,
                   Activation activation);

struct Answer {
  decltype(&::query_influence) query_influence;
  decltype(&::with_sigmoid) with_sigmoid;
  decltype(&::largest_possible_weight) largest_possible_weight;
  decltype(&::mean_slope) mean_slope;
  decltype(&::lookup_loss) lookup_loss;
};
