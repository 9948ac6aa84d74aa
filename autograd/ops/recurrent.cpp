// The gates of GRU and LSTM: all of a step but its two matrix products.
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

}  // namespace

Tensor gru_gates(const Tensor& from_input, const Tensor& from_hidden, const Tensor& hidden, Where where) {
  check_gates("gru_gates", 3, from_input, from_hidden, hidden, where);
  if (fast::gru_gates) return fast::gru_gates.run(from_input, from_hidden, hidden, where);

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
  if (fast::lstm_gates) return fast::lstm_gates.run(from_input, from_hidden, cell, where);

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
