// The gates of recurrent layers: what follows the two matrix products of a step.
#include <fmt/core.h>

#include "autograd/format.h"
#include "autograd/ops_common.h"

namespace autograd {

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

namespace {

void check_gates(const Tensor& from_input, const Tensor& from_hidden, const Tensor& hidden, Where where) {
  check_floating("gru_gates", hidden, where);
  check_same_dtype("gru_gates", hidden, from_input, where);
  check_same_dtype("gru_gates", hidden, from_hidden, where);
  const bool is_matrix = hidden.dim() == 2;
  const Shape expected = is_matrix ? Shape{hidden.shape()[0], 3 * hidden.shape()[1]} : Shape{};
  for (const Tensor* product : {&from_input, &from_hidden}) {
    if (is_matrix && product->shape() == expected) continue;
    fail_shapes("gru_gates", hidden.shape(), product->shape(), where,
                "the hidden state is [batch, hidden], and there are three numbers for each of its own",
                "give both products as [batch, 3 * hidden], the parts for r, z and n side by side");
  }
}

}  // namespace

Tensor gru_gates(const Tensor& from_input, const Tensor& from_hidden, const Tensor& hidden, Where where) {
  check_gates(from_input, from_hidden, hidden, where);
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

}  // namespace autograd
