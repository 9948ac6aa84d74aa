#include "nn/lstm.h"

#include "nn/checks.h"

namespace nn {

LSTMState lstm_step(const Tensor& projected, const LSTMState& before, const RecurrentWeights& weights) {
  const Tensor recurrent = autograd::linear(before.hidden, weights.weight_hh, weights.bias_hh);
  const Tensor gates = projected + recurrent;            // [batch, 4 * hidden]
  const std::vector<Tensor> parts = gates.chunk(4, -1);  // each [batch, hidden]
  const Tensor input = autograd::sigmoid(parts[0]);
  const Tensor forget = autograd::sigmoid(parts[1]);
  const Tensor candidate = autograd::tanh(parts[2]);
  const Tensor output = autograd::sigmoid(parts[3]);
  const Tensor cell = forget * before.cell + input * candidate;
  return {.hidden = output * autograd::tanh(cell), .cell = cell};
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

}  // namespace nn
