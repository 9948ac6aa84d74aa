// Running hooks: the functions that users registered on tensors and nodes, to be called when a gradient passes.
#include "autograd/ops/ops.h"
#include "autograd/tape/checks.h"
#include "autograd/tape/leaf.h"
#include "autograd/tape/pass.h"

namespace autograd {
namespace {

// backward() fills x.grad(); the function grad() leaves every tensor's alone.
void keep_retained(Node& node, const Tensor& gradient) {
  GradientSlot* slot = node.attachments->retained.get();
  if (!slot || node.pass->captures_only()) return;
  node.pass->keep_for_rollback(*slot);
  add_to_grad(*slot, clone(gradient.detach()));  // the gradient itself flows on
}

using TensorHooks = std::vector<std::pair<int, TensorHook>>;

const TensorHooks* tensor_hooks(const Node& node) {
  if (node.is_leaf()) {
    const auto& label = static_cast<const Leaf&>(node).tensor.impl()->label;
    return label ? &label->hooks : nullptr;
  }
  return node.attachments ? &node.attachments->tensor_hooks : nullptr;
}

// Each hook sees, and may replace, what the one before it left. `hooks` is a copy: a hook may remove itself.
Tensor run_tensor_hooks(const TensorHooks hooks, const Node& node, Tensor gradient) {
  if (!hooks.empty()) gradient = own_memory(gradient);  // a hook that keeps it may change it later
  for (const auto& [number, hook] : hooks) {
    lend(gradient);
    const Tensor replaced = hook(gradient);
    if (!replaced.defined()) continue;
    check_hook_result(node, replaced, gradient);
    gradient = replaced;
  }
  lend(gradient);
  return gradient;
}

}  // namespace

Tensor run_hooks(Node& node, Tensor gradient) {
  if (const TensorHooks* hooks = tensor_hooks(node)) gradient = run_tensor_hooks(*hooks, node, std::move(gradient));
  if (node.attachments) {
    keep_retained(node, gradient);
    const std::vector<Node::PreHook> hooks = node.attachments->prehooks;  // a copy: a hook may register another
    for (const Node::PreHook& hook : hooks) hook(gradient);
  }
  return gradient;
}

void run_posthooks(const Node& node, const Grads& gradients, const Tensor& dy) {
  const std::vector<Node::PostHook> hooks = node.attachments->posthooks;  // a copy, as above
  if (hooks.empty()) return;
  for (const Tensor& gradient : gradients) {
    if (gradient.defined()) lend(gradient);
  }
  for (const Node::PostHook& hook : hooks) hook(gradients, dy);
}

}  // namespace autograd
