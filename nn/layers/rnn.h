// RNN: the plain recurrent network (Elman 1990), in PyTorch's form:
//
//   h' = tanh(W_ih x + b_ih + W_hh h + b_hh)
#pragma once

#include "nn/layers/recurrent.h"

namespace nn {

// Layers of steps over whole sequences; options, sizes and lengths are described in recurrent.h.
class RNN : public Recurrent {
 public:
  explicit RNN(const RecurrentOptions& options, Where where = Where::current());

  struct Output {
    Tensor output;  // [time, batch, directions * hidden_size], or [batch, time, ..] with batch_first
    Tensor state;   // [num_layers * directions, batch, hidden_size]
  };
  // auto [output, state] = rnn(x);    rnn(x, h_0)    rnn(x, {}, lengths)
  Output operator()(const Tensor& x, const Tensor& initial_state = Tensor(),
                    const std::vector<std::int64_t>& lengths = {}, Where where = Where::current()) const;

 private:
  RecurrentState all_steps(const Tensor& projected, const RecurrentState& initial, const RecurrentWeights& own,
                           const autograd::RecurrentLayerOptions& layer_options) const override;
  bool has_cell() const override { return false; }
};

}  // namespace nn
