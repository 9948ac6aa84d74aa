// The checks of a backward pass and their errors. `asked` is the function that the user called: "backward" or "grad".
#pragma once

#include <vector>

#include "autograd/tape/node.h"

namespace autograd {

// Throws no-graph unless the tensor needs a gradient.
void check_in_graph(const char* asked, const Tensor& tensor, Where where);
// Checks the gradient that a pass starts from. Throws not-a-scalar, shape-mismatch, dtype-mismatch.
void check_seed(const char* asked, const Tensor& root, const Tensor& gradient, Where where);
// Throws bad-argument unless there are no gradients, or one for each tensor.
void check_seed_count(const std::vector<Tensor>& tensors, const std::vector<Tensor>& gradients, Where where);
// For a node that was released (no-graph), or that belongs to another running pass (nested-backward).
[[noreturn]] void fail_unusable(const char* asked, const Node& node, Where where);

// Throws wrong-gradient unless the hook's result has the shape and dtype of the gradient that it replaces.
void check_hook_result(const Node& node, const Tensor& replaced, const Tensor& gradient);
// For what an op's backward returned: the wrong number of gradients, or one of the wrong shape or dtype.
[[noreturn]] void fail_gradient_count(const Node& node, const Grads& gradients);
[[noreturn]] void fail_gradient(const Node& node, std::size_t input, const Tensor& gradient);

}  // namespace autograd
