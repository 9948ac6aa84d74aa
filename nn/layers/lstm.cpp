#include "nn/layers/lstm.h"

#include "nn/layers/checks.h"

namespace nn {

LSTMState lstm_step(const Tensor& projected, const LSTMState& before, const RecurrentWeights& weights) {
  const Tensor recurrent = autograd::linear(before.hidden, weights.weight_hh, weights.bias_hh);  // [batch, 4 * hidden]
  const Tensor both = autograd::lstm_gates(projected, recurrent, before.cell);                   // [2, batch, hidden]
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

RecurrentState LSTM::all_steps(const Tensor& projected, const RecurrentState& initial, const RecurrentWeights& own,
                               const autograd::RecurrentLayerOptions& layer_options) const {
  const Tensor both = autograd::lstm_layer(projected, initial.hidden, initial.cell, own.weight_hh, own.bias_hh,
                                           layer_options);  // [2, time + 1, batch, hidden]
  const Tensor states = options.batch_first ? both.transpose(1, 2) : both;
  return {.hidden = states.select(0, 0), .cell = states.select(0, 1)};
}

}  // namespace nn
