// The gates of recurrent layers: what follows the two matrix products of a step.
#include <fmt/core.h>

#include "autograd/ops/op.h"
#include "autograd/tensor/format.h"

namespace autograd {

namespace {

// Both products of a step, for a state [batch, hidden], with so many numbers for each of its own.
void check_gates(const char* op, std::int64_t gates, const Tensor& from_input, const Tensor& from_hidden,
                 const Tensor& state, Where where) {
  check_floating(op, state, where);
  check_same_dtype(op, state, from_input, where);
  check_same_dtype(op, state, from_hidden, where);
  const bool is_matrix = state.dim() == 2;
  const Shape expected = is_matrix ? Shape{state.shape()[0], gates * state.shape()[1]} : Shape{};
  for (const Tensor* product : {&from_input, &from_hidden}) {
    if (is_matrix && product->shape() == expected) continue;
    fail_shapes(op, state.shape(), product->shape(), where,
                fmt::format("the state is [batch, hidden], and there are {} numbers for each of its own", gates),
                fmt::format("give both products as [batch, {} * hidden], one gate beside the other", gates));
  }
}

}  // namespace

// ---- GRU -------------------------------------------------------------------------------------------------------------

// A dozen small ops in one. With r, z, n the three gates, and a and b the parts of the two products that belong to
// them:
//   r = sigmoid(a_r + b_r)    z = sigmoid(a_z + b_z)    n = tanh(a_n + r * b_n)    y = (1 - z) * n + z * h
struct GruGates final : Node {
  static constexpr OpText text{
      "gru_gates", "y = (1 - z) * n + z * h, r and z = sigmoid(a + b), n = tanh(a + r * b)",
      "dn = dy * (1 - z) * (1 - n^2), dz = dy * (h - n) * z * (1 - z), dr = dn * b_n * r * (1 - r), dh = dy * z"};
  Saved from_input, from_hidden;  // a and b, [batch, 3 * hidden]
  Saved hidden;                   // h, [batch, hidden]
  Tensor gates;                   // r, z and n side by side, [batch, 3 * hidden]

  Tensor forward(const Inputs& x) const override { return gru_gates(x[0], x[1], x[2]); }
  Grads backward(const Tensor& dy) override {
    if (!grad_enabled()) return in_one_pass(dy);
    // The same to the bit as ops, which can be differentiated again.
    const std::vector<Tensor> a = chunk(use(from_input), 3, 1);  // each [batch, hidden]
    const std::vector<Tensor> b = chunk(use(from_hidden), 3, 1);
    const Tensor r = sigmoid(a[0] + b[0]);
    const Tensor z = sigmoid(a[1] + b[1]);
    const Tensor n = tanh(a[2] + r * b[2]);
    const Tensor dn = dy * (1.0 - z) * (1.0 - n * n);
    const Tensor dz = (dy * use(hidden) - dy * n) * (z * (1.0 - z));
    const Tensor dr = dn * b[2] * (r * (1.0 - r));
    return {cat({dr, dz, dn}, 1), cat({dr, dz, dn * r}, 1), dy * z};
  }

  Grads in_one_pass(const Tensor& dy) const {
    const Tensor dy_ = contiguous_values(dy);
    const Tensor from_hidden_ = contiguous_values(use(from_hidden));
    const Tensor hidden_ = contiguous_values(use(hidden));
    Tensor dinput = make_tensor(gates.shape(), dtype);
    Tensor dhidden_part = make_tensor(gates.shape(), dtype);
    Tensor dhidden = make_tensor(shape, dtype);
    with_float_type(dtype, [&](auto t) {
      using T = decltype(t);
      kernels::gru_gates_backward(pointer<T>(dinput), pointer<T>(dhidden_part), pointer<T>(dhidden), pointer<T>(dy_),
                                  pointer<T>(gates), pointer<T>(from_hidden_), pointer<T>(hidden_), shape[0], shape[1]);
    });
    return {dinput, dhidden_part, dhidden};
  }
};

Tensor gru_gates(const Tensor& from_input, const Tensor& from_hidden, const Tensor& hidden, Where where) {
  check_gates("gru_gates", 3, from_input, from_hidden, hidden, where);
  const Tensor from_input_ = contiguous_values(from_input);
  const Tensor from_hidden_ = contiguous_values(from_hidden);
  const Tensor hidden_ = contiguous_values(hidden);
  Tensor y = make_tensor(hidden.shape(), hidden.dtype());
  const Tensor gates = make_tensor(from_input.shape(), hidden.dtype());
  with_float_type(hidden.dtype(), [&](auto t) {
    using T = decltype(t);
    kernels::gru_gates(pointer<T>(y), pointer<T>(gates), pointer<T>(from_input_), pointer<T>(from_hidden_),
                       pointer<T>(hidden_), hidden.shape()[0], hidden.shape()[1]);
  });
  if (auto* node = record<GruGates>(y, {&from_input, &from_hidden, &hidden}, where)) {
    node->from_input = node->save(from_input);
    node->from_hidden = node->save(from_hidden);
    node->hidden = node->save(hidden);
    node->gates = gates;
  }
  return y;
}

// ---- LSTM ------------------------------------------------------------------------------------------------------------

// With i, f, g, o the four gates, and s = a + b the sum of the two products:
//   i, f, o = sigmoid(s_i), sigmoid(s_f), sigmoid(s_o)    g = tanh(s_g)    c' = f * c + i * g    h' = o * tanh(c')
struct LstmGates final : Node {
  static constexpr OpText text{
      "lstm_gates", "c' = f * c + i * g, h' = o * tanh(c'), i, f and o = sigmoid(a + b), g = tanh(a + b)",
      "dc' += dh' * o * (1 - tanh(c')^2), di = dc' * g * i * (1 - i), df = dc' * c * f * (1 - f), "
      "dg = dc' * i * (1 - g^2), do = dh' * tanh(c') * o * (1 - o), dc = dc' * f"};
  Saved from_input, from_hidden;  // a and b, [batch, 4 * hidden]
  Saved cell;                     // c, [batch, hidden]
  Tensor gates;                   // i, f, g and o side by side, [batch, 4 * hidden]
  Tensor cell_tanh;               // tanh(c'), [batch, hidden]

  Tensor forward(const Inputs& x) const override { return lstm_gates(x[0], x[1], x[2]); }
  Grads backward(const Tensor& dy) override {
    if (!grad_enabled()) return in_one_pass(dy);
    // The same to the bit as ops, which can be differentiated again.
    const std::vector<Tensor> sums = chunk(use(from_input) + use(from_hidden), 4, 1);  // each [batch, hidden]
    const Tensor c = use(cell);
    const Tensor i = sigmoid(sums[0]);
    const Tensor f = sigmoid(sums[1]);
    const Tensor g = tanh(sums[2]);
    const Tensor o = sigmoid(sums[3]);
    const Tensor c_tanh = tanh(f * c + i * g);
    const Tensor dh = select(dy, 0, 0);
    const Tensor dc = select(dy, 0, 1) + dh * o * (1.0 - c_tanh * c_tanh);  // of c'
    const Tensor di = dc * g * (i * (1.0 - i));
    const Tensor df = dc * c * (f * (1.0 - f));
    const Tensor dg = dc * i * (1.0 - g * g);
    const Tensor dout = dh * c_tanh * (o * (1.0 - o));
    const Tensor dgates = cat({di, df, dg, dout}, 1);
    return {dgates, dgates, dc * f};
  }

  Grads in_one_pass(const Tensor& dy) const {
    const Tensor dy_ = contiguous_values(dy);
    const Tensor cell_ = contiguous_values(use(cell));
    Tensor dgates = make_tensor(gates.shape(), dtype);
    Tensor dcell = make_tensor(cell_.shape(), dtype);
    with_float_type(dtype, [&](auto t) {
      using T = decltype(t);
      const T* dh = pointer<T>(dy_);
      const T* dc = dh + dcell.numel();
      kernels::lstm_gates_backward(pointer<T>(dgates), pointer<T>(dcell), dh, dc, pointer<T>(gates),
                                   pointer<T>(cell_tanh), pointer<T>(cell_), cell_.shape()[0], cell_.shape()[1]);
    });
    return {dgates, dgates, dcell};
  }
};

Tensor lstm_gates(const Tensor& from_input, const Tensor& from_hidden, const Tensor& cell, Where where) {
  check_gates("lstm_gates", 4, from_input, from_hidden, cell, where);
  const Tensor from_input_ = contiguous_values(from_input);
  const Tensor from_hidden_ = contiguous_values(from_hidden);
  const Tensor cell_ = contiguous_values(cell);
  Tensor y = make_tensor({2, cell.shape()[0], cell.shape()[1]}, cell.dtype());
  const Tensor gates = make_tensor(from_input.shape(), cell.dtype());
  const Tensor cell_tanh = make_tensor(cell.shape(), cell.dtype());
  with_float_type(cell.dtype(), [&](auto t) {
    using T = decltype(t);
    T* hidden_after = pointer<T>(y);
    T* cell_after = hidden_after + cell.numel();
    kernels::lstm_gates(hidden_after, cell_after, pointer<T>(gates), pointer<T>(cell_tanh), pointer<T>(from_input_),
                        pointer<T>(from_hidden_), pointer<T>(cell_), cell.shape()[0], cell.shape()[1]);
  });
  if (auto* node = record<LstmGates>(y, {&from_input, &from_hidden, &cell}, where)) {
    node->from_input = node->save(from_input);
    node->from_hidden = node->save(from_hidden);
    node->cell = node->save(cell);
    node->gates = gates;
    node->cell_tanh = cell_tanh;
  }
  return y;
}

}  // namespace autograd
