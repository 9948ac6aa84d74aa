// What exercises 28, 30, 32 and 38 are given: the weights of recurrent layers.
#pragma once

#include <judge/learner.h>

namespace given {

// h[t] = tanh(x[t] weight_ih^T + h[t - 1] weight_hh^T + bias)
struct RnnWeights {
  Tensor weight_ih;  // [hidden, input]
  Tensor weight_hh;  // [hidden, hidden]
  Tensor bias;       // [hidden]
};

// A GRU's, as PyTorch has them: the blocks of r, z and n stand one below the other, in this order.
struct StackedWeights {
  Tensor weight_ih;  // [3 * hidden, in]      W_ir, W_iz, W_in
  Tensor weight_hh;  // [3 * hidden, hidden]  W_hr, W_hz, W_hn
  Tensor bias_ih;    // [3 * hidden]          b_ir, b_iz, b_in
  Tensor bias_hh;    // [3 * hidden]          b_hr, b_hz, b_hn
};

}  // namespace given
