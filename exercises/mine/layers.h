// The layers of the translators: those that dates.cpp builds from small ops (ops.h), and those that sentences.cpp has
// in one piece, differentiated by hand.
#pragma once

#include "mine/parts.h"

namespace mine::layers {

// weight_ih [3 state, in], weight_hh [3 state, state], bias_ih and bias_hh [3 state], in PyTorch's form.
Tensor gru_step_by_ops(const Tensor& x, const Tensor& h, const Tensors& weights);
Tensor gru_step(const Tensor& x, const Tensor& h, const Tensors& weights);

// h[t] = tanh(x[t] weight_ih^T + h[t - 1] weight_hh^T + bias), from a state of zeros: x [batch, time, in] -> all states
// [batch, time, state].
Tensor rnn_by_ops(const Tensor& x, const Tensors& weights);
Tensor rnn(const Tensor& x, const Tensors& weights);
// The tokens of each sentence in reverse order, padding where it is.
Tensor reverse_tokens(const Tensor& x, const Lengths& lengths);

struct Attended {
  Tensor context;  // [batch, encoder]
  Tensor weights;  // [batch, source]
};
// e_j = v . tanh(W query + U h_j), H [batch, source, encoder]; weights: W, U, v.
Attended attend_by_ops(const Tensor& query, const Tensor& H, const Tensor& mask, const Tensors& weights);
// e_j = v . tanh(W query + key_j): what each step of a decoder asks of what was read once; weights: W, v.
Attended attend(const Tensor& query, const Tensor& keys, const Tensor& values, const Tensor& mask,
                const Tensors& weights);

}  // namespace mine::layers
