// Hooks, and retain_grad(): what users hang on tensors and nodes, to be called when a gradient passes.
#pragma once

#include "autograd/tape/node.h"

namespace autograd {

// Calls the hooks on a node's output, which may replace the gradient, keeps that where retain_grad() asked for it, and
// calls the node's prehooks. Returns what the gradient is now.
Tensor run_hooks(Node& node, Tensor gradient);
// After the node's backward.
void run_posthooks(const Node& node, const Grads& gradients, const Tensor& dy);

}  // namespace autograd
