// What is given in this exercise: the weights of an LSTM, what a step keeps, its gradients, and the functions to write.
#pragma once

#include <judge/learner.h>

namespace given {

// As in PyTorch: the blocks of i, f, g and o are stacked in this order.
struct LstmWeights {
  Tensor weight_ih;  // [4 * hidden, in]      W_i, W_f, W_g, W_o
  Tensor weight_hh;  // [4 * hidden, hidden]  U_i, U_f, U_g, U_o
  Tensor bias_ih;    // [4 * hidden]          b_i, b_f, b_g, b_o are the sums
  Tensor bias_hh;    // [4 * hidden]          of these two
};

// What a step was given and what it computed, kept for the backward pass.
struct LstmStep {
  Tensor x;           // [batch, in]
  Tensor h, c;        // [batch, hidden], as all that follow: the state and the cell before the step
  Tensor i, f, g, o;  // the gates and the candidate g, after their sigmoid or tanh
  Tensor c_next, h_next;
};

// Gradients: dweight_ih is dL/dweight_ih, and has its shape.
struct LstmGradients {
  Tensor dx, dh, dc;
  Tensor dweight_ih, dweight_hh, dbias_ih, dbias_hh;
};

}  // namespace given

using given::LstmGradients;
using given::LstmStep;
using given::LstmWeights;

LstmStep lstm_forward(const Tensor& x, const Tensor& h, const Tensor& c, const LstmWeights& weights);

// The gradients of everything that went into the step, given dL/dh_next and what the next step sends back to c_next,
// both [batch, hidden].
LstmGradients lstm_backward(const Tensor& dh_next, const Tensor& dc_next, const LstmStep& step,
                            const LstmWeights& weights);

// The same weights, except for the forget gate's biases: with x and h at 0, half of the cell is left after `steps`.
LstmWeights with_half_life(const LstmWeights& weights, double steps);

struct Answer {
  decltype(&::lstm_forward) lstm_forward;
  decltype(&::lstm_backward) lstm_backward;
  decltype(&::with_half_life) with_half_life;
};
