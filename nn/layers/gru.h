// GRU and GRUCell: the gated recurrent unit (Cho et al. 2014, eq. 5 to 8), in PyTorch's form:
//
//   r  = sigmoid(W_ir x + b_ir + W_hr h + b_hr)             the reset gate
//   z  = sigmoid(W_iz x + b_iz + W_hz h + b_hz)             the update gate
//   n  = tanh   (W_in x + b_in + r * (W_hn h + b_hn))       the candidate
//   h' = (1 - z) * n + z * h
//
// weight_ih holds W_ir, W_iz, W_in one below the other, weight_hh and the biases likewise. One difference
// to the paper, PyTorch's: there r multiplies h before the matrix, not after it. (In Bahdanau et al. 2015 z has the
// opposite sense as well.)
#pragma once

#include "nn/layers/recurrent.h"

namespace nn {

// The formulas above, once W_ih x + b_ih is known: `projected` [batch, 3 * hidden], `hidden` [batch, hidden]
// -> h' [batch, hidden].
Tensor gru_step(const Tensor& projected, const Tensor& hidden, const RecurrentWeights& weights);

// One step.
class GRUCell : public RecurrentCell {
 public:
  explicit GRUCell(const RecurrentCellOptions& options, Where where = Where::current());

  // x [batch, input_size], hidden [batch, hidden_size] or undefined for zeros -> h' [batch, hidden_size].
  // Throws shape-mismatch.
  Tensor operator()(const Tensor& x, const Tensor& hidden = Tensor(), Where where = Where::current()) const;
};

// Layers of steps over whole sequences; options, sizes and lengths are described in recurrent.h.
class GRU : public Recurrent {
 public:
  explicit GRU(const RecurrentOptions& options, Where where = Where::current());

  struct Output {
    Tensor output;  // [time, batch, directions * hidden_size], or [batch, time, ..] with batch_first
    Tensor state;   // [num_layers * directions, batch, hidden_size]
  };
  // auto [output, state] = gru(x);    gru(x, h_0)    gru(x, {}, lengths)
  Output operator()(const Tensor& x, const Tensor& initial_state = Tensor(),
                    const std::vector<std::int64_t>& lengths = {}, Where where = Where::current()) const;

 private:
  RecurrentState all_steps(const Tensor& projected, const RecurrentState& initial, const RecurrentWeights& own,
                           const autograd::RecurrentLayerOptions& layer_options) const override;
  bool has_cell() const override { return false; }
};

}  // namespace nn
