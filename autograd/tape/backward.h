// Differentiation: backward() and grad(), and the places that every gradient passes on its way.
#pragma once

#include <vector>

#include "autograd/tape/mode.h"
#include "autograd/tape/node.h"
#include "autograd/tensor/tensor.h"

namespace autograd {

// From several tensors at once: adds d(sum_i <gradients[i], tensors[i]>)/d(leaf) to every leaf's grad(). An undefined
// gradient stands for 1; its tensor must have one element.
void backward(const std::vector<Tensor>& tensors, const std::vector<Tensor>& gradients = {},
              BackwardOptions options = {}, Where where = Where::current());

struct GradOptions {
  Tensor grad_output = Tensor();  // dL/d(output); may be left out for one element, where it is 1
  bool create_graph = false;      // record the derivatives: results can be differentiated, and all run by formula
  bool allow_unused = false;      // an input that output does not depend on: undefined instead of an error
};

// d(output)/d(input) for each input, leaf or not. Hooks run, but no tensor's grad() changes. No result shares memory
// with another tensor.
std::vector<Tensor> grad(const Tensor& output, const std::vector<Tensor>& inputs, const GradOptions& options = {},
                         Where where = Where::current());

// ---- where everything passes -----------------------------------------------------------------------------------

// Runs a node's backward and its hooks, and hands the gradients on.
[[gnu::noinline]] void run_node(Node& node);  // a breakpoint stops in Release too
// Adds a contribution to the gradient of a node's output.
void accumulate(Node& to, const Tensor& contribution);
// The node whose backward is running on this thread, or nullptr.
const Node* node_of_running_pass();
inline const Node* running_node() {
  return around_op.pass ? node_of_running_pass() : nullptr;
}

// ---- un-broadcasting -------------------------------------------------------------------------------

// Sums a gradient over the dims that broadcasting repeated: to `shape`, which broadcasts to the gradient's own. No op
// whose `broadcasts` is true does this itself.
Tensor sum_to(const Tensor& gradient, const Shape& shape);

}  // namespace autograd
