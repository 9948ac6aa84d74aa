// Recurrent layers over whole sequences, as composites: a loop that calls gru_gates() or lstm_gates() at every step.
#include <algorithm>

#include "autograd/ops/fused.h"
#include "autograd/ops/op.h"

namespace autograd {
namespace {

// `gates` is 3 for a GRU and 4 for an LSTM; `state` is {h}, or {h, c}.
void check_layer(const char* op, std::int64_t gates, const Tensor& from_input,
                 std::initializer_list<const Tensor*> state, const Tensor& weight_hh, const Tensor& bias_hh,
                 const RecurrentLayerOptions& options, Where where) {
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
  if (!options.lengths.empty()) check_lengths(op, options.lengths, batch, from_input.shape()[0], where);
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

using kernels::Sequences;

// ---- as one op ------------------------------------------------------------------------------------------------------

Sequences sequences_of(const Shape& from_input, std::int64_t hidden, const RecurrentLayerOptions& options) {
  const std::int64_t* lengths = options.lengths.empty() ? nullptr : options.lengths.data();
  return {from_input[0], from_input[1], hidden, lengths, options.reverse};
}

// x [.., time, batch, width] for a kernel: x itself, or a copy if there are gaps along the last dim.
Tensor in_rows(const Tensor& x) {
  return x.strides().back() == 1 || x.shape().back() == 1 ? x : contiguous_values(x);
}
template <class T> kernels::StepRows<T> step_rows(const Tensor& x) {
  return {pointer<std::remove_const_t<T>>(x), x.strides()[0], x.strides()[1]};
}
// Rows of what is kept for the derivative. If none can be asked for, x has room for one step, overwritten by the next.
template <class T> kernels::StepRows<T> kept_rows(const Tensor& x) {
  return {pointer<T>(x), x.shape()[0] == 1 ? 0 : x.strides()[0], x.strides()[1]};
}

// Does the memory hold [batch, time, ..]?
bool is_batch_first(const Tensor& x) {
  return x.strides()[0] < x.strides()[1];
}
// A new tensor [time, batch, width], in memory [batch, time, width] if batch_first.
Tensor make_sequence(const Sequences& s, std::int64_t width, DType dtype, bool batch_first) {
  if (!batch_first) return make_tensor({s.time, s.batch, width}, dtype);
  return make_tensor({s.batch, s.time, width}, dtype).transpose(0, 1);
}

// Memory for W_hh, packed in the order in which the products read it.
Tensor room_for_packed(const Sequences& sequences, std::int64_t gates, bool backward, DType dtype) {
  std::int64_t size = 0;
  with_float_type(dtype, [&]<class T>(T) { size = kernels::packed_weight_size<T>(sequences, gates, backward); });
  return make_tensor({size}, dtype);
}

// Copies the initial state into its place among all states.
template <class T> void write_first_state(T* states, const Sequences& s, const Tensor& initial) {
  const std::int64_t position = s.before(s.step(0)) * s.batch * s.n;
  std::copy_n(pointer<T>(contiguous_values(initial)), s.batch * s.n, states + position);
}

// For each step t the state before it: [time, batch, hidden]. Past a sequence's end the gradient that it is
// multiplied by is 0; it is made 0 as well if it is not finite, because 0 * NaN is NaN.
Tensor states_before(const Tensor& states, const RecurrentLayerOptions& options) {
  const Tensor before = states.narrow(0, options.reverse ? 1 : 0, states.shape()[0] - 1);
  if (options.lengths.empty() || all_finite(before)) return before;
  const Tensor tokens = tokens_of(options, before.shape()[0]);  // [batch, time]
  return masked_fill(before, logical_not(tokens).t().unsqueeze(2), 0.0);
}

// ---- a GRU as one op ------------------------------------------------------------------------------------------------

struct GruLayer final : Fused {
  static constexpr OpText text{"gru_layer", "h_t = gru_gates(a_t, b, h), b = W h + bias, h = h_(t-1), t = 1 .. time",
                               "from the last step: da_t, db, dh = gru_gates' backward of dh_t, dh_(t-1) += dh + db W; "
                               "dW = sum of db^T h_(t-1), dbias = sum of db"};
  Kept states;              // [time + 1, batch, hidden], the output
  Tensor gates;             // r, z and n side by side, [time, batch, 3 * hidden]
  Tensor candidate_hidden;  // b_n, [time, batch, hidden]
  RecurrentLayerOptions options;
  bool batch_first = false;  // is the inputs' part [batch, time, ..] in memory? So is its gradient then.

  Tensor composite(const Inputs& x) const override { return autograd::gru_layer(x[0], x[1], x[2], x[3], options); }
  // The weight is a factor in the gradient of each state. With one step that is the initial state's alone, which may
  // not be wanted.
  bool keeps(std::size_t i) const override {
    return i == 1 ? options.lengths.empty() : i == 2 && (needs(1) || gates.shape()[0] > 1);
  }
  Grads run_kernel(const Tensor& dy) override;
};

Grads GruLayer::run_kernel(const Tensor& dy) {
  const Tensor dy_ = in_rows(dy);
  const Tensor states_ = states.value();
  const Tensor weight_ = input(2);
  const std::int64_t hidden = shape[2];
  const Sequences sequences = sequences_of(gates.shape(), hidden, options);
  const Tensor dfrom_input = make_sequence(sequences, 3 * hidden, dtype, batch_first);
  const Tensor dfrom_hidden = make_tensor(gates.shape(), dtype);
  const Tensor dinitial = make_tensor({sequences.batch, hidden}, dtype);
  const Tensor past_gates = make_tensor(dinitial.shape(), dtype);
  const Tensor through_gates = make_tensor(dinitial.shape(), dtype);
  const Tensor packed = room_for_packed(sequences, 3, true, dtype);
  with_float_type(dtype, [&]<class T>(T) {
    kernels::GruLayerBackward<T> loop;
    loop.dstates = step_rows<const T>(dy_);
    loop.states = pointer<T>(states_);
    loop.gates = pointer<T>(gates);
    loop.candidate_hidden = pointer<T>(candidate_hidden);
    loop.weight = {pointer<T>(weight_), pointer<T>(packed)};
    loop.dfrom_input = step_rows<T>(dfrom_input);
    loop.dfrom_hidden = pointer<T>(dfrom_hidden);
    loop.dinitial = pointer<T>(dinitial);
    loop.needs_initial = needs(1);
    loop.past_gates = pointer<T>(past_gates);
    loop.through_gates = pointer<T>(through_gates);
    kernels::gru_layer_backward(sequences, loop);
  });
  // What the weights get from all steps: one product.
  const Tensor before = autograd::flatten(states_before(states_, options), 0, 1);  // [time * batch, hidden]
  const Tensor db = autograd::flatten(dfrom_hidden, 0, 1);                         // [time * batch, 3 * hidden]
  return {dfrom_input, dinitial, needs(2) ? matmul(db.t(), before) : Tensor(), needs(3) ? sum(db, 0) : Tensor()};
}

Tensor fused_gru_layer(const Tensor& from_input, const Tensor& initial, const Tensor& weight_hh, const Tensor& bias_hh,
                       const RecurrentLayerOptions& options, Where where) {
  const auto inputs = {&from_input, &initial, &weight_hh, &bias_hh};
  const DType dtype = from_input.dtype();
  const std::int64_t hidden = weight_hh.shape()[1];
  const Sequences sequences = sequences_of(from_input.shape(), hidden, options);
  const std::int64_t batch = sequences.batch;
  const std::int64_t kept = needs_gradient({inputs.begin(), inputs.size()}) ? sequences.time : 1;
  const Tensor from_input_ = in_rows(from_input);
  const Tensor weight_ = contiguous_values(weight_hh);
  const Tensor bias_ = bias_hh.defined() ? contiguous_values(bias_hh) : Tensor();
  Tensor states = make_tensor({sequences.time + 1, batch, hidden}, dtype);
  const Tensor gates = make_tensor({kept, batch, 3 * hidden}, dtype);
  const Tensor candidate_hidden = make_tensor({kept, batch, hidden}, dtype);
  const Tensor from_hidden = make_tensor({batch, 3 * hidden}, dtype);
  const Tensor packed = room_for_packed(sequences, 3, false, dtype);
  with_float_type(dtype, [&]<class T>(T) {
    kernels::GruLayer<T> loop;
    loop.from_input = step_rows<const T>(from_input_);
    loop.weight = {pointer<T>(weight_), pointer<T>(packed)};
    loop.bias_hh = bias_.defined() ? pointer<T>(bias_) : nullptr;
    loop.states = pointer<T>(states);
    loop.gates = kept_rows<T>(gates);
    loop.candidate_hidden = kept_rows<T>(candidate_hidden);
    loop.from_hidden = pointer<T>(from_hidden);
    write_first_state(loop.states, sequences, initial);
    kernels::gru_layer(sequences, loop);
  });
  if (auto* node = record_fused<GruLayer>(states, inputs, where)) {
    node->states = Kept(states.detach());  // the output itself would own the node
    node->gates = gates;
    node->candidate_hidden = candidate_hidden;
    node->options = options;
    node->batch_first = is_batch_first(from_input);
  }
  return states;
}

// ---- an LSTM as one op ----------------------------------------------------------------------------------------------

struct LstmLayer final : Fused {
  static constexpr OpText text{
      "lstm_layer", "h_t, c_t = lstm_gates(a_t, b, c), b = W h + bias, h and c = h_(t-1) and c_(t-1), t = 1 .. time",
      "from the last step: da_t = db, dc = lstm_gates' backward of dh_t and dc_t, dc_(t-1) += dc, dh_(t-1) += db W; "
      "dW = sum of db^T h_(t-1), dbias = sum of db"};
  Kept states;       // h and c, [2, time + 1, batch, hidden], the output
  Tensor gates;      // i, f, g and o side by side, [time, batch, 4 * hidden]
  Tensor cell_tanh;  // tanh(c_t), [time, batch, hidden]
  RecurrentLayerOptions options;
  bool batch_first = false;  // is the inputs' part [batch, time, ..] in memory? So is its gradient then.

  Tensor composite(const Inputs& x) const override {
    return autograd::lstm_layer(x[0], x[1], x[2], x[3], x[4], options);
  }
  // As in a GRU; the initial state is stacked, and so copied.
  bool keeps(std::size_t i) const override { return i == 3 && (needs(1) || needs(2) || gates.shape()[0] > 1); }
  Grads run_kernel(const Tensor& dy) override;
};

Grads LstmLayer::run_kernel(const Tensor& dy) {
  const Tensor dy_ = in_rows(dy);
  const Tensor dhidden_states = select(dy_, 0, 0);
  const Tensor dcell_states = select(dy_, 0, 1);
  const Tensor states_ = states.value();
  const Tensor weight_ = input(3);
  const std::int64_t hidden = shape[3];
  const Sequences sequences = sequences_of(gates.shape(), hidden, options);
  const Tensor dgates = make_sequence(sequences, 4 * hidden, dtype, batch_first);
  const Tensor dhidden = make_tensor({sequences.batch, hidden}, dtype);
  const Tensor dcell = make_tensor(dhidden.shape(), dtype);
  const Tensor dhidden_before = make_tensor(dhidden.shape(), dtype);
  const Tensor dcell_before = make_tensor(dhidden.shape(), dtype);
  const Tensor packed = room_for_packed(sequences, 4, true, dtype);
  const std::int64_t one_part = states_.numel() / 2;  // h, and then c
  with_float_type(dtype, [&]<class T>(T) {
    kernels::LstmLayerBackward<T> loop;
    loop.dhidden_states = step_rows<const T>(dhidden_states);
    loop.dcell_states = step_rows<const T>(dcell_states);
    loop.cell = pointer<T>(states_) + one_part;
    loop.gates = pointer<T>(gates);
    loop.cell_tanh = pointer<T>(cell_tanh);
    loop.weight = {pointer<T>(weight_), pointer<T>(packed)};
    loop.dgates = step_rows<T>(dgates);
    loop.dhidden = pointer<T>(dhidden);
    loop.dcell = pointer<T>(dcell);
    loop.needs_initial = needs(1) || needs(2);
    loop.dhidden_before = pointer<T>(dhidden_before);
    loop.dcell_before = pointer<T>(dcell_before);
    kernels::lstm_layer_backward(sequences, loop);
  });
  // What the weights get from all steps: one product. Its rows are in the order in which the gradients lie in memory.
  const Tensor before = states_before(select(states_, 0, 0), options);
  const Tensor before_rows = (batch_first ? before.transpose(0, 1) : before).flatten(0, 1);  // [time * batch, hidden]
  const Tensor db = batch_first ? dgates.transpose(0, 1) : dgates;
  const Tensor db_rows = db.flatten(0, 1);  // [time * batch, 4 * hidden]
  return {dgates, dhidden, dcell, needs(3) ? matmul(db_rows.t(), before_rows) : Tensor(),
          needs(4) ? sum(db_rows, 0) : Tensor()};
}

Tensor fused_lstm_layer(const Tensor& from_input, const Tensor& initial_hidden, const Tensor& initial_cell,
                        const Tensor& weight_hh, const Tensor& bias_hh, const RecurrentLayerOptions& options,
                        Where where) {
  const auto inputs = {&from_input, &initial_hidden, &initial_cell, &weight_hh, &bias_hh};
  const DType dtype = from_input.dtype();
  const std::int64_t hidden = weight_hh.shape()[1];
  const Sequences sequences = sequences_of(from_input.shape(), hidden, options);
  const std::int64_t batch = sequences.batch;
  const std::int64_t kept = needs_gradient({inputs.begin(), inputs.size()}) ? sequences.time : 1;
  const Tensor from_input_ = in_rows(from_input);
  const Tensor weight_ = contiguous_values(weight_hh);
  const Tensor bias_ = bias_hh.defined() ? contiguous_values(bias_hh) : Tensor();
  Tensor states = make_tensor({2, sequences.time + 1, batch, hidden}, dtype);
  const Tensor gates = make_tensor({kept, batch, 4 * hidden}, dtype);
  const Tensor cell_tanh = make_tensor({kept, batch, hidden}, dtype);
  const Tensor from_hidden = make_tensor({batch, 4 * hidden}, dtype);
  const Tensor packed = room_for_packed(sequences, 4, false, dtype);
  with_float_type(dtype, [&]<class T>(T) {
    kernels::LstmLayer<T> loop;
    loop.from_input = step_rows<const T>(from_input_);
    loop.weight = {pointer<T>(weight_), pointer<T>(packed)};
    loop.bias_hh = bias_.defined() ? pointer<T>(bias_) : nullptr;
    loop.hidden = pointer<T>(states);
    loop.cell = loop.hidden + states.numel() / 2;
    loop.gates = kept_rows<T>(gates);
    loop.cell_tanh = kept_rows<T>(cell_tanh);
    loop.from_hidden = pointer<T>(from_hidden);
    write_first_state(loop.hidden, sequences, initial_hidden);
    write_first_state(loop.cell, sequences, initial_cell);
    kernels::lstm_layer(sequences, loop);
  });
  if (auto* node = record_fused<LstmLayer>(states, inputs, where)) {
    node->states = Kept(states.detach());
    node->gates = gates;
    node->cell_tanh = cell_tanh;
    node->options = options;
    node->batch_first = is_batch_first(from_input);
  }
  return states;
}

}  // namespace

Tensor gru_layer(const Tensor& from_input, const Tensor& initial, const Tensor& weight_hh, const Tensor& bias_hh,
                 const RecurrentLayerOptions& options, Where where) {
  check_layer("gru_layer", 3, from_input, {&initial}, weight_hh, bias_hh, options, where);
  if (!runs_formulas()) return fused_gru_layer(from_input, initial, weight_hh, bias_hh, options, where);

  const CompositeGuard composite("gru_layer", where);
  const auto step = [&](const Tensor& input, const Tensor& hidden, const Tensor& ended) {
    const Tensor from_hidden = without_ended(linear(hidden, weight_hh, bias_hh), ended);  // [batch, 3 * hidden]
    return gru_gates(input, from_hidden, hidden);                                         // [batch, hidden]
  };
  return stack(run_steps(from_input, initial, options, where, step));  // [time + 1, batch, hidden]
}

Tensor lstm_layer(const Tensor& from_input, const Tensor& initial_hidden, const Tensor& initial_cell,
                  const Tensor& weight_hh, const Tensor& bias_hh, const RecurrentLayerOptions& options, Where where) {
  check_layer("lstm_layer", 4, from_input, {&initial_hidden, &initial_cell}, weight_hh, bias_hh, options, where);
  if (!runs_formulas()) {
    return fused_lstm_layer(from_input, initial_hidden, initial_cell, weight_hh, bias_hh, options, where);
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
