#include "nn/gru.h"

#include <autograd/tape/observer.h>

#include "nn/checks.h"

namespace nn {
namespace {

Tensor gru_by_ops(const Tensor& projected, const Tensor& recurrent, const Tensor& hidden) {
  const std::vector<Tensor> from_input = projected.chunk(3, -1);  // each [batch, hidden]
  const std::vector<Tensor> from_hidden = recurrent.chunk(3, -1);
  const Tensor reset = autograd::sigmoid(from_input[0] + from_hidden[0]);
  const Tensor update = autograd::sigmoid(from_input[1] + from_hidden[1]);
  const Tensor candidate = autograd::tanh(from_input[2] + reset * from_hidden[2]);
  return (1.0 - update) * candidate + update * hidden;
}

}  // namespace

// The gates are one op, or, where an instrument looks on, a dozen: the numbers are the same to the bit.
Tensor gru_step(const Tensor& projected, const Tensor& hidden, const RecurrentWeights& weights) {
  const Tensor recurrent = autograd::linear(hidden, weights.weight_hh, weights.bias_hh);  // [batch, 3 * hidden]
  const bool is_watched = autograd::observer() != nullptr;
  return is_watched ? gru_by_ops(projected, recurrent, hidden) : autograd::gru_gates(projected, recurrent, hidden);
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

RecurrentState GRU::step(const Tensor& projected, const RecurrentState& before, const RecurrentWeights& own) const {
  return {.hidden = gru_step(projected, before.hidden, own)};
}

RecurrentState GRU::all_steps(const Tensor& projected, const RecurrentState& initial, const RecurrentWeights& own,
                              const autograd::RecurrentLayerOptions& layer_options) const {
  const Tensor states = autograd::gru_layer(projected, initial.hidden, own.weight_hh, own.bias_hh,
                                            layer_options);  // [time + 1, batch, ..]
  return {.hidden = options.batch_first ? states.transpose(0, 1) : states};
}

}  // namespace nn
