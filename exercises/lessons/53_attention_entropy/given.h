// What is given in exercise 53: the functions to write.
#pragma once

#include <judge/learner.h>

// How undecided each row is, in nats: weights [.., source] -> [..].
Tensor entropy(const Tensor& weights);

// The gradient of the scores: d_entropy [batch], weights = softmax(scores) [batch, source] -> [batch, source].
Tensor entropy_backward(const Tensor& d_entropy, const Tensor& weights);

// dH/d(beta) of the weights softmax(beta * scores): scores [batch, source] -> [batch].
Tensor entropy_slope(const Tensor& scores, double beta);

// The share of a sentence's words that get `at_least` or more over all its steps: weights [batch, target, source],
// real_steps [batch, target], words [batch, source], both true where there is a word -> [batch].
Tensor covered_share(const Tensor& weights, const Tensor& real_steps, const Tensor& words, double at_least);

// The mean entropy of the wrong answers minus that of the right ones: entropies [n], right [n], boolean.
double entropy_gap(const Tensor& entropies, const Tensor& right);

struct Answer {
  decltype(&::entropy) entropy;
  decltype(&::entropy_backward) entropy_backward;
  decltype(&::entropy_slope) entropy_slope;
  decltype(&::covered_share) covered_share;
  decltype(&::entropy_gap) entropy_gap;
};
