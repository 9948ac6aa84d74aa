// Recurrent layers over whole sequences, as one op each. The loop over time does what waits for the step before: one
// product and the gates. All else is done for all steps at once: the inputs' product before this op, the gradients of
// the weights and biases after the loop.
//
// The derivative's loop is here twice. `in_one_pass` is what trains; `step_by_step` shows one step's formulas, in ops
// that can be differentiated again. Both give the same bits.
#include <fmt/core.h>

#include <algorithm>

#include "autograd/ops/op.h"
#include "autograd/tensor/factories.h"
#include "autograd/tensor/format.h"

namespace autograd {
namespace {

using kernels::Sequences;

// ---- what both have in common --------------------------------------------------------------------------------------------

Sequences sequences_of(const Shape& from_input, std::int64_t hidden, const RecurrentLayerOptions& options) {
  const std::int64_t* lengths = options.lengths.empty() ? nullptr : options.lengths.data();
  return {from_input[0], from_input[1], hidden, lengths, options.reverse};
}

// For so many gates, and the parts of the state: h, and for an LSTM c.
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

// The numbers of x [.., time, batch, width] for a kernel: as they lie, or copied where the last dim has gaps.
Tensor in_rows(const Tensor& x) {
  return x.strides().back() == 1 || x.shape().back() == 1 ? x : contiguous_values(x);
}
template <class T> kernels::StepRows<T> step_rows(const Tensor& x) {
  return {pointer<std::remove_const_t<T>>(x), x.strides()[0], x.strides()[1]};
}
// Of what is kept for the derivative; where nobody will ask for one, x has room for one step, and each is written over.
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

// Room for W_hh in the order in which the products read it.
Tensor room_for_packed(const Sequences& sequences, std::int64_t gates, bool backward, DType dtype) {
  std::int64_t size = 0;
  with_float_type(dtype, [&](auto t) {
    using T = decltype(t);
    size = kernels::packed_weight_size<T>(sequences, gates, backward);
  });
  return make_tensor({size}, dtype);
}

// All states, of which the first is there already.
template <class T> void write_first_state(T* states, const Sequences& s, const Tensor& initial) {
  const std::int64_t position = s.before(s.step(0)) * s.batch * s.n;
  std::copy_n(pointer<T>(contiguous_values(initial)), s.batch * s.n, states + position);
}

// The states before the steps, in the order of the steps' numbers: [time, batch, hidden]
Tensor states_before(const Tensor& states, bool reverse) {
  return states.narrow(0, reverse ? 1 : 0, states.shape()[0] - 1);
}

// Which sequences have a token at step t: [batch, 1]
Tensor tokens_at(const Sequences& sequences, std::int64_t t) {
  Tensor mask = make_tensor({sequences.batch, 1}, boolean);
  for (std::int64_t row = 0; row < sequences.batch; ++row) pointer<bool>(mask)[row] = sequences.has_token(row, t);
  return mask;
}
// `value` where there is a token, `otherwise` where there is none.
Tensor where_tokens(const Sequences& sequences, std::int64_t t, const Tensor& value, const Tensor& otherwise) {
  return sequences.lengths ? where(tokens_at(sequences, t), value, otherwise) : value;
}

// What comes out of the loop over time, backwards; `from_hidden` is the gradient of W_hh h + b_hh of all steps.
struct LoopGradients {
  Tensor from_input;    // [time, batch, gates * hidden]
  Tensor from_hidden;   // likewise
  Tensor hidden, cell;  // of the initial state, each [batch, hidden]
};

}  // namespace

// ---- GRU -----------------------------------------------------------------------------------------------------------------

// For each step, with a_t the part of the input, h the state before and b = W_hh h + b_hh:
//   r = sigmoid(a_r + b_r)    z = sigmoid(a_z + b_z)    n = tanh(a_n + r * b_n)    h_t = (1 - z) * n + z * h
struct GruLayer final : Node {
  static constexpr OpText text{"gru_layer", "h_t = gru_gates(a_t, b, h), b = W h + bias, h = h_(t-1), t = 1 .. time",
                               "from the last step: da_t, db, dh = gru_gates' backward of dh_t, dh_(t-1) += dh + db W; "
                               "dW = sum of db^T h_(t-1), dbias = sum of db"};
  Saved from_input, weight_hh, bias_hh;
  Saved states;             // [time + 1, batch, hidden], the output
  Tensor gates;             // r, z and n side by side, [time, batch, 3 * hidden]
  Tensor candidate_hidden;  // b_n, [time, batch, hidden]
  RecurrentLayerOptions options;
  bool batch_first = false;  // is the inputs' part [batch, time, ..] in memory? So is its gradient then.

  Tensor forward(const Inputs& x) const override { return gru_layer(x[0], x[1], x[2], x[3], options); }
  Grads backward(const Tensor& dy) override {
    const LoopGradients loop = grad_enabled() ? step_by_step(dy) : in_one_pass(dy);
    // What the weights get from all steps: one product.
    const Tensor before = states_before(use(states), options.reverse).flatten(0, 1);  // [time * batch, hidden]
    const Tensor db = loop.from_hidden.flatten(0, 1);                                 // [time * batch, 3 * hidden]
    const Tensor dweight = needs(2) ? matmul(db.t(), before) : Tensor();
    const Tensor dbias = needs(3) ? sum(db, 0) : Tensor();
    return {loop.from_input, loop.hidden, dweight, dbias};
  }

  LoopGradients step_by_step(const Tensor& dy) const {
    const Tensor all_inputs = use(from_input);
    const Tensor all_states = use(states);
    const Tensor weight = use(weight_hh);
    const Tensor bias = bias_hh.defined() ? use(bias_hh) : Tensor();
    const Sequences steps = sequences_of(all_inputs.shape(), shape[2], options);
    std::vector<Tensor> from_input_grads(static_cast<std::size_t>(steps.time));
    std::vector<Tensor> from_hidden_grads(static_cast<std::size_t>(steps.time));
    Tensor dh = select(dy, 0, steps.after(steps.step(steps.time - 1)));
    for (std::int64_t i = steps.time - 1; i >= 0; --i) {
      const std::int64_t t = steps.step(i);
      const Tensor h = select(all_states, 0, steps.before(t));
      const std::vector<Tensor> a = chunk(select(all_inputs, 0, t), 3, 1);  // each [batch, hidden]
      const std::vector<Tensor> b = chunk(linear(h, weight, bias), 3, 1);
      const Tensor r = sigmoid(a[0] + b[0]);
      const Tensor z = sigmoid(a[1] + b[1]);
      const Tensor n = tanh(a[2] + r * b[2]);
      const Tensor dn = dh * (1.0 - z) * (1.0 - n * n);
      const Tensor dz = (dh * h - dh * n) * (z * (1.0 - z));
      const Tensor dr = dn * b[2] * (r * (1.0 - r));
      const Tensor da = cat({dr, dz, dn}, 1);
      const Tensor db = cat({dr, dz, dn * r}, 1);
      const Tensor dh_before = dh * z + matmul(db, weight);
      const Tensor nothing = zeros(da.shape(), dtype);
      from_input_grads[static_cast<std::size_t>(t)] = where_tokens(steps, t, da, nothing);
      from_hidden_grads[static_cast<std::size_t>(t)] = where_tokens(steps, t, db, nothing);
      dh = select(dy, 0, steps.before(t)) + where_tokens(steps, t, dh_before, dh);
    }
    return {stack(from_input_grads), stack(from_hidden_grads), dh, Tensor()};
  }

  // The same numbers.
  LoopGradients in_one_pass(const Tensor& dy) const {
    const Tensor dy_ = in_rows(dy);
    const Tensor states_ = use(states);
    const Tensor weight_ = contiguous_values(use(weight_hh));
    const std::int64_t hidden = shape[2];
    const Sequences sequences = sequences_of(gates.shape(), hidden, options);
    const Tensor dfrom_input = make_sequence(sequences, 3 * hidden, dtype, batch_first);
    const Tensor dfrom_hidden = make_tensor(gates.shape(), dtype);
    const Tensor dinitial = make_tensor({sequences.batch, hidden}, dtype);
    const Tensor past_gates = make_tensor(dinitial.shape(), dtype);
    const Tensor through_gates = make_tensor(dinitial.shape(), dtype);
    const Tensor packed = room_for_packed(sequences, 3, true, dtype);
    with_float_type(dtype, [&](auto t) {
      using T = decltype(t);
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
    return {dfrom_input, dfrom_hidden, needs(1) ? dinitial : Tensor(), Tensor()};
  }
};

Tensor gru_layer(const Tensor& from_input, const Tensor& initial, const Tensor& weight_hh, const Tensor& bias_hh,
                 const RecurrentLayerOptions& options, Where where) {
  check_layer("gru_layer", 3, from_input, {&initial}, weight_hh, bias_hh, where);
  check_lengths("gru_layer", options.lengths, from_input, where);
  const DType dtype = from_input.dtype();
  const std::int64_t hidden = weight_hh.shape()[1];
  const Sequences sequences = sequences_of(from_input.shape(), hidden, options);
  const std::int64_t batch = sequences.batch;
  const std::int64_t kept = needs_gradient({{&from_input, &initial, &weight_hh, &bias_hh}}) ? sequences.time : 1;
  const Tensor from_input_ = in_rows(from_input);
  const Tensor weight_ = contiguous_values(weight_hh);
  const Tensor bias_ = bias_hh.defined() ? contiguous_values(bias_hh) : Tensor();
  Tensor states = make_tensor({sequences.time + 1, batch, hidden}, dtype);
  const Tensor gates = make_tensor({kept, batch, 3 * hidden}, dtype);
  const Tensor candidate_hidden = make_tensor({kept, batch, hidden}, dtype);
  const Tensor from_hidden = make_tensor({batch, 3 * hidden}, dtype);
  const Tensor packed = room_for_packed(sequences, 3, false, dtype);
  with_float_type(dtype, [&](auto t) {
    using T = decltype(t);
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
  if (auto* node = record<GruLayer>(states, {&from_input, &initial, &weight_hh, &bias_hh}, where)) {
    node->from_input = node->save(from_input);
    node->weight_hh = node->save(weight_hh);
    if (bias_hh.defined()) node->bias_hh = node->save(bias_hh);
    node->states = node->save(states);
    node->gates = gates;
    node->candidate_hidden = candidate_hidden;
    node->options = options;
    node->batch_first = is_batch_first(from_input);
  }
  return states;
}

// ---- LSTM ----------------------------------------------------------------------------------------------------------------

// For each step, with a_t the part of the input, h and c the state before and s = a_t + W_hh h + b_hh:
//   i, f, o = sigmoid(s_i), sigmoid(s_f), sigmoid(s_o)    g = tanh(s_g)    c_t = f * c + i * g    h_t = o * tanh(c_t)
struct LstmLayer final : Node {
  static constexpr OpText text{
      "lstm_layer", "h_t, c_t = lstm_gates(a_t, b, c), b = W h + bias, h and c = h_(t-1) and c_(t-1), t = 1 .. time",
      "from the last step: da_t = db, dc = lstm_gates' backward of dh_t and dc_t, dc_(t-1) += dc, dh_(t-1) += db W; "
      "dW = sum of db^T h_(t-1), dbias = sum of db"};
  Saved from_input, weight_hh, bias_hh;
  Saved states;      // h and c, [2, time + 1, batch, hidden], the output
  Tensor gates;      // i, f, g and o side by side, [time, batch, 4 * hidden]
  Tensor cell_tanh;  // tanh(c_t), [time, batch, hidden]
  RecurrentLayerOptions options;
  bool batch_first = false;  // is the inputs' part [batch, time, ..] in memory? So is its gradient then.

  Tensor forward(const Inputs& x) const override { return lstm_layer(x[0], x[1], x[2], x[3], x[4], options); }
  Grads backward(const Tensor& dy) override {
    const LoopGradients loop = grad_enabled() ? step_by_step(dy) : in_one_pass(dy);
    // What the weights get from all steps: one product. Its rows are in the order in which the gradients lie in memory.
    const Tensor before = states_before(select(use(states), 0, 0), options.reverse);
    const Tensor before_rows = (batch_first ? before.transpose(0, 1) : before).flatten(0, 1);  // [time * batch, hidden]
    const Tensor db = batch_first ? loop.from_hidden.transpose(0, 1) : loop.from_hidden;
    const Tensor db_rows = db.flatten(0, 1);  // [time * batch, 4 * hidden]
    const Tensor dweight = needs(3) ? matmul(db_rows.t(), before_rows) : Tensor();
    const Tensor dbias = needs(4) ? sum(db_rows, 0) : Tensor();
    return {loop.from_input, loop.hidden, loop.cell, dweight, dbias};
  }

  LoopGradients step_by_step(const Tensor& dy) const {
    const Tensor all_inputs = use(from_input);
    const Tensor all_states = use(states);
    const Tensor weight = use(weight_hh);
    const Tensor bias = bias_hh.defined() ? use(bias_hh) : Tensor();
    const Sequences steps = sequences_of(all_inputs.shape(), shape[3], options);
    std::vector<Tensor> gradients(static_cast<std::size_t>(steps.time));
    const Tensor dlast = select(dy, 1, steps.after(steps.step(steps.time - 1)));  // [2, batch, hidden]
    Tensor dh = select(dlast, 0, 0);
    Tensor dc = select(dlast, 0, 1);
    for (std::int64_t k = steps.time - 1; k >= 0; --k) {
      const std::int64_t t = steps.step(k);
      const Tensor before = select(all_states, 1, steps.before(t));
      const Tensor h = select(before, 0, 0);
      const Tensor c = select(before, 0, 1);
      const Tensor sums = select(all_inputs, 0, t) + linear(h, weight, bias);
      const std::vector<Tensor> s = chunk(sums, 4, 1);  // each [batch, hidden]
      const Tensor i = sigmoid(s[0]);
      const Tensor f = sigmoid(s[1]);
      const Tensor g = tanh(s[2]);
      const Tensor o = sigmoid(s[3]);
      const Tensor c_tanh = tanh(f * c + i * g);
      const Tensor dc_after = dc + dh * o * (1.0 - c_tanh * c_tanh);
      const Tensor di = dc_after * g * (i * (1.0 - i));
      const Tensor df = dc_after * c * (f * (1.0 - f));
      const Tensor dg = dc_after * i * (1.0 - g * g);
      const Tensor dout = dh * c_tanh * (o * (1.0 - o));
      const Tensor db = cat({di, df, dg, dout}, 1);
      const Tensor dh_before = matmul(db, weight);
      const Tensor dc_before = dc_after * f;
      gradients[static_cast<std::size_t>(t)] = where_tokens(steps, t, db, zeros(db.shape(), dtype));
      const Tensor from_outside = select(dy, 1, steps.before(t));
      dh = select(from_outside, 0, 0) + where_tokens(steps, t, dh_before, dh);
      dc = select(from_outside, 0, 1) + where_tokens(steps, t, dc_before, dc);
    }
    const Tensor all_gradients = stack(gradients);
    return {all_gradients, all_gradients, dh, dc};
  }

  // The same numbers.
  LoopGradients in_one_pass(const Tensor& dy) const {
    const Tensor dy_ = in_rows(dy);
    const Tensor dhidden_states = select(dy_, 0, 0);
    const Tensor dcell_states = select(dy_, 0, 1);
    const Tensor states_ = use(states);
    const Tensor weight_ = contiguous_values(use(weight_hh));
    const std::int64_t hidden = shape[3];
    const Sequences sequences = sequences_of(gates.shape(), hidden, options);
    const Tensor dgates = make_sequence(sequences, 4 * hidden, dtype, batch_first);
    const Tensor dhidden = make_tensor({sequences.batch, hidden}, dtype);
    const Tensor dcell = make_tensor(dhidden.shape(), dtype);
    const Tensor dhidden_before = make_tensor(dhidden.shape(), dtype);
    const Tensor dcell_before = make_tensor(dhidden.shape(), dtype);
    const Tensor packed = room_for_packed(sequences, 4, true, dtype);
    const std::int64_t one_part = states_.numel() / 2;  // h, and then c
    with_float_type(dtype, [&](auto t) {
      using T = decltype(t);
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
    return {dgates, dgates, needs(1) ? dhidden : Tensor(), needs(2) ? dcell : Tensor()};
  }
};

Tensor lstm_layer(const Tensor& from_input, const Tensor& initial_hidden, const Tensor& initial_cell,
                  const Tensor& weight_hh, const Tensor& bias_hh, const RecurrentLayerOptions& options, Where where) {
  check_layer("lstm_layer", 4, from_input, {&initial_hidden, &initial_cell}, weight_hh, bias_hh, where);
  check_lengths("lstm_layer", options.lengths, from_input, where);
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
  with_float_type(dtype, [&](auto t) {
    using T = decltype(t);
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
  if (auto* node = record<LstmLayer>(states, inputs, where)) {
    node->from_input = node->save(from_input);
    node->weight_hh = node->save(weight_hh);
    if (bias_hh.defined()) node->bias_hh = node->save(bias_hh);
    node->states = node->save(states);
    node->gates = gates;
    node->cell_tanh = cell_tanh;
    node->options = options;
    node->batch_first = is_batch_first(from_input);
  }
  return states;
}

}  // namespace autograd
