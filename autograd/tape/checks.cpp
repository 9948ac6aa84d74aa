#include "autograd/tape/checks.h"

#include <fmt/core.h>

#include "autograd/tensor/checks.h"
#include "autograd/tensor/format.h"

namespace autograd {

void check_in_graph(const char* asked, const Tensor& tensor, Where where) {
  check_defined(asked, tensor, where);
  if (tensor.requires_grad()) return;
  fail(ErrorId::no_graph, asked, where,
       fmt::format("nothing was recorded on the way to this tensor, {}", tensor.shape()),
       "call requires_grad_() on the inputs before the forward pass, and do not compute it under NoGradGuard or "
       "after detach()");
}

void check_seed(const char* asked, const Tensor& root, const Tensor& gradient, Where where) {
  if (!gradient.defined()) {
    if (root.numel() == 1) return;
    fail(ErrorId::not_a_scalar, asked, where,
         fmt::format("a gradient is implied only for a single number, and this tensor is {}", root.shape()),
         "reduce it first, as in x.sum().backward(), or pass dL/dx: x.backward(gradient)");
  }
  check_same_shape(asked, root.shape(), gradient.shape(), where, "the gradient has not the shape of the tensor",
                   "pass a gradient of the tensor's own shape");
  check_same_dtype(asked, root, gradient, where);
}

void check_seed_count(const std::vector<Tensor>& tensors, const std::vector<Tensor>& gradients, Where where) {
  if (gradients.empty() || gradients.size() == tensors.size()) return;
  fail(ErrorId::bad_argument, "backward", where,
       fmt::format("there are {} gradients for {} tensors", gradients.size(), tensors.size()),
       "give one gradient per tensor, an undefined Tensor where it is 1, or none at all");
}

void fail_unusable(const char* asked, const Node& node, Where where) {
  if (node.released) {
    fail(ErrorId::no_graph, asked, where,
         fmt::format("the graph of the op {} at {} was released by an earlier backward()", node.name(),
                     to_string(node.called_at)),
         "run the forward pass again, or leave out {.release_graph = true}");
  }
  fail(ErrorId::nested_backward, asked, where,
       fmt::format("the op {} at {} is part of a backward pass that is still running", node.name(),
                   to_string(node.called_at)),
       "do not call backward() from a hook of the same graph; use the gradient that the hook is given");
}

void check_hook_result(const Node& node, const Tensor& replaced, const Tensor& gradient) {
  if (replaced.shape() == gradient.shape() && replaced.dtype() == gradient.dtype()) return;
  fail(ErrorId::wrong_gradient, "register_hook", node.called_at,
       fmt::format("a hook returned {} {} for a gradient that is {} {}", replaced.dtype(), replaced.shape(),
                   gradient.dtype(), gradient.shape()),
       "return a gradient of the same shape and dtype, or an undefined Tensor to leave it as it is");
}

void fail_gradient_count(const Node& node, const Grads& gradients) {
  fail(ErrorId::wrong_gradient, node.name(), node.called_at,
       fmt::format("its backward returned {} gradients for {} inputs", gradients.size(), node.inputs.size()),
       "return one gradient per input, an undefined Tensor where none flows");
}

void fail_gradient(const Node& node, std::size_t input, const Tensor& gradient) {
  const Node& target = *node.inputs[input];
  fail(ErrorId::wrong_gradient, node.name(), node.called_at,
       fmt::format("its backward returned {} {} for input {}, which is {} {}", gradient.dtype(), gradient.shape(),
                   input, target.dtype, target.shape),
       "a gradient has the shape and dtype of its input: transpose, sum or reshape it in the op's backward");
}

void Node::fail_not_saved() const {
  fail(ErrorId::undefined_tensor, name(), called_at, "its backward uses a value that was not saved",
       "keep it where the op is recorded: node->x = node->save(x)");
}

void Node::fail_clobbered(const Tensor& saved, bool is_output) const {
  const Storage::Write& change = *saved.impl()->storage->last_write;
  const std::string changed_at = to_string(change.where);
  const std::string called_from = change.origin.line != 0 ? to_string(change.origin) : changed_at;
  fail(ErrorId::in_place_clobber, name(), called_at,
       fmt::format("it needs its {} {} to compute the gradient, but {} changed it in place at {}{}",
                   is_output ? "output" : "input", saved.shape(), change.op, changed_at,
                   called_from == changed_at ? "" : ", called at " + called_from),
       "use the out-of-place form there, or clone() before changing it");
}

}  // namespace autograd
