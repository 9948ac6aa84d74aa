// Where a gradient arrives at a tensor: its hooks, its grad(), and the methods of Tensor about both.
#include <fmt/core.h>

#include "autograd/ops/ops.h"
#include "autograd/tape/observer.h"
#include "autograd/tape/pass.h"
#include "autograd/tape/record.h"
#include "autograd/tensor/checks.h"
#include "autograd/tensor/format.h"
#include "autograd/tensor/kernel_arguments.h"

namespace autograd {

// ---- hooks -----------------------------------------------------------------------------------------------------

namespace {

TensorMeta* meta_of_output(const Node& node) {
  if (node.is_leaf()) return static_cast<const Leaf&>(node).tensor.impl()->meta.get();
  return node.attachments ? node.attachments->output_meta.get() : nullptr;
}

// Each hook sees, and may replace, what the one before it left. `hooks` is a copy: a hook may remove itself.
Tensor run_tensor_hooks(const std::vector<std::pair<int, TensorHook>> hooks, const Node& node, Tensor gradient) {
  if (!hooks.empty()) gradient = own_memory(gradient);  // a hook that keeps it may change it later
  for (const auto& [number, hook] : hooks) {
    lend(gradient);
    const Tensor replaced = hook(gradient);
    if (!replaced.defined()) continue;
    if (!(replaced.shape() == gradient.shape()) || replaced.dtype() != gradient.dtype()) {
      fail(ErrorId::wrong_gradient, "register_hook", node.called_at,
           fmt::format("a hook returned {} {} for a gradient that is {} {}", replaced.dtype(), replaced.shape(),
                       gradient.dtype(), gradient.shape()),
           "return a gradient of the same shape and dtype, or an undefined Tensor to leave it as it is");
    }
    gradient = replaced;
  }
  lend(gradient);
  return gradient;
}

// x.grad += dy, as a new tensor: whoever holds the old gradient keeps its values, and a failed pass can restore it.
void add_to_grad(TensorMeta& meta, const Tensor& dy) {
  meta.gradient = meta.gradient.defined() ? meta.gradient + dy.detach() : own_memory(dy);
  meta.had_gradient = true;
}

}  // namespace

Tensor run_hooks(const Node& node, Tensor gradient) {
  TensorMeta* meta = meta_of_output(node);
  if (!meta) return gradient;
  gradient = run_tensor_hooks(meta->hooks, node, std::move(gradient));
  // backward() fills x.grad(); the function grad() leaves every tensor's alone.
  if (!node.is_leaf() && meta->retains_grad && !node.pass->is_of_grad()) {
    node.pass->keep_for_rollback(*meta);
    add_to_grad(*meta, clone(gradient.detach()));  // the gradient itself flows on
  }
  return gradient;
}

// Where gradients leave the graph. (noinline, so that a breakpoint stops here in Release too.)
[[gnu::noinline]] Grads Leaf::backward(const Tensor& dy) {
  if (!tensor.requires_grad()) return {};  // switched off since the forward pass
  TensorMeta& meta = meta_of(tensor);
  if (pass) pass->keep_for_rollback(meta);  // no pass if backward() was called directly
  add_to_grad(meta, dy);
  return {};
}

Tensor own_memory(const Tensor& gradient) {
  const TensorImpl* impl = gradient.impl();
  const bool is_alone = impl->refs == 1 && impl->storage->refs == 1 && impl->contiguous;
  const bool has_unwanted_graph = impl->grad_fn && !grad_enabled();
  if (is_alone && !has_unwanted_graph) {
    impl->storage->lent_to = 0;  // whoever gets it may change it
    return gradient;
  }
  // The copy takes over the gradient's node: the program called no clone().
  const Tensor copy = clone(gradient.detach());
  if (grad_enabled()) copy.impl()->grad_fn = Ref<OwnedNode>(gradient_node(gradient).get());
  return copy;
}

// ---- methods of Tensor -----------------------------------------------------------------------------------------

namespace {

void tell_of_leaf(const Tensor& leaf, Where where) {
  if (const Moments* tell = moments_told) tell->leaf_changes(leaf, where);
}

void check_gets_gradient(const char* asked, const Tensor& tensor, Where where) {
  check_defined(asked, tensor, where);
  if (tensor.requires_grad()) return;
  fail(ErrorId::no_gradient, asked, where, "no gradient will ever reach this tensor",
       "call requires_grad_() on it, or on what it is computed from");
}

}  // namespace

const Tensor& Tensor::set_name(std::string name) const {
  defined_impl("set_name");
  meta_of(*this).name = std::move(name);
  if (is_leaf()) tell_of_leaf(*this, Where{});
  return *this;
}

Tensor Tensor::detach(Where where) const {
  const TensorImpl& impl = defined_impl("detach");
  if (observer() && where.line != 0 && !is_in_library(where)) {  // the ops detach what they compute with
    const Tensor* const self = this;
    tell_untaped(Untaped::Why::detached, "detach", InputList(&self, 1), where);
  }
  return make_view(*this, impl.shape, impl.strides);
}

const Tensor& Tensor::requires_grad_(Flag wanted, Where where) const {
  check_defined("requires_grad_", *this, where);
  if (!is_floating(dtype()) && wanted) {
    fail(ErrorId::not_differentiable, "requires_grad_", where,
         fmt::format("a gradient with respect to {} values does not exist", dtype()),
         "convert the tensor with to(float32) or to(float64) first");
  }
  if (!is_leaf() && !wanted) {
    fail(ErrorId::no_gradient, "requires_grad_", where,
         fmt::format("this tensor was made by {} and belongs to its graph", grad_fn()->name()),
         "use detach() to get the same values outside the graph");
  }
  if (!is_leaf()) return *this;
  impl_->requires_grad = wanted;
  tell_of_leaf(*this, where);
  return *this;
}

Tensor Tensor::grad(Where where) const {
  check_defined("grad", *this, where);
  const TensorMeta* meta = impl_->meta.get();
  if (!is_leaf() && !(meta && (meta->retains_grad || meta->had_gradient))) {
    fail(ErrorId::no_gradient, "grad", where,
         fmt::format("this tensor was made by {} at {}, and backward() keeps gradients only for leaves",
                     grad_fn()->name(), to_string(grad_fn()->called_at)),
         "call retain_grad() on it before backward(), or ask for it with autograd::grad(loss, {x})");
  }
  return meta ? meta->gradient : Tensor();
}

const Tensor& Tensor::retain_grad(Where where) const {
  check_gets_gradient("retain_grad", *this, where);
  if (impl_->grad_fn) meta_of(*this).retains_grad = true;
  return *this;
}

int Tensor::register_hook(TensorHook hook, Where where) const {
  check_gets_gradient("register_hook", *this, where);
  TensorMeta& meta = meta_of(*this);
  meta.hooks.emplace_back(++meta.hooks_made, std::move(hook));
  return meta.hooks_made;
}

}  // namespace autograd
