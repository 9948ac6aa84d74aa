#include "nn/layers/recurrent.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "nn/layers/checks.h"
#include "nn/layers/init.h"
#include "nn/layers/padding.h"

namespace nn {

// ---- weights -------------------------------------------------------------------------------------------------

namespace {

RecurrentWeights make_weights(std::int64_t gates, const RecurrentCellOptions& options, Where where) {
  const double bound = 1.0 / std::sqrt(static_cast<double>(options.hidden_size));
  const std::int64_t rows = gates * options.hidden_size;
  RecurrentWeights weights;
  weights.weight_ih = autograd::empty({rows, options.input_size}, options.dtype, where);
  weights.weight_hh = autograd::empty({rows, options.hidden_size}, options.dtype, where);
  init::uniform_(weights.weight_ih, -bound, bound);
  init::uniform_(weights.weight_hh, -bound, bound);
  if (!options.bias) return weights;
  weights.bias_ih = autograd::empty({rows}, options.dtype, where);
  weights.bias_hh = autograd::empty({rows}, options.dtype, where);
  init::uniform_(weights.bias_ih, -bound, bound);
  init::uniform_(weights.bias_hh, -bound, bound);
  return weights;
}

}  // namespace

RecurrentCell::RecurrentCell(std::string_view type, std::int64_t gates, const RecurrentCellOptions& given, Where where)
    : options(given) {
  check_size(type, "input_size", options.input_size, where);
  check_size(type, "hidden_size", options.hidden_size, where);
  check_parameter_dtype(type, options.dtype, where);
  weights = make_weights(gates, options, where);
  register_parameter("weight_ih", weights.weight_ih);
  register_parameter("weight_hh", weights.weight_hh);
  register_parameter("bias_ih", weights.bias_ih);
  register_parameter("bias_hh", weights.bias_hh);
}

Recurrent::Recurrent(std::string_view type, std::int64_t gates, const RecurrentOptions& given, Where where)
    : options(given), type_(type) {
  check_size(type_, "input_size", options.input_size, where);
  check_size(type_, "hidden_size", options.hidden_size, where);
  check_layers(type_, "num_layers", options.num_layers, where);
  check_range(type_, "dropout", options.dropout, 0.0, 1.0, where);
  check_parameter_dtype(type_, options.dtype, where);
  make_all_weights(gates, where);
  register_all_weights();
}

void Recurrent::make_all_weights(std::int64_t gates, Where where) {
  const std::int64_t count = options.num_layers * directions();
  for (std::int64_t index = 0; index < count; ++index) {
    const bool is_first_layer = index < directions();
    const Int input_size = is_first_layer ? options.input_size : Int(directions() * options.hidden_size);
    const RecurrentCellOptions sizes{input_size, options.hidden_size, options.bias, options.dtype};
    weights.push_back(make_weights(gates, sizes, where));
  }
}

// To be called when the list is complete, because registration keeps the members' addresses.
void Recurrent::register_all_weights() {
  std::int64_t index = 0;
  for (RecurrentWeights& own : weights) {
    register_parameter("weight_ih_" + suffix(index), own.weight_ih);
    register_parameter("weight_hh_" + suffix(index), own.weight_hh);
    register_parameter("bias_ih_" + suffix(index), own.bias_ih);
    register_parameter("bias_hh_" + suffix(index), own.bias_hh);
    ++index;
  }
}

// "l0", "l0_reverse", "l1", ..
std::string Recurrent::suffix(std::int64_t index) const {
  return fmt::format("l{}{}", index / directions(), is_reverse(index) ? "_reverse" : "");
}

// ---- arguments -----------------------------------------------------------------------------------------------

Recurrent::Extent Recurrent::extent_of(const Tensor& x, const std::vector<std::int64_t>& lengths, Where where) const {
  const std::int64_t batch = x.size(batch_dim());
  Extent extent;
  extent.time = x.size(time_dim());
  if (extent.time < 1) {
    autograd::fail(ErrorId::bad_length, type_, where, fmt::format("x is {}, without a single step", x.shape()),
                   "the time dim has size 1 or more");
  }
  if (lengths.empty()) return extent;
  autograd::check_lengths(type_, lengths, batch, extent.time, where);
  if (*std::min_element(lengths.begin(), lengths.end()) == extent.time) return extent;
  extent.lengths = lengths;
  const Tensor mask = autograd::length_mask(lengths, extent.time);
  extent.mask = options.batch_first ? mask : mask.t();
  return extent;
}

Tensor state_or_zeros(std::string_view asked, std::string_view argument, const Tensor& state, const Shape& shape,
                      std::string_view layout, DType dtype, Where where) {
  if (!state.defined()) return autograd::zeros(shape, dtype);
  check_shape(asked, argument, state, shape, layout, where);
  return state;
}

RecurrentState Recurrent::initial_states(const RecurrentState& given, const Tensor& x, Where where) const {
  const Shape shape{options.num_layers * directions(), x.size(batch_dim()), options.hidden_size};
  const std::string_view layout = "[num_layers * directions, batch, hidden_size]";
  RecurrentState initial;
  initial.hidden = state_or_zeros(type_, "h_0", given.hidden, shape, layout, x.dtype(), where);
  if (has_cell()) initial.cell = state_or_zeros(type_, "c_0", given.cell, shape, layout, x.dtype(), where);
  return initial;
}

// ---- layers and directions -----------------------------------------------------------------------------------------------

namespace {

// One of several states, of all layers and directions or of all steps.
RecurrentState select_state(const RecurrentState& all, std::int64_t dim, std::int64_t index) {
  RecurrentState one;
  one.hidden = all.hidden.select(dim, index);
  if (all.cell.defined()) one.cell = all.cell.select(dim, index);
  return one;
}

// One per layer and direction -> each [num_layers * directions, batch, hidden].
RecurrentState stack_states(const std::vector<RecurrentState>& states) {
  std::vector<Tensor> hidden;
  std::vector<Tensor> cells;
  for (const RecurrentState& state : states) {
    hidden.push_back(state.hidden);
    if (state.cell.defined()) cells.push_back(state.cell);
  }
  RecurrentState all;
  all.hidden = autograd::stack(hidden);
  if (!cells.empty()) all.cell = autograd::stack(cells);
  return all;
}

}  // namespace

Recurrent::Result Recurrent::run(const Tensor& x, const RecurrentState& initial,
                                 const std::vector<std::int64_t>& lengths, Where where) const {
  check_shape(type_, "x", x, {-1, -1, options.input_size},
              options.batch_first ? "[batch, time, input_size]" : "[time, batch, input_size]", where);
  const Extent extent = extent_of(x, lengths, where);
  const RecurrentState start = initial_states(initial, x, where);
  std::vector<RecurrentState> final_states;
  Tensor features = without_padding(x, extent.mask);
  for (std::int64_t layer = 0; layer < options.num_layers; ++layer) {
    if (layer > 0) features = autograd::dropout(features, options.dropout, training());
    features = run_layer(layer, features, start, extent, final_states);
  }
  return {features, stack_states(final_states)};
}

Tensor Recurrent::run_layer(std::int64_t layer, const Tensor& x, const RecurrentState& start, const Extent& extent,
                            std::vector<RecurrentState>& final_states) const {
  if (!options.bidirectional) return run_direction(layer, x, start, extent, final_states);
  const Tensor forward = run_direction(2 * layer, x, start, extent, final_states);
  const Tensor reverse = run_direction(2 * layer + 1, x, start, extent, final_states);
  return autograd::cat({forward, reverse}, -1);
}

Tensor Recurrent::run_direction(std::int64_t index, const Tensor& x, const RecurrentState& start, const Extent& extent,
                                std::vector<RecurrentState>& final_states) const {
  const autograd::ScopeGuard scope(suffix(index), Where::current());
  const RecurrentWeights& own = weights[static_cast<std::size_t>(index)];
  const Tensor projected = autograd::linear(x, own.weight_ih, own.bias_ih);  // the inputs of all steps at once
  const RecurrentState initial = select_state(start, 0, index);
  const Tensor time_first = options.batch_first ? projected.transpose(0, 1) : projected;
  const bool reverse = is_reverse(index);
  const RecurrentState all = all_steps(time_first, initial, own, {.lengths = extent.lengths, .reverse = reverse});
  const std::int64_t first_output = reverse ? 0 : 1;
  const std::int64_t final_position = reverse ? 0 : extent.time;
  final_states.push_back(select_state(all, time_dim(), final_position));
  return without_padding(all.hidden.narrow(time_dim(), first_output, extent.time), extent.mask);
}

}  // namespace nn
