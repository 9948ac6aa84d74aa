#include "autograd/debug/step/replay.h"

#include <fmt/core.h>

#include "autograd/debug/step/refused.h"
#include "autograd/debug/unobserved.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/backward.h"
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

Tensor push_forward(const Call& call, std::size_t input, const Tensor& direction) {
  const Unobserved unobserved;
  const GradModeGuard graph(true);
  Inputs inputs;
  for (const Tensor& each : call.inputs) inputs.push_back(each.defined() ? each.detach() : each);
  inputs[input].requires_grad_();
  const Tensor output = call.node->forward(inputs);
  // The gradient is linear in the cotangent; differentiated with respect to it, it gives the directional derivative.
  const Tensor cotangent = zeros_like(output.detach()).requires_grad_();
  const Tensor gradient = grad(output, {inputs[input]}, {.grad_output = cotangent, .create_graph = true})[0];
  if (!gradient.requires_grad()) return zeros_like(output.detach());  // the derivative is zero everywhere
  const Tensor pushed =
      grad(gradient, {cotangent}, {.grad_output = direction, .create_graph = false, .allow_unused = true})[0];
  return pushed.defined() ? pushed.detach() : zeros_like(output.detach());
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
