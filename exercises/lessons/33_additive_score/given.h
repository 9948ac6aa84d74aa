// What is given in exercise 33: the weights of the score, and the functions to write.
#pragma once

#include <judge/learner.h>

namespace given {

// e_j = v . tanh(W s + U h_j + b)
struct ScoreWeights {
  Tensor W;  // [attention, decoder]
  Tensor U;  // [attention, encoder]
  Tensor b;  // [attention]
  Tensor v;  // [attention]
};

}  // namespace given

using given::ScoreWeights;

// e_1, e_2 and e_3 of the example in the text, to three decimals.
std::vector<double> scores_by_hand();

// What does not depend on the decoder: states [batch, source, encoder] -> keys [batch, source, attention].
Tensor project_keys(const Tensor& states, const ScoreWeights& weights);

// How well the decoder's state s [batch, decoder] fits each position: [batch, source].
Tensor additive_score(const Tensor& s, const Tensor& keys, const ScoreWeights& weights);

struct Answer {
  decltype(&::scores_by_hand) scores_by_hand;
  decltype(&::project_keys) project_keys;
  decltype(&::additive_score) additive_score;
};
