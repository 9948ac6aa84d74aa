#include "autograd/debug/step/replay.h"

#include <fmt/core.h>

#include <functional>
#include <vector>

#include "autograd/debug/step/refused.h"
#include "autograd/debug/unobserved.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/backward.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/factories.h"

namespace autograd::debug {

Grads run_backward(const Node& node, const Tensor& dy) {
  if (node.is_leaf()) {
    throw Refused(fmt::format("{} is a leaf: it has no derivative of its own", label(node)),
                  "an op, as `info nodes` lists them");
  }
  if (node.released) {
    throw Refused(fmt::format("the graph of {} was released by .release_graph", describe(node)),
                  "an op that has not run yet");
  }
  const Unobserved unobserved;
  return const_cast<Node&>(node).backward(dy);
}

Ran ran_of(const Node& node, const View& view) {
  const bool is_current = &node == view.current();
  if (!is_current && !view.has_run(node)) return {};
  if (is_current && view.is_real()) return {view.dy(), run_backward(node, view.dy())};
  const Step& step = view.pass->steps[*view.pass->step_of(node)];
  return {view.pass->dy_of(step), view.pass->gradients_of(step)};
}

namespace {

// The op run once more, with inputs of its own that need a gradient.
struct Again {
  Inputs inputs;
  Tensor output;
};

Again run_again(const Call& call, const std::function<bool(std::size_t)>& needs_gradient) {
  const GradModeGuard graph(true);
  Again again;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    const Tensor& input = call.inputs[i];
    again.inputs.push_back(input.defined() ? input.detach() : input);
    if (input.defined() && is_floating(input.dtype()) && needs_gradient(i)) again.inputs[i].requires_grad_();
  }
  again.output = call.node->forward(again.inputs);
  return again;
}

Grads pulled_back(const Again& again, const Tensor& dy) {
  std::vector<Tensor> wanted;
  for (const Tensor& input : again.inputs) {
    if (input.defined() && input.requires_grad()) wanted.push_back(input);
  }
  Grads result;
  if (wanted.empty() || !again.output.requires_grad()) return result;
  const std::vector<Tensor> found =
      grad(again.output, wanted, {.grad_output = dy, .create_graph = false, .allow_unused = true});
  std::size_t next = 0;
  for (const Tensor& input : again.inputs) {
    result.push_back(input.defined() && input.requires_grad() ? found[next++] : Tensor());
  }
  return result;
}

// For an op whose backward is not made of tensor ops, and so cannot be differentiated: one element of the output after
// the other.
Tensor pushed_by_rows(const Again& again, std::size_t input, const Tensor& direction) {
  constexpr std::int64_t most_rows = 4096;
  const Tensor result = zeros_like(again.output.detach());
  const Shape& shape = result.shape();
  const bool some = shape.numel() <= most_rows;
  for (std::int64_t row = 0; some && row < shape.numel(); ++row) {
    const Grads slopes = pulled_back(again, unit(shape, result.dtype(), index_of(row, shape)));
    if (slopes[input].defined()) element_of(result, index_of(row, shape)).fill_(dot(slopes[input], direction));
  }
  if (some || norm_of(pulled_back(again, ones_like(result))[input]) == 0.0) return result;
  throw Refused(fmt::format("the backward of {} is not made of tensor ops, and its output has {} elements",
                            describe(*again.output.grad_fn()), shape.numel()),
                fmt::format("an output of at most {}", most_rows));
}

}  // namespace

Grads pull_back(const Call& call, const Tensor& dy) {
  const Unobserved unobserved;
  try {
    return pulled_back(run_again(call, [](std::size_t) { return true; }), dy);
  } catch (const Error&) {  // its backward gives no gradient to an input that is a constant in the program
    return pulled_back(run_again(call, [&](std::size_t i) { return i < call.from.size() && call.from[i]; }), dy);
  }
}

Tensor push_forward(const Call& call, std::size_t input, const Tensor& direction) {
  const Unobserved unobserved;
  const GradModeGuard graph(true);
  const Again again = run_again(call, [&](std::size_t i) { return i == input; });
  if (!again.output.requires_grad()) return zeros_like(again.output.detach());
  // The gradient is linear in the cotangent; differentiated with respect to it, it gives the directional derivative.
  const Tensor cotangent = zeros_like(again.output.detach()).requires_grad_();
  const Tensor gradient =
      grad(again.output, {again.inputs[input]}, {.grad_output = cotangent, .create_graph = true})[0];
  if (!gradient.requires_grad()) return pushed_by_rows(again, input, direction);
  const Tensor pushed =
      grad(gradient, {cotangent}, {.grad_output = direction, .create_graph = false, .allow_unused = true})[0];
  return pushed.defined() ? pushed.detach() : zeros_like(again.output.detach());
}

Tensor unit(const Shape& shape, DType dtype, const std::vector<std::int64_t>& index) {
  const Unobserved unobserved;
  const Tensor result = zeros(shape, dtype);
  element_of(result, index).fill_(1.0);
  return result;
}

double dot(const Tensor& a, const Tensor& b) {
  const std::vector<double> a_ = a.to_vector();
  const std::vector<double> b_ = b.to_vector();
  double sum = 0.0;
  for (std::size_t i = 0; i < a_.size() && i < b_.size(); ++i) sum += a_[i] * b_[i];
  return sum;
}

}  // namespace autograd::debug
