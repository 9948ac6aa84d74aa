// Running hooks: the functions that users registered on tensors and nodes, to be called when a gradient passes.
#pragma once

#include "autograd/tape/node.h"

namespace autograd {

// Calls the hooks on a node's output, which may replace the gradient, stores the gradient if retain_grad() was called,
// then calls the node's prehooks. Returns the gradient as the hooks left it.
Tensor run_hooks(Node& node, Tensor gradient);
// Calls the hooks that follow the node's backward.
void run_posthooks(const Node& node, const Grads& gradients, const Tensor& dy);

}  // namespace autograd
