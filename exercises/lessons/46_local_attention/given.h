// What is given in exercise 46: the functions to write, and the weights that predict a position.
#pragma once

#include <judge/learner.h>

namespace given {

// p = S sigmoid(v_p . tanh(W_p s))
struct PositionWeights {
  Tensor W_p;  // [attention, decoder]
  Tensor v_p;  // [attention]
};

}  // namespace given

using given::PositionWeights;

// Where to look in each sentence: query [batch, decoder], lengths [batch] in words -> p [batch].
Tensor predict_position(const Tensor& query, const PositionWeights& weights, const Tensor& lengths);

// scores [batch, source], position [batch], mask [batch, source] (true where there is a word), window D
// -> weights [batch, source].
Tensor local_weights(const Tensor& scores, const Tensor& position, const Tensor& mask, double window);

// d_weights [batch, source], and what local_weights was given and returned -> d_position [batch].
Tensor position_backward(const Tensor& d_weights, const Tensor& weights, const Tensor& position, double window);

struct Answer {
  decltype(&::predict_position) predict_position;
  decltype(&::local_weights) local_weights;
  decltype(&::position_backward) position_backward;
};
