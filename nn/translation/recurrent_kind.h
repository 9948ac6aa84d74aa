// GRU or LSTM, whichever an option names: a network of either kind behind one pointer, for models that are built with
// both.
#pragma once

#include <memory>
#include <vector>

#include "nn/layers/recurrent.h"

namespace nn {

enum class RecurrentKind { gru, lstm };

// Throws as GRU and LSTM do (recurrent.h).
std::unique_ptr<Recurrent> make_recurrent(RecurrentKind kind, const RecurrentOptions& options,
                                          Where where = Where::current());

struct RecurrentOutput {
  Tensor output;         // [batch, time, directions * hidden_size], if the network is batch_first
  RecurrentState state;  // each [num_layers * directions, batch, hidden_size]
};

// All steps: the network's own call. A GRU leaves `cell` undefined.
RecurrentOutput run_recurrent(const Recurrent& network, const Tensor& x, const RecurrentState& initial = {},
                              const std::vector<std::int64_t>& lengths = {}, Where where = Where::current());

// One step of a network with one layer and one direction: x [batch, input_size], state [batch, hidden_size] each
// -> the state after it. For decoders, whose next input is not known before.
// Throws shape-mismatch, and bad-argument for a network of more layers or directions.
RecurrentState step_recurrent(const Recurrent& network, const Tensor& x, const RecurrentState& before,
                              Where where = Where::current());

}  // namespace nn
