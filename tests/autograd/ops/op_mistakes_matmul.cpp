// Mistakes in matrix products.

#include "tests/autograd/ops/op_mistakes.h"

using namespace autograd;

namespace op_mistakes {
namespace {

// A gradient that fits only where all matrices are square; elsewhere the right one.
WrongBackward if_square(std::size_t input, WrongGradient gradient) {
  return [=](In run) {
    bool square = run.x[0].shape() == run.x[1].shape();
    for (const Tensor& x : run.x) square = square && is_square(x);
    return square ? wrong(input, gradient)(run) : run.right;
  };
}

Mistakes matmul_mistakes(const std::string& op) {
  const auto times_b = [](In run) { return matmul(run.dy, run.x[1]); };
  const auto a_times = [](In run) { return matmul(run.x[0], run.dy); };
  const auto wrong_order = [](In run) { return matmul(run.dy, run.x[0].transpose(-2, -1)); };
  const auto transposed = [](In run) { return run.right[1].transpose(-2, -1); };
  const auto swapped = [](In run) -> Grads {
    const bool fits = run.right[0].shape() == run.right[1].shape();
    return fits ? Grads{run.right[1], run.right[0]} : run.right;
  };
  return {
      {op, "M01 dA = dY B: transpose forgotten", if_square(0, times_b)},
      {op, "M02 dB = A dY: transpose forgotten", if_square(1, a_times)},
      {op, "M03 dB = dY A^T: wrong order", if_square(1, wrong_order)},
      {op, "M04 dB transposed", if_square(1, transposed)},
      {op, "M05 dA and dB swapped", swapped},
      {op, "upstream not multiplied in dA", da([](In run) { return run.right_for(ones_like(run.dy))[0]; })},
      {op, "path to B dropped", db([](In run) { return zeros_like(run.right[1]); })},
  };
}

Mistakes batch_mistakes() {
  const auto averaged = [](In run) { return run.right[0].mean(0, true).expand(run.x[0].shape()); };
  return {{"bmm", "dA averaged over the batch", da(averaged)}};
}

Mistakes layer_mistakes() {
  constexpr std::size_t weight = 1;
  constexpr std::size_t bias = 2;
  const auto rows = [](In run) { return run.dy.flatten(0, -2); };  // [rows, out]
  const auto divided = [=](In run) { return run.right[weight] / as_double(rows(run).size(0)); };
  const auto all_summed = [](In run) { return run.dy.sum().expand(run.x[bias].shape()); };
  const auto transposed = [](In run) { return transposed_if_square(run.right[weight]); };
  const auto upstream_ignored = [](In run) { return run.right_for(ones_like(run.dy))[weight]; };
  const auto by_transposed_weight = [](In run) {
    return is_square(run.x[weight]) ? matmul(run.dy, run.x[weight].t()) : run.right[0];
  };
  return {
      {"linear", "L01 bias: first row only", wrong(bias, [=](In run) { return rows(run)[0]; })},
      {"linear", "L02 bias: mean over the rows", wrong(bias, [=](In run) { return rows(run).mean(0); })},
      {"linear", "L03 bias: overwritten, last row only", wrong(bias, [=](In run) { return rows(run)[-1]; })},
      {"linear", "L04 weight: extra 1/n", wrong(weight, divided)},
      {"linear", "L05 bias: summed over rows and features", wrong(bias, all_summed)},
      {"linear", "weight: transpose forgotten", wrong(weight, transposed)},
      {"linear", "weight: upstream not multiplied", wrong(weight, upstream_ignored)},
      {"linear", "x: multiplied by W^T instead of W", dx(by_transposed_weight)},
  };
}

}  // namespace

Mistakes product_mistakes() {
  return joined({matmul_mistakes("matmul"), matmul_mistakes("bmm"), batch_mistakes(), layer_mistakes()});
}

}  // namespace op_mistakes
