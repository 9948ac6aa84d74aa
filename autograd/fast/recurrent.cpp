// The fast forms of gru_gates and lstm_gates: a dozen small ops in one.
#include "autograd/ops/recurrent.cpp"

#include "autograd/fast/fused.h"

namespace autograd::fast {
namespace {

// ---- GRU -------------------------------------------------------------------------------------------------------------

struct GruGates final : Fused {
  static constexpr OpText text{
      "gru_gates", "y = (1 - z) * n + z * h, r and z = sigmoid(a + b), n = tanh(a + r * b)",
      "dn = dy * (1 - z) * (1 - n^2), dz = dy * (h - n) * z * (1 - z), dr = dn * b_n * r * (1 - r), dh = dy * z"};
  Tensor gates;  // r, z and n side by side, [batch, 3 * hidden]

  Tensor composite(const Inputs& x) const override { return autograd::gru_gates(x[0], x[1], x[2]); }
  bool keeps(std::size_t i) const override { return i != 0 && (needs(0) || needs(1)); }
};

Tensor gru_forward(const Tensor& from_input, const Tensor& from_hidden, const Tensor& hidden, Where where) {
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

bool gru_backward(GruGates& node, Step& step) {
  const Tensor dy = step.contiguous_dy();
  const Tensor from_hidden = node.input(1);
  const Tensor hidden = node.input(2);
  const Tensor dinput = make_tensor(node.gates.shape(), node.dtype);
  const Tensor dhidden_part = make_tensor(node.gates.shape(), node.dtype);
  const Tensor dhidden = make_tensor(node.shape, node.dtype);
  with_float_type(node.dtype, [&]<class T>(T) {
    kernels::gru_gates_backward(pointer<T>(dinput), pointer<T>(dhidden_part), pointer<T>(dhidden), pointer<T>(dy),
                                pointer<T>(node.gates), pointer<T>(from_hidden), pointer<T>(hidden), node.shape[0],
                                node.shape[1]);
  });
  step.hand_on(0, dinput);
  step.hand_on(1, dhidden_part);
  step.hand_on(2, dhidden);
  return true;
}

// ---- LSTM ------------------------------------------------------------------------------------------------------------

struct LstmGates final : Fused {
  static constexpr OpText text{
      "lstm_gates", "c' = f * c + i * g, h' = o * tanh(c'), i, f and o = sigmoid(a + b), g = tanh(a + b)",
      "dc' += dh' * o * (1 - tanh(c')^2), di = dc' * g * i * (1 - i), df = dc' * c * f * (1 - f), "
      "dg = dc' * i * (1 - g^2), do = dh' * tanh(c') * o * (1 - o), dc = dc' * f"};
  Tensor gates;      // i, f, g and o side by side, [batch, 4 * hidden]
  Tensor cell_tanh;  // tanh(c'), [batch, hidden]

  Tensor composite(const Inputs& x) const override { return autograd::lstm_gates(x[0], x[1], x[2]); }
  bool keeps(std::size_t i) const override { return i == 2 && (needs(0) || needs(1)); }
};

Tensor lstm_forward(const Tensor& from_input, const Tensor& from_hidden, const Tensor& cell, Where where) {
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

bool lstm_backward(LstmGates& node, Step& step) {
  const Tensor dy = step.contiguous_dy();
  const Tensor cell = node.input(2);
  const Tensor dgates = make_tensor(node.gates.shape(), node.dtype);
  const Tensor dcell = make_tensor(cell.shape(), node.dtype);
  with_float_type(node.dtype, [&]<class T>(T) {
    const T* dh = pointer<T>(dy);
    const T* dc = dh + dcell.numel();
    kernels::lstm_gates_backward(pointer<T>(dgates), pointer<T>(dcell), dh, dc, pointer<T>(node.gates),
                                 pointer<T>(node.cell_tanh), pointer<T>(cell), cell.shape()[0], cell.shape()[1]);
  });
  step.hand_on(0, dgates);
  step.hand_on(1, dgates);
  step.hand_on(2, dcell);
  return true;
}

[[maybe_unused]] const bool known = [] {
  gru_gates.run = gru_forward;
  lstm_gates.run = lstm_forward;
  return set_fused_shortcut<GruGates, gru_backward>() && set_fused_shortcut<LstmGates, lstm_backward>();
}();

}  // namespace
}  // namespace autograd::fast
