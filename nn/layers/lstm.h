// LSTM and LSTMCell: long short-term memory (Hochreiter and Schmidhuber 1997, with the forget gate of Gers,
// Schmidhuber and Cummins 2000), in PyTorch's form:
//
//   i  = sigmoid(W_ii x + b_ii + W_hi h + b_hi)     the input gate
//   f  = sigmoid(W_if x + b_if + W_hf h + b_hf)     the forget gate
//   g  = tanh   (W_ig x + b_ig + W_hg h + b_hg)     the candidate
//   o  = sigmoid(W_io x + b_io + W_ho h + b_ho)     the output gate
//   c' = f * c + i * g
//   h' = o * tanh(c')
//
// weight_ih holds W_ii, W_if, W_ig, W_io one below the other, weight_hh and the biases likewise.
#pragma once

#include "nn/layers/recurrent.h"

namespace nn {

// h and c, named hidden and cell.
using LSTMState = RecurrentState;

// The formulas above, once W_ih x + b_ih is known: `projected` [batch, 4 * hidden], h and c [batch, hidden].
LSTMState lstm_step(const Tensor& projected, const LSTMState& before, const RecurrentWeights& weights);

// One step.
class LSTMCell : public RecurrentCell {
 public:
  explicit LSTMCell(const RecurrentCellOptions& options, Where where = Where::current());

  // x [batch, input_size], h and c [batch, hidden_size].    auto [h, c] = cell(x, {h_0, c_0});
  // Throws shape-mismatch.
  LSTMState operator()(const Tensor& x, const LSTMState& state = {}, Where where = Where::current()) const;
};

// Layers of steps over whole sequences; options, sizes and lengths are described in recurrent.h.
class LSTM : public Recurrent {
 public:
  explicit LSTM(const RecurrentOptions& options, Where where = Where::current());

  struct Output {
    Tensor output;  // [time, batch, directions * hidden_size], or [batch, time, ..] with batch_first
    Tensor state;   // [num_layers * directions, batch, hidden_size]
    Tensor cell;    // likewise
  };
  // auto [output, state, cell] = lstm(x);    lstm(x, {h_0, c_0})    lstm(x, {}, lengths)
  Output operator()(const Tensor& x, const LSTMState& initial_state = {}, const std::vector<std::int64_t>& lengths = {},
                    Where where = Where::current()) const;

 private:
  RecurrentState all_steps(const Tensor& projected, const RecurrentState& initial, const RecurrentWeights& own,
                           const autograd::RecurrentLayerOptions& layer_options) const override;
  bool has_cell() const override { return true; }
};

}  // namespace nn
