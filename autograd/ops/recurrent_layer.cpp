// Recurrent layers over whole sequences, as composites: a loop that calls gru_gates() or lstm_gates() at every step.
#include <algorithm>

#include "autograd/ops/op.h"

namespace autograd {
namespace {

// `gates` is 3 for a GRU and 4 for an LSTM; `state` is {h}, or {h, c}.
void check_layer(const char* op, std::int64_t gates, const Tensor& from_input,
                 std::initializer_list<const Tensor*> state, const Tensor& weight_hh, const Tensor& bias_hh,
                 Where where) {
  check_floating(op, from_input, where);
  for (const Tensor* part : state) check_same_dtype(op, from_input, *part, where);
  check_same_dtype(op, from_input, weight_hh, where);
  if (bias_hh.defined()) check_same_dtype(op, from_input, bias_hh, where);
  const std::int64_t hidden = weight_hh.dim() == 2 ? weight_hh.shape()[1] : -1;
  if (hidden < 0 || weight_hh.shape()[0] != gates * hidden) {
    fail(ErrorId::shape_mismatch, op, where,
         fmt::format("weight_hh is {}, not [{} * hidden, hidden]", weight_hh.shape(), gates),
         "give the weights of all gates, one gate below the other");
  }
  if (bias_hh.defined() && !(bias_hh.shape() == Shape{gates * hidden})) {
    fail_shapes(op, weight_hh.shape(), bias_hh.shape(), where, "weight_hh and bias_hh do not have the same rows",
                fmt::format("give a bias of [{} * hidden]", gates));
  }
  if (from_input.dim() != 3 || from_input.shape()[0] < 1 || from_input.shape()[2] != gates * hidden) {
    fail_shapes(op, from_input.shape(), weight_hh.shape(), where,
                "the inputs' product does not have one step or more, with as many numbers as weight_hh has rows",
                fmt::format("give [time, batch, {} * hidden]", gates));
  }
  const std::int64_t batch = from_input.shape()[1];
  for (const Tensor* part : state) {
    if (part->shape() == Shape{batch, hidden}) continue;
    fail_shapes(op, from_input.shape(), part->shape(), where, "the initial state is not [batch, hidden]",
                fmt::format("give {}", Shape{batch, hidden}));
  }
}

void check_lengths(const char* op, const std::vector<std::int64_t>& lengths, const Tensor& from_input, Where where) {
  const std::int64_t time = from_input.shape()[0];
  const std::int64_t batch = from_input.shape()[1];
  if (lengths.empty()) return;
  if (static_cast<std::int64_t>(lengths.size()) != batch) {
    fail(ErrorId::bad_length, op, where, fmt::format("{} lengths for a batch of {} sequences", lengths.size(), batch),
         "give one length per sequence");
  }
  for (const std::int64_t length : lengths) {
    if (length >= 1 && length <= time) continue;
    fail(ErrorId::bad_length, op, where, fmt::format("a length of {} in {} steps", length, time),
         fmt::format("every length is from 1 to {}", time));
  }
}

// Which sequences have a token at which step, [batch, time]; undefined where all have all.
Tensor tokens_of(const RecurrentLayerOptions& options, std::int64_t time) {
  return options.lengths.empty() ? Tensor() : length_mask(options.lengths, time);
}

// x [.., batch, features] with 0 for the sequences that have ended, by a mask [batch, 1]: not even a NaN may count
// there.
Tensor without_ended(const Tensor& x, const Tensor& ended) {
  return ended.defined() ? masked_fill(x, ended, 0.0) : x;
}

// All states, in the order of time. step(x, state, ended) is the state after one step. Beyond a sequence's end, its
// state stays as it is.
template <class Step>
std::vector<Tensor> run_steps(const Tensor& from_input, const Tensor& initial, const RecurrentLayerOptions& options,
                              Where where, Step step) {
  const std::int64_t time = from_input.size(0);
  const Tensor tokens = tokens_of(options, time);
  std::vector<Tensor> states = {initial};
  for (std::int64_t i = 0; i < time; ++i) {
    const std::int64_t t = options.reverse ? time - 1 - i : i;
    const StepScope scope(t, where);
    const Tensor before = states.back();
    const Tensor ended = tokens.defined() ? logical_not(narrow(tokens, 1, t, 1)) : Tensor();
    const Tensor input = without_ended(select(from_input, 0, t), ended);
    const Tensor after = step(input, without_ended(before, ended), ended);
    states.push_back(ended.defined() ? autograd::where(ended, before, after) : after);
  }
  if (options.reverse) std::reverse(states.begin(), states.end());
  return states;
}

}  // namespace

Tensor gru_layer(const Tensor& from_input, const Tensor& initial, const Tensor& weight_hh, const Tensor& bias_hh,
                 const RecurrentLayerOptions& options, Where where) {
  check_layer("gru_layer", 3, from_input, {&initial}, weight_hh, bias_hh, where);
  check_lengths("gru_layer", options.lengths, from_input, where);
  if (fast::gru_layer) return fast::gru_layer.run(from_input, initial, weight_hh, bias_hh, options, where);

  const CompositeGuard composite("gru_layer", where);
  const auto step = [&](const Tensor& input, const Tensor& hidden, const Tensor& ended) {
    const Tensor from_hidden = without_ended(linear(hidden, weight_hh, bias_hh), ended);  // [batch, 3 * hidden]
    return gru_gates(input, from_hidden, hidden);                                         // [batch, hidden]
  };
  return stack(run_steps(from_input, initial, options, where, step));  // [time + 1, batch, hidden]
}

Tensor lstm_layer(const Tensor& from_input, const Tensor& initial_hidden, const Tensor& initial_cell,
                  const Tensor& weight_hh, const Tensor& bias_hh, const RecurrentLayerOptions& options, Where where) {
  check_layer("lstm_layer", 4, from_input, {&initial_hidden, &initial_cell}, weight_hh, bias_hh, where);
  check_lengths("lstm_layer", options.lengths, from_input, where);
  if (fast::lstm_layer) {
    return fast::lstm_layer.run(from_input, initial_hidden, initial_cell, weight_hh, bias_hh, options, where);
  }

  const CompositeGuard composite("lstm_layer", where);
  const auto step = [&](const Tensor& input, const Tensor& state, const Tensor& ended) {  // h and c, [2, batch, hidden]
    const Tensor hidden = select(state, 0, 0);
    const Tensor cell = select(state, 0, 1);
    const Tensor from_hidden = without_ended(linear(hidden, weight_hh, bias_hh), ended);  // [batch, 4 * hidden]
    return lstm_gates(input, from_hidden, cell);
  };
  const Tensor initial = stack({initial_hidden, initial_cell});
  return stack(run_steps(from_input, initial, options, where, step), 1);  // [2, time + 1, batch, hidden]
}

}  // namespace autograd
