#include "autograd/tape/backward.h"

#include <fmt/core.h>

#include "autograd/ops/ops.h"
#include "autograd/tape/observer.h"
#include "autograd/tape/pass.h"
#include "autograd/tensor/checks.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/format.h"

namespace autograd {
namespace {

void check_in_graph(const char* asked, const Tensor& tensor, Where where) {
  check_defined(asked, tensor, where);
  if (tensor.requires_grad()) return;
  fail(ErrorId::no_graph, asked, where,
       fmt::format("nothing was recorded on the way to this tensor, {}", tensor.shape()),
       "call requires_grad_() on the inputs before the forward pass, and do not compute it under NoGradGuard or "
       "after detach()");
}

}  // namespace

// ---- the three ways in -----------------------------------------------------------------------------------------

void Tensor::backward(const Tensor& gradient, BackwardOptions options, Where where) const {
  check_in_graph("backward", *this, where);
  const NoGradGuard no_graph;
  Pass pass("backward", where, options);
  pass.start_from(*this, gradient);
  while (Node* node = pass.next()) run_node(*node);
}

void Tensor::backward(BackwardOptions options, Where where) const {
  backward(Tensor(), options, where);
}

void backward(const std::vector<Tensor>& tensors, const std::vector<Tensor>& gradients, BackwardOptions options,
              Where where) {
  for (const Tensor& tensor : tensors) check_in_graph("backward", tensor, where);
  if (!gradients.empty() && gradients.size() != tensors.size()) {
    fail(ErrorId::bad_argument, "backward", where,
         fmt::format("there are {} gradients for {} tensors", gradients.size(), tensors.size()),
         "give one gradient per tensor, an undefined Tensor where it is 1, or none at all");
  }
  const NoGradGuard no_graph;
  Pass pass("backward", where, options);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    pass.start_from(tensors[i], gradients.empty() ? Tensor() : gradients[i]);
  }
  while (Node* node = pass.next()) run_node(*node);
}

std::vector<Tensor> grad(const Tensor& output, const std::vector<Tensor>& inputs, const GradOptions& options,
                         Where where) {
  check_in_graph("grad", output, where);
  for (const Tensor& input : inputs) check_in_graph("grad", input, where);
  const GradModeGuard graph(options.create_graph);
  Pass pass("grad", where);
  pass.start_from(output, options.grad_output);
  pass.restrict_to(inputs);
  while (Node* node = pass.next()) run_node(*node);

  std::vector<Tensor> gradients;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    gradients.push_back(pass.result(inputs[i]));
    if (gradients.back().defined() || options.allow_unused) continue;
    fail(ErrorId::no_graph, "grad", where,
         fmt::format("the output does not depend on input {}, which is {}", i, inputs[i].shape()),
         "check the forward pass, or pass {.allow_unused = true} to get an undefined tensor for it");
  }
  return gradients;
}

// ---- one op ----------------------------------------------------------------------------------------------------

namespace {

// The gradient of the node's output, complete now because every op that used it has run, as the user's hooks leave it.
Tensor take_gradient(Node& node) {
  Tensor gradient = std::move(node.gradient);
  gradient = run_hooks(node, std::move(gradient));
  node.pass->arrived(node, gradient);
  return gradient;
}

[[noreturn]] void fail_gradient(const Node& node, std::size_t input, const Tensor& gradient) {
  const Node& target = *node.inputs[input];
  fail(ErrorId::wrong_gradient, node.name(), node.called_at,
       fmt::format("its backward returned {} {} for input {}, which is {} {}", gradient.dtype(), gradient.shape(),
                   input, target.dtype, target.shape),
       "a gradient has the shape and dtype of its input: transpose, sum or reshape it in the op's backward");
}

[[gnu::noinline]] Tensor undo_broadcast(const Node& node, std::size_t input, const Tensor& gradient) {
  const Node& target = *node.inputs[input];
  Shape together;
  const bool broadcast = node.op->broadcasts && broadcast_shapes(gradient.shape(), target.shape, &together) &&
                         together == gradient.shape();
  if (!broadcast) fail_gradient(node, input, gradient);
  return sum_to(gradient, target.shape);
}

// Sums a gradient with respect to an input of `node` to the input's own shape, and accumulates it there.
void contribute(const Node& node, std::size_t input, const Tensor& gradient) {
  Node& target = *node.inputs[input];
  if (gradient.dtype() != target.dtype) fail_gradient(node, input, gradient);
  const bool fits = gradient.shape() == target.shape;
  const Tensor contribution = fits ? gradient : undo_broadcast(node, input, gradient);
  if (observer()) observer()->accumulated(node, input, contribution);
  node.pass->enqueue(target);
  accumulate(target, contribution);
}

// Hands the gradients that a node's backward returned to the nodes of its inputs.
void pass_on(const Node& node, const Grads& gradients) {
  if (gradients.size() != node.inputs.size()) {
    fail(ErrorId::wrong_gradient, node.name(), node.called_at,
         fmt::format("its backward returned {} gradients for {} inputs", gradients.size(), node.inputs.size()),
         "return one gradient per input, an undefined Tensor where none flows");
  }
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (node.needs(i) && gradients[i].defined()) contribute(node, i, gradients[i]);
  }
}

}  // namespace

// Every op's backward runs here. A breakpoint here sees them all, in the reverse of the program's order.
void run_node(Node& node) {
  const Tensor dy = take_gradient(node);
  if (!node.pass->runs(node)) return;
  const Grads gradients = observer() ? observer()->run(node, dy) : node.backward(dy);
  pass_on(node, gradients);
}

void accumulate(Node& to, const Tensor& contribution) {
  to.gradient = to.gradient.defined() ? to.gradient + contribution : contribution;
  lend(to.gradient);
}

Tensor sum_to(const Tensor& gradient, const Shape& shape) {
  const int added = gradient.dim() - shape.dim();
  Dims repeated;
  for (int i = 0; i < gradient.dim(); ++i) {
    if (i < added || (shape[i - added] == 1 && gradient.shape()[i] != 1)) repeated.push_back(i);
  }
  const Tensor summed = repeated.empty() ? gradient : sum(gradient, repeated, true);
  return summed.shape() == shape ? summed : summed.reshape(shape);
}

}  // namespace autograd
