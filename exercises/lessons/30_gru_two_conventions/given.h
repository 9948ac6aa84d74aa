// What is given in exercise 30: the weights of a GRU in two forms, and the functions to write.
#pragma once

#include <judge/given/recurrent.h>

namespace given {

// The paper's weights: a matrix W for the input, a matrix U for the state and a bias, for each of z, r and n.
struct PaperWeights {
  Tensor W_z, W_r, W_n;  // [hidden, in]
  Tensor U_z, U_r, U_n;  // [hidden, hidden]
  Tensor b_z, b_r, b_n;  // [hidden]
};

}  // namespace given

using given::PaperWeights;
using given::StackedWeights;

// One step of a GRU: x [batch, in] and the state h [batch, hidden] -> the next state [batch, hidden].
Tensor gru_pytorch(const Tensor& x, const Tensor& h, const StackedWeights& weights);
Tensor gru_paper(const Tensor& x, const Tensor& h, const PaperWeights& weights);

// The weights with which PyTorch's form does what the paper's form does, wherever it can.
StackedWeights to_pytorch(const PaperWeights& paper);

struct Answer {
  decltype(&::gru_pytorch) gru_pytorch;
  decltype(&::gru_paper) gru_paper;
  decltype(&::to_pytorch) to_pytorch;
};
