#include "nn/layers/gru.h"

#include "nn/layers/checks.h"

namespace nn {

Tensor gru_step(const Tensor& projected, const Tensor& hidden, const RecurrentWeights& weights) {
  const Tensor recurrent = autograd::linear(hidden, weights.weight_hh, weights.bias_hh);  // [batch, 3 * hidden]
  return autograd::gru_gates(projected, recurrent, hidden);
}

// ---- GRUCell -------------------------------------------------------------------------------------------------

GRUCell::GRUCell(const RecurrentCellOptions& given, Where where) : RecurrentCell("GRUCell", 3, given, where) {}

Tensor GRUCell::operator()(const Tensor& x, const Tensor& hidden, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  check_shape("GRUCell", "x", x, {-1, options.input_size}, "[batch, input_size]", where);
  const Shape shape{x.size(0), options.hidden_size};
  const Tensor before = state_or_zeros("GRUCell", "h_0", hidden, shape, "[batch, hidden_size]", x.dtype(), where);
  const Tensor projected = autograd::linear(x, weights.weight_ih, weights.bias_ih);  // [batch, 3 * hidden]
  return gru_step(projected, before, weights);
}

// ---- GRU -----------------------------------------------------------------------------------------------------

GRU::GRU(const RecurrentOptions& given, Where where) : Recurrent("GRU", 3, given, where) {}

GRU::Output GRU::operator()(const Tensor& x, const Tensor& initial_state, const std::vector<std::int64_t>& lengths,
                            Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  const Result result = run(x, {.hidden = initial_state}, lengths, where);
  return {result.output, result.state.hidden};
}

RecurrentState GRU::all_steps(const Tensor& projected, const RecurrentState& initial, const RecurrentWeights& own,
                              const autograd::RecurrentLayerOptions& layer_options) const {
  const Tensor states = autograd::gru_layer(projected, initial.hidden, own.weight_hh, own.bias_hh,
                                            layer_options);  // [time + 1, batch, ..]
  return {.hidden = options.batch_first ? states.transpose(0, 1) : states};
}

}  // namespace nn
