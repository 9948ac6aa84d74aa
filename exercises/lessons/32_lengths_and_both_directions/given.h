// What is given in exercise 32: one step of a recurrent network, and the functions to write.
#pragma once

#include <judge/given/recurrent.h>

namespace given {

// x [batch, input], h [batch, hidden] -> the next h [batch, hidden]
inline Tensor rnn_step(const Tensor& x, const Tensor& h, const RnnWeights& weights) {
  return tanh(linear(x, weights.weight_ih, weights.bias) + linear(h, weights.weight_hh));
}

struct Encoded {
  Tensor states;  // [batch, time, hidden], 0 at the padding
  Tensor last;    // [batch, hidden], the state after the last token that was read
};

using Lengths = std::vector<std::int64_t>;  // of each sentence, at least 1

}  // namespace given

using given::Encoded;
using given::Lengths;
using given::rnn_step;
using given::RnnWeights;

// From left to right, from a state of zeros: x [batch, time, input]. Padding does not change the state.
Encoded run_masked(const Tensor& x, const Lengths& lengths, const RnnWeights& weights);

// The tokens of each sentence in reverse order; the padding stays where it is: x [batch, time, features] -> the same.
Tensor reverse_tokens(const Tensor& x, const Lengths& lengths);

// Both directions side by side, [batch, time, 2 hidden] and [batch, 2 hidden]: in the first half what was read from
// left to right, in the second what was read from right to left. states[n, t] belongs to token t in both.
Encoded run_both(const Tensor& x, const Lengths& lengths, const RnnWeights& forward, const RnnWeights& backward);

struct Answer {
  decltype(&::run_masked) run_masked;
  decltype(&::reverse_tokens) reverse_tokens;
  decltype(&::run_both) run_both;
};
