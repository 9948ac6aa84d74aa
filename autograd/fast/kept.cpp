#include "autograd/fast/kept.h"

#include <algorithm>
#include <vector>

namespace autograd::fast {
namespace {

// The copy of what the memory held at a version; nullptr if none was made.
Storage::Old* find_old(const Storage& storage, std::uint32_t version) {
  if (!storage.last_write) return nullptr;
  std::vector<Storage::Old>& old = storage.last_write->old;
  const auto place =
      std::find_if(old.begin(), old.end(), [&](const Storage::Old& one) { return one.version == version; });
  return place == old.end() ? nullptr : &*place;
}

}  // namespace

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

}  // namespace autograd::fast
