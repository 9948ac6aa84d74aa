// The methods of Tensor that concern the graph: its name there, its gradient, and its hooks.
#include <fmt/core.h>

#include <atomic>

#include "autograd/tape/grad_mode.h"
#include "autograd/tape/record.h"
#include "autograd/tensor/checks.h"
#include "autograd/tensor/format.h"
#include "autograd/tensor/kernel_arguments.h"

namespace autograd {
namespace {

TensorImpl::Label& label_of(const Tensor& tensor) {
  std::unique_ptr<TensorImpl::Label>& label = tensor.impl()->label;
  if (!label) label = std::make_unique<TensorImpl::Label>();
  return *label;
}

// An op's output has its hooks at the node, which may outlive the tensor; a leaf has them itself.
std::vector<std::pair<int, TensorHook>>& hooks_of(const Tensor& tensor) {
  Node* node = tensor.grad_fn();
  return node ? node->attach().tensor_hooks : label_of(tensor).hooks;
}

void tell_of_leaf(const Tensor& leaf, Where where) {
  if (const ToldOfLeaf tell = told_of_leaves.load(std::memory_order_relaxed)) tell(leaf, where);
}

void check_gets_gradient(const char* asked, const Tensor& tensor, Where where) {
  check_defined(asked, tensor, where);
  if (tensor.requires_grad()) return;
  fail(ErrorId::no_gradient, asked, where, "no gradient will ever reach this tensor",
       "call requires_grad_() on it, or on what it is computed from");
}

}  // namespace

std::string Tensor::name() const {
  const auto& label = defined_impl("name").label;
  return label ? label->name : "";
}

const Tensor& Tensor::set_name(std::string name) const {
  defined_impl("set_name");
  if (Node* node = grad_fn()) node->attach().output_name = name;
  label_of(*this).name = std::move(name);
  if (is_leaf()) tell_of_leaf(*this, Where{});
  return *this;
}

Tensor Tensor::detach(Where where) const {
  const TensorImpl& impl = defined_impl("detach");
  if (attached_observer && where.line != 0 && !is_in_library(where)) {  // the ops detach what they compute with
    const Tensor* const self = this;
    tell_untaped(Untaped::Why::detached, "detach", InputList(&self, 1), where);
  }
  return make_view(*this, impl.shape, impl.strides);
}

bool Tensor::is_leaf() const {
  return !defined_impl("is_leaf").grad_fn;
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
         fmt::format("this tensor was made by {} and belongs to its graph", impl_->grad_fn->name()),
         "use detach() to get the same values outside the graph");
  }
  if (!is_leaf()) return *this;
  impl_->requires_grad = wanted;
  tell_of_leaf(*this, where);
  return *this;
}

Tensor Tensor::grad(Where where) const {
  check_defined("grad", *this, where);
  if (!is_leaf() && !impl_->gradient) {
    fail(ErrorId::no_gradient, "grad", where,
         fmt::format("this tensor was made by {} at {}, and backward() keeps gradients only for leaves",
                     impl_->grad_fn->name(), to_string(impl_->grad_fn->called_at)),
         "call retain_grad() on it before backward(), or ask for it with autograd::grad(loss, {x})");
  }
  return impl_->gradient ? impl_->gradient->gradient : Tensor();
}

void Tensor::set_grad(const Tensor& gradient, Where where) const {
  check_defined("set_grad", *this, where);
  if (gradient.defined()) {
    check_same_dtype("set_grad", *this, gradient, where);
    check_same_shape("set_grad", shape(), gradient.shape(), where, "a gradient has the shape of its tensor",
                     "reshape it first");
  }
  // A copy, because gradients are changed in place, as by clip_grad_norm_(): no other tensor may share their memory.
  const Tensor copy = gradient.defined() ? contiguous_copy(gradient) : Tensor();
  gradient_slot(*this).gradient = copy;
}

void Tensor::zero_grad() const {
  if (defined_impl("zero_grad").gradient) impl_->gradient->gradient = Tensor();
}

const Tensor& Tensor::retain_grad(Where where) const {
  check_gets_gradient("retain_grad", *this, where);
  gradient_slot(*this);
  if (impl_->grad_fn) impl_->grad_fn->attach().retained = impl_->gradient;
  return *this;
}

int Tensor::register_hook(TensorHook hook, Where where) const {
  check_gets_gradient("register_hook", *this, where);
  static std::atomic<int> hooks_made = 0;
  const int number = ++hooks_made;
  hooks_of(*this).emplace_back(number, std::move(hook));
  return number;
}

void Tensor::remove_hook(int hook) const {
  defined_impl("remove_hook");
  std::erase_if(hooks_of(*this), [&](const auto& entry) { return entry.first == hook; });
}

}  // namespace autograd
