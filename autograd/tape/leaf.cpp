#include "autograd/tape/leaf.h"

#include "autograd/ops/ops.h"
#include "autograd/tape/pass.h"
#include "autograd/tape/record.h"
#include "autograd/tensor/checks.h"

namespace autograd {

Leaf::Leaf(const Tensor& x) : tensor(x) {
  op = &Registered<Leaf>::info;
  leaf = true;
  dtype = x.dtype();
  shape = x.shape();
  number = number_after(0);
  x.impl()->leaf = this;
}

Leaf::~Leaf() {
  tensor.impl()->leaf = nullptr;
}

Ref<Node> gradient_node(const Tensor& tensor) {
  if (!tensor.defined()) fail_undefined("gradient_node");
  const TensorImpl& impl = *tensor.impl();
  if (impl.grad_fn) return impl.grad_fn;
  if (!impl.requires_grad) return Ref<Node>();
  return Ref<Node>(impl.leaf ? impl.leaf : new Leaf(tensor));
}

Tensor own_memory(const Tensor& gradient) {
  const TensorImpl* impl = gradient.impl();
  const bool is_graph_wanted = grad_enabled() || !impl->grad_fn;
  const bool is_alone = impl->refs == 1 && impl->storage->refs == 1 && impl->contiguous && is_graph_wanted;
  if (is_alone) {
    impl->storage->lent_to = 0;
    return gradient;
  }
  // In a graph, the same value as before: the copy is no op of the program's.
  const Tensor copy = clone(gradient.detach());
  if (grad_enabled()) copy.impl()->grad_fn = gradient_node(gradient);
  return copy;
}

void add_to_grad(GradientSlot& slot, const Tensor& dy) {
  slot.gradient = slot.gradient.defined() ? slot.gradient + dy.detach() : own_memory(dy);
}

// Every gradient ends here. (noinline, so that a breakpoint stops here in Release too.)
[[gnu::noinline]] Grads Leaf::backward(const Tensor& dy) {
  if (!tensor.requires_grad()) return {};  // switched off since the forward pass
  GradientSlot& slot = gradient_slot(tensor);
  if (pass) pass->keep_for_rollback(slot);  // no pass if backward() was called directly
  // Hooks are about to be shown dy. (Not `? :`, which would hold dy once more, so that its memory could not be taken.)
  if (attachments) {
    add_to_grad(slot, clone(dy.detach()));
  } else {
    add_to_grad(slot, dy);
  }
  return {};
}

}  // namespace autograd
