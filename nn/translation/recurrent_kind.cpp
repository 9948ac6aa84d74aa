#include "nn/translation/recurrent_kind.h"

#include <fmt/core.h>

#include "nn/layers/checks.h"
#include "nn/layers/gru.h"
#include "nn/layers/lstm.h"

namespace nn {

std::unique_ptr<Recurrent> make_recurrent(RecurrentKind kind, const RecurrentOptions& options, Where where) {
  if (kind == RecurrentKind::lstm) return std::make_unique<LSTM>(options, where);
  return std::make_unique<GRU>(options, where);
}

RecurrentOutput run_recurrent(const Recurrent& network, const Tensor& x, const RecurrentState& initial,
                              const std::vector<std::int64_t>& lengths, Where where) {
  if (const auto* lstm = dynamic_cast<const LSTM*>(&network)) {
    const LSTM::Output result = (*lstm)(x, initial, lengths, where);
    return {result.output, {.hidden = result.state, .cell = result.cell}};
  }
  const GRU::Output result = dynamic_cast<const GRU&>(network)(x, initial.hidden, lengths, where);
  return {result.output, {.hidden = result.state}};
}

RecurrentState step_recurrent(const Recurrent& network, const Tensor& x, const RecurrentState& before, Where where) {
  const autograd::ScopeGuard scope(network.name(), where);
  const RecurrentOptions& options = network.options;
  if (network.weights.size() != 1) {
    autograd::fail(ErrorId::bad_argument, "step_recurrent", where,
                   fmt::format("the network has {} layers and directions", network.weights.size()),
                   "only one layer in one direction can go step by step");
  }
  check_shape("step_recurrent", "x", x, {-1, options.input_size}, "[batch, input_size]", where);
  const Shape shape{x.size(0), options.hidden_size};
  check_shape("step_recurrent", "the hidden state", before.hidden, shape, "[batch, hidden_size]", where);
  const RecurrentWeights& own = network.weights.front();
  const Tensor projected = autograd::linear(x, own.weight_ih, own.bias_ih);  // [batch, gates * hidden_size]
  const bool is_lstm = dynamic_cast<const LSTM*>(&network) != nullptr;
  if (!is_lstm) return {.hidden = gru_step(projected, before.hidden, own)};
  check_shape("step_recurrent", "the cell state", before.cell, shape, "[batch, hidden_size]", where);
  return lstm_step(projected, before, own);
}

}  // namespace nn
