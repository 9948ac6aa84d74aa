// What a pass refuses, and what it says then. `asked` is the function that the user called: "backward" or "grad".
#pragma once

#include <vector>

#include "autograd/tape/node.h"

namespace autograd {

// no-graph unless the tensor needs a gradient.
void check_in_graph(const char* asked, const Tensor& tensor, Where where);
// The gradient that a pass starts from: not-a-scalar, shape-mismatch, dtype-mismatch.
void check_seed(const char* asked, const Tensor& root, const Tensor& gradient, Where where);
// bad-argument unless there are none, or one for each tensor.
void check_seed_count(const std::vector<Tensor>& tensors, const std::vector<Tensor>& gradients, Where where);
// A node that was released, or that another pass is running on.
[[noreturn]] void fail_unusable(const char* asked, const Node& node, Where where);

// What a hook made of a gradient: wrong-gradient unless shape and dtype are the same.
void check_hook_result(const Node& node, const Tensor& replaced, const Tensor& gradient);
// What an op's backward returned: wrong-gradient.
[[noreturn]] void fail_gradient_count(const Node& node, const Grads& gradients);
[[noreturn]] void fail_gradient(const Node& node, std::size_t input, const Tensor& gradient);

}  // namespace autograd
