// Derivatives that are right as numbers and wrong as functions: something in them was detached, so that their own
// derivatives are wrong. And mistakes at points where differences say nothing.

#include <cmath>
#include <limits>
#include <numbers>

#include "tests/autograd/ops/op_mistakes.h"

using namespace autograd;

namespace op_mistakes {
namespace {

Tensor x0(In run) {
  return run.x[0].detach();
}
Tensor x1(In run) {
  return run.x[1].detach();
}
Tensor y(In run) {
  return run.y.detach();
}
Tensor transposed(const Tensor& x) {
  return x.transpose(-2, -1);
}

// ... = sum(w * dy) over the dim that softmax went along, with the weights w that right_for() shows.
Tensor softmax_gradient(In run, const Tensor& weights, std::int64_t dim) {
  return weights * (run.dy - sum(weights * run.dy, dim, true));
}

// The saved value is used outside the graph.
Mistakes detached_values() {
  const auto factors = [](In run) -> Grads { return {run.dy * x1(run), run.dy * x0(run)}; };
  const auto quotient = [](In run) -> Grads { return {run.dy / x1(run), -run.dy * y(run) / x1(run)}; };
  const auto power = [](In run) { return run.dy * run.x[1] * pow(x0(run), run.x[1] - 1.0); };
  const auto matrices = [](In run) -> Grads {
    return {matmul(run.dy, transposed(x1(run))), matmul(transposed(x0(run)), run.dy)};
  };
  const auto weight = [](In run) { return matmul(run.dy.flatten(0, -2).t(), x0(run).flatten(0, -2)); };
  const auto along = [](const Tensor& x, std::int64_t dim) { return softmax(x, dim); };
  const auto softmaxed = [=](In run) { return softmax_gradient(run, y(run), dim_of(along, run)); };
  const auto masked = [](In run) { return softmax_gradient(run, y(run), -1); };
  const auto log_along = [](const Tensor& x, std::int64_t dim) { return log_softmax(x, dim); };
  const auto log_softmaxed = [=](In run) { return run.dy - exp(y(run)) * run.dy.sum(dim_of(log_along, run), true); };
  return {
      {"mul", "operands detached", factors},
      {"div", "denominator and output detached", quotient},
      {"pow", "base detached", da(power)},
      {"exp", "output detached", dx([](In run) { return run.dy * y(run); })},
      {"log", "input detached", dx([](In run) { return run.dy / x0(run); })},
      {"sqrt", "output detached", dx([](In run) { return run.dy / (2.0 * y(run)); })},
      {"sin", "input detached", dx([](In run) { return run.dy * cos(x0(run)); })},
      {"log1p", "input detached", dx([](In run) { return run.dy / (1.0 + x0(run)); })},
      {"erf", "input detached",
       dx([](In run) { return run.dy * (2.0 * std::numbers::inv_sqrtpi) * exp(-x0(run).square()); })},
      {"cos", "input detached", dx([](In run) { return -run.dy * sin(x0(run)); })},
      {"tanh", "output detached", dx([](In run) { return run.dy * (1.0 - y(run) * y(run)); })},
      {"tanh", "one of the two factors detached", dx([](In run) { return run.dy * (1.0 - run.y * y(run)); })},
      {"sigmoid", "output detached", dx([](In run) { return run.dy * y(run) * (1.0 - y(run)); })},
      {"matmul", "operands detached", matrices},
      {"bmm", "operands detached", matrices},
      {"linear", "x detached", wrong(1, weight)},
      {"softmax", "output detached", dx(softmaxed)},
      {"log_softmax", "output detached", dx(log_softmaxed)},
      {"masked_softmax", "output detached", dx(masked)},
  };
}

// The backward runs outside the graph.
Mistakes detached_gradients() {
  Mistakes mistakes;
  for (const char* op : {"add", "sum", "mean", "transpose", "index_select", "relu", "cat"}) {
    mistakes.push_back({op, "gradient detached", each([](const Tensor& right, In) { return right.detach(); })});
  }
  return mistakes;
}

// ---- at special points -------------------------------------------------------------------------------------------

// Which row of the weight each row of the output is.
std::vector<std::int64_t> ids_of(In run) {
  const Tensor rows = run.y.reshape({-1, run.y.size(-1)});
  std::vector<std::int64_t> found;
  for (std::int64_t t = 0; t < rows.size(0); ++t) {
    for (std::int64_t id = 0; id < run.x[0].size(0); ++id) {
      if (allclose(rows[t], run.x[0][id])) found.push_back(id);
    }
  }
  return found;
}

Tensor with_padding_row(In run) {
  const std::vector<std::int64_t> list = ids_of(run);
  const Tensor rows = run.dy.reshape({-1, run.dy.size(-1)});
  return index_add(zeros(run.x[0].shape(), run.dy.dtype()), 0, ids(list, rows.size(0)), rows);
}

// The limits show in the elements that were cut off.
Tensor without_limits(In run) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Tensor low = amax(where(run.x[0] < run.y, run.y, -infinity));
  const Tensor high = amin(where(run.x[0] > run.y, run.y, infinity));
  return where(logical_or(run.y == low, run.y == high), 0.0, run.right[0]);
}

}  // namespace

const Mistakes& of_second_order() {
  static const Mistakes table = joined({detached_values(), detached_gradients()});
  return table;
}

const Mistakes& at_special_points() {
  const auto first_wins = [](In run) -> Grads {
    const Tensor first = run.right[0] != 0.0;
    return {where(first, run.dy, 0.0), where(first, 0.0, run.dy)};
  };
  const auto step = [](In run) { return where(run.x[0] >= 0.0, run.dy, 0.0); };
  const auto sign_without_0 = [](In run) { return where(run.x[0] >= 0.0, run.dy, -run.dy); };
  const auto no_case_for_0 = [](In run) { return run.dy * run.x[1] * pow(run.x[0], run.x[1] - 1.0); };
  static const Mistakes table = {
      {"maximum", "the first operand gets all of it at a tie", first_wins},
      {"relu", "gradient 1 at 0", dx(step)},
      {"abs", "gradient 1 at 0", dx(sign_without_0)},
      {"clamp", "gradient 0 at the limits", dx(without_limits)},
      {"pow", "0 * infinity at a = b = 0", da(no_case_for_0)},
      {"embedding", "padding row gets a gradient", dx(with_padding_row)},
  };
  return table;
}

}  // namespace op_mistakes
