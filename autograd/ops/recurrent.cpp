// The gates of GRU and LSTM: all of a step but its two matrix products.
#include "autograd/ops/fused.h"
#include "autograd/ops/op.h"

namespace autograd {
namespace {

// Throws unless both products of a step are [batch, gates * hidden], for a state [batch, hidden].
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

// ---- a GRU's as one op ----------------------------------------------------------------------------------------------

struct GruGates final : Fused {
  static constexpr OpText text{
      "gru_gates", "y = (1 - z) * n + z * h, r and z = sigmoid(a + b), n = tanh(a + r * b)",
      "dn = dy * (1 - z) * (1 - n^2), dz = dy * (h - n) * z * (1 - z), dr = dn * b_n * r * (1 - r), dh = dy * z"};
  Tensor gates;  // r, z and n side by side, [batch, 3 * hidden]

  Tensor composite(const Inputs& x) const override { return autograd::gru_gates(x[0], x[1], x[2]); }
  bool keeps(std::size_t i) const override { return i != 0 && (needs(0) || needs(1)); }
  Grads run_kernel(const Tensor& dy) override {
    const Tensor dy_ = contiguous_values(dy);
    const Tensor from_hidden = input(1);
    const Tensor hidden = input(2);
    const Tensor dinput = make_tensor(gates.shape(), dtype);
    const Tensor dhidden_part = make_tensor(gates.shape(), dtype);
    const Tensor dhidden = make_tensor(shape, dtype);
    with_float_type(dtype, [&]<class T>(T) {
      kernels::gru_gates_backward(pointer<T>(dinput), pointer<T>(dhidden_part), pointer<T>(dhidden), pointer<T>(dy_),
                                  pointer<T>(gates), pointer<T>(from_hidden), pointer<T>(hidden), shape[0], shape[1]);
    });
    return {dinput, dhidden_part, dhidden};
  }
};

Tensor fused_gru_gates(const Tensor& from_input, const Tensor& from_hidden, const Tensor& hidden, Where where) {
  const Tensor from_input_ = contiguous_values(from_input);
  const Tensor from_hidden_ = contiguous_values(from_hidden);
  const Tensor hidden_ = contiguous_values(hidden);
  Tensor y = make_tensor(hidden.shape(), hidden.dtype());
  const Tensor gates = make_tensor(from_input.shape(), hidden.dtype());
  with_float_type(hidden.dtype(), [&]<class T>(T) {
    kernels::gru_gates(pointer<T>(y), pointer<T>(gates), pointer<T>(from_input_), pointer<T>(from_hidden_),
                       pointer<T>(hidden_), hidden.shape()[0], hidden.shape()[1]);
  });
  if (auto* node = record_fused<GruGates>(y, {&from_input, &from_hidden, &hidden}, where)) node->gates = gates;
  return y;
}

// ---- an LSTM's as one op --------------------------------------------------------------------------------------------

struct LstmGates final : Fused {
  static constexpr OpText text{
      "lstm_gates", "c' = f * c + i * g, h' = o * tanh(c'), i, f and o = sigmoid(a + b), g = tanh(a + b)",
      "dc' += dh' * o * (1 - tanh(c')^2), di = dc' * g * i * (1 - i), df = dc' * c * f * (1 - f), "
      "dg = dc' * i * (1 - g^2), do = dh' * tanh(c') * o * (1 - o), dc = dc' * f"};
  Tensor gates;      // i, f, g and o side by side, [batch, 4 * hidden]
  Tensor cell_tanh;  // tanh(c'), [batch, hidden]

  Tensor composite(const Inputs& x) const override { return autograd::lstm_gates(x[0], x[1], x[2]); }
  bool keeps(std::size_t i) const override { return i == 2 && (needs(0) || needs(1)); }
  Grads run_kernel(const Tensor& dy) override {
    const Tensor dy_ = contiguous_values(dy);
    const Tensor cell = input(2);
    const Tensor dgates = make_tensor(gates.shape(), dtype);
    const Tensor dcell = make_tensor(cell.shape(), dtype);
    with_float_type(dtype, [&]<class T>(T) {
      const T* dh = pointer<T>(dy_);
      const T* dc = dh + dcell.numel();
      kernels::lstm_gates_backward(pointer<T>(dgates), pointer<T>(dcell), dh, dc, pointer<T>(gates),
                                   pointer<T>(cell_tanh), pointer<T>(cell), cell.shape()[0], cell.shape()[1]);
    });
    return {dgates, dgates, dcell};
  }
};

Tensor fused_lstm_gates(const Tensor& from_input, const Tensor& from_hidden, const Tensor& cell, Where where) {
  const Tensor from_input_ = contiguous_values(from_input);
  const Tensor from_hidden_ = contiguous_values(from_hidden);
  const Tensor cell_ = contiguous_values(cell);
  Tensor y = make_tensor({2, cell.shape()[0], cell.shape()[1]}, cell.dtype());
  const Tensor gates = make_tensor(from_input.shape(), cell.dtype());
  const Tensor cell_tanh = make_tensor(cell.shape(), cell.dtype());
  with_float_type(cell.dtype(), [&]<class T>(T) {
    T* hidden_after = pointer<T>(y);
    T* cell_after = hidden_after + cell.numel();
    kernels::lstm_gates(hidden_after, cell_after, pointer<T>(gates), pointer<T>(cell_tanh), pointer<T>(from_input_),
                        pointer<T>(from_hidden_), pointer<T>(cell_), cell.shape()[0], cell.shape()[1]);
  });
  if (auto* node = record_fused<LstmGates>(y, {&from_input, &from_hidden, &cell}, where)) {
    node->gates = gates;
    node->cell_tanh = cell_tanh;
  }
  return y;
}

}  // namespace

Tensor gru_gates(const Tensor& from_input, const Tensor& from_hidden, const Tensor& hidden, Where where) {
  check_gates("gru_gates", 3, from_input, from_hidden, hidden, where);
  if (!runs_formulas()) return fused_gru_gates(from_input, from_hidden, hidden, where);

  const CompositeGuard composite("gru_gates", where);
  const std::vector<Tensor> a = chunk(from_input, 3, 1);  // each [batch, hidden]
  const std::vector<Tensor> b = chunk(from_hidden, 3, 1);
  const Tensor reset = sigmoid(a[0] + b[0]);
  const Tensor update = sigmoid(a[1] + b[1]);
  const Tensor candidate = tanh(a[2] + reset * b[2]);
  return (1.0 - update) * candidate + update * hidden;
}

Tensor lstm_gates(const Tensor& from_input, const Tensor& from_hidden, const Tensor& cell, Where where) {
  check_gates("lstm_gates", 4, from_input, from_hidden, cell, where);
  if (!runs_formulas()) return fused_lstm_gates(from_input, from_hidden, cell, where);

  const CompositeGuard composite("lstm_gates", where);
  const std::vector<Tensor> sums = chunk(from_input + from_hidden, 4, 1);  // each [batch, hidden]
  const Tensor input = sigmoid(sums[0]);
  const Tensor forget = sigmoid(sums[1]);
  const Tensor candidate = tanh(sums[2]);
  const Tensor output = sigmoid(sums[3]);
  const Tensor cell_after = forget * cell + input * candidate;
  const Tensor hidden_after = output * tanh(cell_after);
  return stack({hidden_after, cell_after});  // [2, batch, hidden]
}

}  // namespace autograd
