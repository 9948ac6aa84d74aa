#include "nn/lstm.h"

#include <autograd/tape/observer.h>

#include "nn/checks.h"

namespace nn {

namespace {

LSTMState lstm_by_ops(const Tensor& projected, const Tensor& recurrent, const Tensor& cell_before) {
  const Tensor gates = projected + recurrent;            // [batch, 4 * hidden]
  const std::vector<Tensor> parts = gates.chunk(4, -1);  // each [batch, hidden]
  const Tensor input = autograd::sigmoid(parts[0]);
  const Tensor forget = autograd::sigmoid(parts[1]);
  const Tensor candidate = autograd::tanh(parts[2]);
  const Tensor output = autograd::sigmoid(parts[3]);
  const Tensor cell = forget * cell_before + input * candidate;
  return {.hidden = output * autograd::tanh(cell), .cell = cell};
}

}  // namespace

// The gates are one op, or, where an instrument looks on, a dozen: the numbers are the same to the bit.
LSTMState lstm_step(const Tensor& projected, const LSTMState& before, const RecurrentWeights& weights) {
  const Tensor recurrent = autograd::linear(before.hidden, weights.weight_hh, weights.bias_hh);  // [batch, 4 * hidden]
  const bool is_watched = autograd::observer() != nullptr;
  if (is_watched) return lstm_by_ops(projected, recurrent, before.cell);
  const Tensor both = autograd::lstm_gates(projected, recurrent, before.cell);  // [2, batch, hidden]
  return {.hidden = both.select(0, 0), .cell = both.select(0, 1)};
}

// ---- LSTMCell ------------------------------------------------------------------------------------------------

LSTMCell::LSTMCell(const RecurrentCellOptions& given, Where where) : RecurrentCell("LSTMCell", 4, given, where) {}

LSTMState LSTMCell::operator()(const Tensor& x, const LSTMState& state, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  check_shape("LSTMCell", "x", x, {-1, options.input_size}, "[batch, input_size]", where);
  const Shape shape{x.size(0), options.hidden_size};
  const std::string_view layout = "[batch, hidden_size]";
  LSTMState before;
  before.hidden = state_or_zeros("LSTMCell", "h_0", state.hidden, shape, layout, x.dtype(), where);
  before.cell = state_or_zeros("LSTMCell", "c_0", state.cell, shape, layout, x.dtype(), where);
  const Tensor projected = autograd::linear(x, weights.weight_ih, weights.bias_ih);  // [batch, 4 * hidden]
  return lstm_step(projected, before, weights);
}

// ---- LSTM ----------------------------------------------------------------------------------------------------

LSTM::LSTM(const RecurrentOptions& given, Where where) : Recurrent("LSTM", 4, given, where) {}

LSTM::Output LSTM::operator()(const Tensor& x, const LSTMState& initial_state, const std::vector<std::int64_t>& lengths,
                              Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  const Result result = run(x, initial_state, lengths, where);
  return {result.output, result.state.hidden, result.state.cell};
}

RecurrentState LSTM::step(const Tensor& projected, const RecurrentState& before, const RecurrentWeights& own) const {
  return lstm_step(projected, before, own);
}

RecurrentState LSTM::all_steps(const Tensor& projected, const RecurrentState& initial, const RecurrentWeights& own,
                               const autograd::RecurrentLayerOptions& layer_options) const {
  const Tensor both = autograd::lstm_layer(projected, initial.hidden, initial.cell, own.weight_hh, own.bias_hh,
                                           layer_options);  // [2, time + 1, batch, hidden]
  const Tensor states = options.batch_first ? both.transpose(1, 2) : both;
  return {.hidden = states.select(0, 0), .cell = states.select(0, 1)};
}

}  // namespace nn
