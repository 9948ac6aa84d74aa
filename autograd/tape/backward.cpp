#include "autograd/tape/backward.h"

#include <fmt/core.h>

#include "autograd/ops/ops.h"
#include "autograd/tape/observer.h"
#include "autograd/tape/pass.h"
#include "autograd/tensor/checks.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/factories.h"
#include "autograd/tensor/format.h"
#include "autograd/tensor/kernel_arguments.h"

namespace autograd {
namespace {

// Says which op is being differentiated, for error messages and for nodes made meanwhile.
class RunningGuard {
 public:
  explicit RunningGuard(const Node& node) : before_(running) { running = &node; }
  ~RunningGuard() { running = before_; }
  RunningGuard(const RunningGuard&) = delete;
  RunningGuard& operator=(const RunningGuard&) = delete;

 private:
  const Node* before_;
};

Differentiated running_op() {
  const Node* node = running_node();
  if (!node) return {};
  if (node->is_leaf()) return {fmt::format("the gradient of: a leaf, {}", to_string(node->shape))};
  return {fmt::format("the backward of: {}, run at {}", node->name(), to_string(node->called_at)), node->called_at,
          node->scope};
}
// Errors say what was being differentiated.
[[maybe_unused]] const bool errors_know = (differentiated = running_op) != nullptr;

void check_in_graph(const Tensor& tensor, const char* what, Where where) {
  check_defined(what, tensor, where);
  if (tensor.requires_grad()) return;
  fail(ErrorId::no_graph, what, where,
       fmt::format("nothing was recorded on the way to this tensor, {}", tensor.shape()),
       "call requires_grad_() on the inputs before the forward pass, and do not compute it under NoGradGuard or "
       "after detach()");
}

void check_seed_count(const std::vector<Tensor>& tensors, const std::vector<Tensor>& gradients, Where where) {
  if (gradients.empty() || gradients.size() == tensors.size()) return;
  fail(ErrorId::bad_argument, "backward", where,
       fmt::format("there are {} gradients for {} tensors", gradients.size(), tensors.size()),
       "give one gradient per tensor, an undefined Tensor where it is 1, or none at all");
}

}  // namespace

// ---- the loop ------------------------------------------------------------------------------------------

void Tensor::backward(const Tensor& gradient, BackwardOptions options, Where where) const {
  check_in_graph(*this, "backward", where);
  const NoGradGuard no_graph;
  Pass pass(*this, gradient, where, options);
  while (Node* node = pass.next()) run_node(*node);
}

void Tensor::backward(BackwardOptions options, Where where) const {
  backward(Tensor(), options, where);
}

void backward(const std::vector<Tensor>& tensors, const std::vector<Tensor>& gradients, BackwardOptions options,
              Where where) {
  for (const Tensor& tensor : tensors) check_in_graph(tensor, "backward", where);
  check_seed_count(tensors, gradients, where);
  const NoGradGuard no_graph;
  Pass pass(tensors, gradients, where, options);
  while (Node* node = pass.next()) run_node(*node);
}

std::vector<Tensor> grad(const Tensor& output, const std::vector<Tensor>& inputs, const GradOptions& options,
                         Where where) {
  check_in_graph(output, "grad", where);
  for (const Tensor& input : inputs) check_in_graph(input, "grad", where);
  const GradModeGuard graph(options.create_graph);
  Pass pass(output, options.grad_output, where);
  pass.lead_to(inputs);
  while (Node* node = pass.next()) run_node(*node);

  std::vector<Tensor> gradients;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    gradients.push_back(pass.captured(inputs[i]));
    if (gradients.back().defined() || options.allow_unused) continue;
    fail(ErrorId::no_graph, "grad", where,
         fmt::format("the output does not depend on input {}, which is {}", i, inputs[i].shape()),
         "check the forward pass, or pass {.allow_unused = true} to get an undefined tensor for it");
  }
  return gradients;
}

// ---- hooks, and one op's turn --------------------------------------------------------------------------------------

namespace {

bool owns_its_memory(const Tensor& tensor) {
  const TensorImpl* impl = tensor.impl();
  return impl->refs == 1 && impl->storage->refs == 1 && impl->contiguous && !impl->grad_fn;
}

// Contributions may share memory with one another; a gradient that the user sees is on its own.
Tensor own_copy(const Tensor& gradient) {
  return owns_its_memory(gradient) ? gradient : clone(gradient.detach());
}

// backward() fills grad(); the function grad() touches none.
void keep_retained(Node& node, const Tensor& gradient) {
  GradientSlot* slot = node.attachments->retained.get();
  if (!slot || node.pass->captures_only()) return;
  const Tensor& before = slot->gradient;
  node.pass->replace(*slot, before.defined() ? before + gradient : own_copy(gradient));
}

using TensorHooks = std::vector<std::pair<int, TensorHook>>;

const TensorHooks* tensor_hooks(const Node& node) {
  if (node.is_leaf()) {
    const auto& label = static_cast<const Leaf&>(node).tensor.impl()->label;
    return label ? &label->hooks : nullptr;
  }
  return node.attachments ? &node.attachments->tensor_hooks : nullptr;
}

void check_hook_result(const Node& node, const Tensor& replaced, const Tensor& gradient) {
  if (replaced.shape() == gradient.shape() && replaced.dtype() == gradient.dtype()) return;
  fail(ErrorId::wrong_gradient, "register_hook", node.called_at,
       fmt::format("a hook returned {} {} for a gradient that is {} {}", replaced.dtype(), replaced.shape(),
                   gradient.dtype(), gradient.shape()),
       "return a gradient of the same shape and dtype, or an undefined Tensor to leave it as it is");
}

// What the hooks on the tensor make of its gradient. (By value: a hook may remove itself.)
Tensor run_tensor_hooks(const TensorHooks hooks, const Node& node, Tensor gradient) {
  for (const auto& [number, hook] : hooks) {
    const Tensor replaced = hook(gradient);
    if (!replaced.defined()) continue;
    check_hook_result(node, replaced, gradient);
    gradient = replaced;
  }
  return gradient;
}

// By value: a hook may register another.
void run_prehooks(const std::vector<Node::PreHook> hooks, const Tensor& gradient) {
  for (const Node::PreHook& hook : hooks) hook(gradient);
}

[[gnu::noinline]] void run_posthooks(const std::vector<Node::PostHook> hooks, const Grads& gradients,
                                     const Tensor& dy) {
  for (const Node::PostHook& hook : hooks) hook(gradients, dy);
}

// Calls the hooks, which may replace the gradient, and keeps it where retain_grad() asked for it.
[[gnu::noinline]] Tensor announce(Node& node, Tensor gradient) {
  if (const TensorHooks* hooks = tensor_hooks(node)) gradient = run_tensor_hooks(*hooks, node, std::move(gradient));
  if (node.attachments) {
    keep_retained(node, gradient);
    run_prehooks(node.attachments->prehooks, gradient);
  }
  return gradient;
}

// The gradient of the node's output, complete now because every op that used it has run.
Tensor take_gradient(Node& node) {
  Tensor gradient = std::move(node.gradient);
  if (node.attachments || node.is_leaf()) gradient = announce(node, std::move(gradient));
  node.pass->capture(node, gradient);
  return gradient;
}

[[noreturn, gnu::noinline]] void fail_gradient_count(const Node& node, const Grads& gradients) {
  fail(ErrorId::wrong_gradient, node.name(), node.called_at,
       fmt::format("its backward returned {} gradients for {} inputs", gradients.size(), node.inputs.size()),
       "return one gradient per input, an undefined Tensor where none flows");
}

[[noreturn, gnu::noinline]] void fail_gradient(const Node& node, std::size_t input, const Tensor& gradient) {
  const Node& target = *node.inputs[input];
  fail(ErrorId::wrong_gradient, node.name(), node.called_at,
       fmt::format("its backward returned {} {} for input {}, which is {} {}", gradient.dtype(), gradient.shape(),
                   input, target.dtype, target.shape),
       "a gradient has the shape and dtype of its input: transpose, sum or reshape it in the op's backward");
}

// Sums a gradient of the broadcast shape over the dims that were repeated: the one place where broadcasting is undone,
// outside of an op's own formula (a linear layer sums its bias's gradient over the rows).
Tensor sum_to(const Tensor& gradient, const Shape& shape) {
  const int added = gradient.dim() - shape.dim();
  Dims repeated;
  for (int i = 0; i < gradient.dim(); ++i) {
    if (i < added || (shape[i - added] == 1 && gradient.shape()[i] != 1)) repeated.push_back(i);
  }
  const Tensor summed = repeated.empty() ? gradient : sum(gradient, repeated, true);
  return summed.shape() == shape ? summed : summed.reshape(shape);
}

[[gnu::noinline]] Tensor undo_broadcast(const Node& node, std::size_t input, const Tensor& gradient) {
  const Node& target = *node.inputs[input];
  Shape together;
  const bool broadcast = node.op->broadcasts && broadcast_shapes(gradient.shape(), target.shape, &together) &&
                         together == gradient.shape();
  if (!broadcast) fail_gradient(node, input, gradient);
  return sum_to(gradient, target.shape);
}

// Hands the gradients that a node's backward returned to the nodes of its inputs.
void pass_on(const Node& node, const Grads& gradients, const Tensor& dy) {
  if (gradients.size() != node.inputs.size()) fail_gradient_count(node, gradients);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (node.needs(i) && gradients[i].defined()) contribute(node, i, gradients[i]);
  }
  if (node.attachments) run_posthooks(node.attachments->posthooks, gradients, dy);
}

}  // namespace

void contribute(const Node& node, std::size_t input, const Tensor& gradient) {
  Node& target = *node.inputs[input];
  if (gradient.dtype() != target.dtype) fail_gradient(node, input, gradient);
  const bool fits = gradient.shape() == target.shape;
  const Tensor contribution = fits ? gradient : undo_broadcast(node, input, gradient);
  if (observer()) observer()->accumulated(node, input, contribution);
  node.pass->await(target);
  accumulate(target, contribution);
}

// Every op's backward runs here. Break here to see them all, in the reverse of the program's order.
void run_node(Node& node) {
  const RunningGuard guard(node);
  const Tensor dy = take_gradient(node);
  if (!node.pass->must_run(node)) return;
  if (fast::takes_shortcut(node, dy)) return;
  const Grads gradients = observer() ? observer()->run(node, dy) : node.backward(dy);
  pass_on(node, gradients, dy);
}

// Every contribution to a gradient arrives here.
void accumulate(Node& to, const Tensor& contribution) {
  if (!to.gradient.defined()) {
    to.gradient = contribution;
  } else if (!fast::adds_in_place(to.gradient, contribution)) {
    to.gradient = to.gradient + contribution;
  }
}

// The last stop: x.grad += dy. The old gradient is not written over: who holds it keeps it as it is, and a pass that
// fails can put it back. (noinline: a breakpoint here stops in Release too.)
[[gnu::noinline]] Grads Leaf::backward(const Tensor& dy) {
  if (!tensor.requires_grad()) return {};  // no longer
  GradientSlot& slot = gradient_slot(tensor);
  const Tensor sum = slot.gradient.defined() ? slot.gradient + dy.detach() : own_copy(dy);
  if (pass) {
    pass->replace(slot, sum);
  } else {
    slot.gradient = sum;  // by hand, outside of any pass
  }
  return {};
}

}  // namespace autograd
