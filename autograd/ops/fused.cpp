#include "autograd/ops/fused.h"

#include <algorithm>
#include <vector>

#include "autograd/ops/ops.h"
#include "autograd/tape/backward.h"
#include "autograd/tape/observer.h"
#include "autograd/tensor/kernel_arguments.h"

namespace autograd {
namespace {

// The copy of what the memory held at a version; nullptr if none was made.
Storage::Old* find_old(const Storage& storage, std::uint32_t version) {
  if (!storage.last_write) return nullptr;
  std::vector<Storage::Old>& old = storage.last_write->old;
  const auto place =
      std::find_if(old.begin(), old.end(), [&](const Storage::Old& one) { return one.version == version; });
  return place == old.end() ? nullptr : &*place;
}

// The values of an input, as a tensor that grad() can be asked about, even if one input is given twice: a view in the
// graph, if the derivative will be differentiated again, otherwise a leaf.
Tensor apart(const Kept& kept, const Ref<Node>& made_by, bool in_graph) {
  const Tensor value = kept.value();
  if (!made_by) return value.detach();
  if (!in_graph) return value.detach().requires_grad_();
  // Since the change, another op makes the program's tensor; these values are still those of the op before.
  if (kept.has_changed()) value.impl()->grad_fn = Ref<OwnedNode>(made_by.get());
  return reshape(value, value.shape());
}

}  // namespace

bool runs_formulas() {
#ifdef BACKSTEP_FUSED
  return observer() != nullptr;
#else
  return true;
#endif
}

bool derivative_by_kernel() {
  return !runs_formulas() && !grad_enabled();
}

Kept::Kept(Tensor tensor) : tensor_(std::move(tensor)) {
  if (!tensor_.defined()) return;
  Storage& storage = *tensor_.impl()->storage;
  version_ = storage.version;
  Storage::Old* old = find_old(storage, version_);  // made for a change that then failed
  ++(old ? old->keepers : storage.keepers);
}

void Kept::let_go() const {
  Storage& storage = *tensor_.impl()->storage;
  Storage::Old* old = find_old(storage, version_);
  const bool is_last = --(old ? old->keepers : storage.keepers) == 0;
  if (old && is_last)
    storage.last_write->old.erase(storage.last_write->old.begin() + (old - storage.last_write->old.data()));
}

bool Kept::has_changed() const {
  return defined() && tensor_.impl()->storage->version != version_;
}

Tensor Kept::value() const {
  if (!has_changed()) return tensor_;
  const TensorImpl& impl = *tensor_.impl();
  const std::vector<std::byte>& bytes = find_old(*impl.storage, version_)->bytes;
  const Tensor memory = make_tensor({impl.storage->bytes / element_size(impl.dtype)}, impl.dtype);
  std::copy(bytes.begin(), bytes.end(), memory.impl()->first);
  return make_view(memory, impl.shape, impl.strides, impl.offset());
}

void Fused::check_unchanged() const {
  for (std::size_t i = 0; i < inputs_kept.size(); ++i) {
    if (inputs_kept[i].has_changed() && keeps(i)) fail_clobbered(inputs_kept[i].tensor(), false);
  }
}

Grads Fused::backward(const Tensor& dy) {
  check_unchanged();
  return derivative_by_kernel() ? run_kernel(dy) : differentiate_composite(dy);
}

// Runs the composite on the inputs as they were, and the tape backwards through what it recorded.
Grads Fused::differentiate_composite(const Tensor& dy) {
  Observer silent(nullptr);  // not the instrument, which was shown one op in the forward pass
  const ObserverGuard formulas(silent);
  const bool again = grad_enabled();
  const GradModeGuard graph(true);
  Inputs x;
  std::vector<Tensor> wanted;
  for (std::size_t i = 0; i < inputs_kept.size(); ++i) {
    x.push_back(has(i) ? apart(inputs_kept[i], inputs[i], again) : Tensor());
    if (needs(i)) wanted.push_back(x[i]);
  }
  const std::vector<Tensor> found =
      grad(composite(x), wanted, {.grad_output = dy, .create_graph = again, .allow_unused = true});
  Grads gradients(inputs_kept.size());
  for (std::size_t i = 0, next = 0; i < inputs_kept.size(); ++i) {
    if (needs(i)) gradients[i] = found[next++];
  }
  return gradients;
}

Tensor Fused::input(std::size_t i) const {
  return contiguous_values(inputs_kept[i].value());
}

}  // namespace autograd
