// What is given in exercise 29: the forward pass of a GRU step, what it keeps, and the function to write.
#pragma once

#include <judge/learner.h>

namespace given {

// PyTorch's form, with a matrix for each gate: W for the input, U for the state.
struct GruWeights {
  Tensor W_r, W_z, W_n;        // [hidden, in]
  Tensor U_r, U_z, U_n;        // [hidden, hidden]
  Tensor b_r, b_z, b_n, b_hn;  // [hidden]; b_hn is the one that r multiplies
};

// What a step was given and what it computed, kept for the backward pass.
struct GruStep {
  Tensor x;          // [batch, in]
  Tensor h;          // [batch, hidden], as all that follow
  Tensor r, z, n;    // the gates and the candidate, after their sigmoid or tanh
  Tensor recurrent;  // U_n h + b_hn: what r multiplies
  Tensor h_next;
};

// Gradients: dW_r is dL/dW_r, and has its shape.
struct GruGradients {
  Tensor dx, dh;
  Tensor dW_r, dW_z, dW_n;
  Tensor dU_r, dU_z, dU_n;
  Tensor db_r, db_z, db_n, db_hn;
};

inline GruStep gru_forward(const Tensor& x, const Tensor& h, const GruWeights& weights) {
  GruStep step;
  step.x = x;
  step.h = h;
  step.r = sigmoid(linear(x, weights.W_r, weights.b_r) + linear(h, weights.U_r));
  step.z = sigmoid(linear(x, weights.W_z, weights.b_z) + linear(h, weights.U_z));
  step.recurrent = linear(h, weights.U_n, weights.b_hn);
  step.n = tanh(linear(x, weights.W_n, weights.b_n) + step.r * step.recurrent);
  step.h_next = (1.0 - step.z) * step.n + step.z * h;
  return step;
}

}  // namespace given

using given::GruGradients;
using given::GruStep;
using given::GruWeights;

// The gradients of everything that went into the step, given dh_next = dL/dh_next [batch, hidden].
GruGradients gru_backward(const Tensor& dh_next, const GruStep& step, const GruWeights& weights);

struct Answer {
  decltype(&::gru_backward) gru_backward;
};
