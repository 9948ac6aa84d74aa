// The layers of the translator, twice: made of small ops (ops.h), and in one piece, differentiated by hand.
#pragma once

#include "mine/parts.h"

namespace mine::layers {

// The states that a network from a state of zeros has after each word, [batch, time, state]: x [batch, time, in]. The
// one of small ops is at 0 where mask is 0, [batch, time].
Tensor rnn_by_ops(const Tensor& x, const Tensor& mask, const RnnWeights& weights);
Tensor rnn(const Tensor& x, const RnnWeights& weights);

// x [batch, in], h [batch, state]
Tensor gru_step_by_ops(const Tensor& x, const Tensor& h, const StackedWeights& weights);
Tensor gru_step(const Tensor& x, const Tensor& h, const StackedWeights& weights);

struct Attended {
  Tensor context;  // [batch, encoder]
  Tensor weights;  // [batch, source]
};
// query [batch, state], H [batch, source, encoder], mask [batch, source]
Attended attend_by_ops(const Tensor& query, const Tensor& H, const Tensor& mask, const AttentionWeights& weights);
// The context. keys [batch, source, attention]: what each step of a decoder asks of what was read once.
Tensor attend(const Tensor& query, const Tensor& keys, const Tensor& values, const Tensor& mask, const Tensor& W,
              const Tensor& v);

// One step with its readout. The inputs are in the order of step_input.
Step decoder_step(const Tensors& inputs);
// The next state, of attention and a GRU without biases. weights: W, v, weight_ih, weight_hh
Tensor memory_step(const Tensor& word, const Tensor& state, const Tensor& keys, const Tensor& values,
                   const Tensor& mask, const Tensors& weights);
// All steps of it -> the states after each, [batch, steps, state]. The inputs are in the order of decode_input.
Tensor decode(const Tensors& inputs);

}  // namespace mine::layers
