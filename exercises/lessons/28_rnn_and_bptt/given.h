// What is given in exercise 28: the weights, what to return, and the functions to write.
#pragma once

#include <judge/given/recurrent.h>

namespace given {

// The gradients of the loss with respect to what went in.
struct RnnGradients {
  Tensor dx;           // [time, batch, input]
  Tensor dh0;          // [batch, hidden]
  Tensor d_weight_ih;  // [hidden, input]
  Tensor d_weight_hh;  // [hidden, hidden]
  Tensor d_bias;       // [hidden]
};

}  // namespace given

using given::RnnGradients;
using given::RnnWeights;

// h[t] = tanh(x[t] weight_ih^T + h[t - 1] weight_hh^T + bias), with h0 before the first step:
// x [time, batch, input], h0 [batch, hidden] -> all states [time, batch, hidden].
Tensor rnn_forward(const Tensor& x, const Tensor& h0, const RnnWeights& weights);

// d_states [time, batch, hidden]: what arrives at each state from outside, not through later steps. states: what
// rnn_forward returned.
RnnGradients rnn_backward(const Tensor& d_states, const Tensor& x, const Tensor& h0, const Tensor& states,
                          const RnnWeights& weights);

struct Answer {
  decltype(&::rnn_forward) rnn_forward;
  decltype(&::rnn_backward) rnn_backward;
};
