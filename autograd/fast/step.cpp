#include "autograd/fast/step.h"

#include "autograd/kernels/kernels.h"
#include "autograd/tape/leaf.h"
#include "autograd/tape/pass.h"
#include "autograd/tensor/factories.h"
#include "autograd/tensor/kernel_arguments.h"

namespace autograd::fast {
namespace {

// Does nobody else hold this gradient, or see its memory?
bool nobody_holds(const Tensor& tensor) {
  const TensorImpl* impl = tensor.impl();
  return impl->refs == 1 && impl->storage->refs == 1 && impl->contiguous && !impl->grad_fn;
}

bool run_shortcut(Node& node, const Tensor& dy) {
  if (!node.op->shortcut || node.attachments) return false;
  Step step(node, dy);
  return node.op->shortcut(node, step);
}

bool add_in_place(const Tensor& sum, const Tensor& term) {
  if (!nobody_holds(sum)) return false;
  const Tensor term_ = contiguous_values(term);
  with_float_type(sum.dtype(), [&]<class T>(T) { kernels::add_to(pointer<T>(sum), pointer<T>(term_), sum.numel()); });
  return true;
}

[[maybe_unused]] const bool open = [] {
  shortcut.run = run_shortcut;
  adding_in_place.run = add_in_place;
  return true;
}();

}  // namespace

std::vector<OpInfo*>& ops_with_shortcut() {
  static std::vector<OpInfo*> list;
  return list;
}

Tensor Step::contiguous_dy() const {
  return contiguous_values(dy_);
}

Tensor Step::room_for_gradient() {
  return nobody_holds(dy_) ? dy_ : make_tensor(dy_.shape(), dy_.dtype());
}

Tensor Step::gradient_so_far(std::size_t input) const {
  const Tensor& sum = node_.inputs[input]->gradient;
  return sum.defined() && nobody_holds(sum) ? sum : Tensor();
}

Tensor Step::gradient_to_add_to(std::size_t input) {
  Node& target = *node_.inputs[input];
  node_.pass->enqueue(target);
  if (!target.gradient.defined()) {
    target.gradient = zeros(target.shape, target.dtype);
  } else if (!nobody_holds(target.gradient)) {
    target.gradient = contiguous_copy(target.gradient);
  }
  lend(target.gradient);
  return target.gradient;
}

Tensor Step::take_kept(Kept& kept) {
  if (!node_.pass->releases_graph() || kept.has_changed()) return Tensor();
  const TensorImpl* impl = kept.tensor().impl();
  const bool is_alone = impl->refs == 1 && impl->storage->refs == 1 && impl->storage->keepers == 1 && impl->contiguous;
  if (!is_alone) return Tensor();
  const Tensor value = kept.tensor().detach();
  kept = Kept();
  node_.released = true;
  return value;
}

void Step::hand_on(std::size_t input, const Tensor& gradient) {
  if (needs(input)) contribute(node_, input, gradient);
}

}  // namespace autograd::fast
