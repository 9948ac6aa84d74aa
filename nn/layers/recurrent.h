// Recurrent: the base of RNN, GRU and LSTM (rnn.h, gru.h, lstm.h), with weights by layer and direction, the loop over
// time, and sequences of different lengths. They differ only in the step.
//
// Sizes: input and output are [time, batch, features], or [batch, time, features] with batch_first. States are
// [num_layers * directions, batch, hidden_size], in the order layer 0 forward, layer 0 reverse, layer 1 forward, ..
// The output holds the last layer's hidden state of every step, [.., directions * hidden_size], the reverse
// direction's in the second half.
//
// Lengths are treated as PyTorch's packed sequences: the output is 0 beyond a sequence's end, the final state is
// that at its last token, and the reverse direction starts at its last token. The padding has no influence, not even
// a NaN. The sequences need not be sorted.
//
// Each layer and direction is autograd::gru_layer or lstm_layer, after one product for the inputs of all steps.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "nn/layers/module.h"

namespace nn {

struct RecurrentOptions {
  Int input_size = 0;   // required
  Int hidden_size = 0;  // required
  Int num_layers = 1;
  Flag bias = true;
  Flag batch_first = false;
  double dropout = 0.0;  // on the output of each layer but the last, in training
  Flag bidirectional = false;
  DType dtype = autograd::float32;
};

struct RecurrentCellOptions {
  Int input_size = 0;   // required
  Int hidden_size = 0;  // required
  Flag bias = true;
  DType dtype = autograd::float32;
};

// The parameters of one step. Its gates stand one below the other, hidden_size rows each.
struct RecurrentWeights {
  Tensor weight_ih;  // [gates * hidden, input]
  Tensor weight_hh;  // [gates * hidden, hidden]
  Tensor bias_ih;    // [gates * hidden]; undefined without bias
  Tensor bias_hh;    // [gates * hidden]; undefined without bias
};

// The state that is passed from step to step: h, and for an LSTM c too. Each is [batch, hidden] for one step and
// [num_layers * directions, batch, hidden] for a whole network; undefined stands for zeros.
struct RecurrentState {
  Tensor hidden = Tensor();
  Tensor cell = Tensor();  // never defined for a GRU
};

// One step as a module: what GRUCell and LSTMCell have in common.
class RecurrentCell : public Module {
 public:
  const RecurrentCellOptions options;
  RecurrentWeights weights;  // registered as weight_ih, weight_hh, bias_ih, bias_hh

 protected:
  // All weights start uniform on [-k, k) with k = 1 / sqrt(hidden_size), as in PyTorch.
  // Throws bad-argument for sizes below 1.
  RecurrentCell(std::string_view type, std::int64_t gates, const RecurrentCellOptions& options, Where where);
};

// `state` checked against `shape`, or zeros if it is undefined. Throws shape-mismatch.
Tensor state_or_zeros(std::string_view asked, std::string_view argument, const Tensor& state, const Shape& shape,
                      std::string_view layout, DType dtype, Where where);

// Layers of steps over whole sequences: what GRU and LSTM have in common.
class Recurrent : public Module {
 public:
  const RecurrentOptions options;
  // One per layer and direction, in the order of the states. Their names are PyTorch's: weight_ih_l0, weight_hh_l0,
  // bias_ih_l0, bias_hh_l0, then weight_ih_l0_reverse, .., weight_ih_l1, ..
  std::vector<RecurrentWeights> weights;

 protected:
  // The weights start as those of a cell. Throws bad-argument for sizes below 1 and a dropout outside [0, 1].
  Recurrent(std::string_view type, std::int64_t gates, const RecurrentOptions& options, Where where);

  struct Result {
    Tensor output;         // [time, batch, directions * hidden], batch and time swapped with batch_first
    RecurrentState state;  // each [num_layers * directions, batch, hidden]
  };
  // All layers over all steps.
  // Throws shape-mismatch for x and the states and bad-length for the lengths.
  Result run(const Tensor& x, const RecurrentState& initial, const std::vector<std::int64_t>& lengths,
             Where where) const;

 private:
  // All steps of one layer and direction: `projected` is [time, batch, gates * hidden] -> all states, those of
  // gru_layer() and lstm_layer(), each [time + 1, batch, hidden] or, with batch_first, [batch, time + 1, hidden].
  virtual RecurrentState all_steps(const Tensor& projected, const RecurrentState& initial, const RecurrentWeights& own,
                                   const autograd::RecurrentLayerOptions& layer_options) const = 0;
  virtual bool has_cell() const = 0;

  void make_all_weights(std::int64_t gates, Where where);
  void register_all_weights();

  // How far the sequences of one call reach.
  struct Extent {
    std::int64_t time = 0;
    std::vector<std::int64_t> lengths;  // [batch]; empty if all sequences have tokens everywhere
    Tensor mask;                        // as the first two dims of x, true where there is a token; undefined likewise
  };
  Extent extent_of(const Tensor& x, const std::vector<std::int64_t>& lengths, Where where) const;
  RecurrentState initial_states(const RecurrentState& given, const Tensor& x, Where where) const;

  // The output of one layer, [.., directions * hidden], or of one direction of it, [.., hidden]. They select their
  // initial state from `start`, that of all layers and directions, and append their final one.
  Tensor run_layer(std::int64_t layer, const Tensor& x, const RecurrentState& start, const Extent& extent,
                   std::vector<RecurrentState>& final_states) const;
  Tensor run_direction(std::int64_t index, const Tensor& x, const RecurrentState& start, const Extent& extent,
                       std::vector<RecurrentState>& final_states) const;

  std::string suffix(std::int64_t index) const;
  bool is_reverse(std::int64_t index) const { return options.bidirectional && index % 2 == 1; }
  std::int64_t directions() const { return options.bidirectional ? 2 : 1; }
  std::int64_t time_dim() const { return options.batch_first ? 1 : 0; }
  std::int64_t batch_dim() const { return options.batch_first ? 0 : 1; }

  std::string type_;
};

}  // namespace nn
