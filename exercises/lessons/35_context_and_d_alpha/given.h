// What is given in exercise 35: what attention knows about the source, and the functions to write.
#pragma once

#include <judge/learner.h>

namespace given {

// Each position has a state and a key. The scores come from the keys (exercise 33).
struct Source {
  Tensor states;  // [batch, source, encoder]    h_j
  Tensor keys;    // [batch, source, attention]  U h_j + b; not needed here
};

struct ContextGradients {
  Tensor d_alpha;   // [batch, source]
  Tensor d_states;  // [batch, source, encoder]: what the states get as values, alpha held fixed
};

// The example in the text, to three decimals.
struct ByHand {
  std::vector<double> c;        // 2 numbers
  std::vector<double> d_alpha;  // 3
  std::vector<double> d_h3;     // 2
};

}  // namespace given

using given::ByHand;
using given::ContextGradients;
using given::Source;

ByHand context_by_hand();

// alpha [batch, source] -> the context c [batch, encoder].
Tensor context_vector(const Tensor& alpha, const Source& source);

// Given dc = dL/dc [batch, encoder].
ContextGradients context_backward(const Tensor& dc, const Tensor& alpha, const Source& source);

struct Answer {
  decltype(&::context_by_hand) context_by_hand;
  decltype(&::context_vector) context_vector;
  decltype(&::context_backward) context_backward;
};
