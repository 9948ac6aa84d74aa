// What is behind the handle: how a tensor, its storage and its numbers lie in memory, and how they are freed.
#include "autograd/tensor/tensor_impl.h"

#include <fmt/core.h>

#include <cstddef>
#include <cstring>
#include <new>

#include "autograd/memory/recycler.h"
#include "autograd/tensor/checks.h"
#include "autograd/tensor/scope.h"

namespace autograd {

inline TensorImpl::TensorImpl(DType element_type, const Shape& sizes, const Strides& steps, std::int64_t elements)
    : dtype(element_type), shape(sizes), strides(steps), numel(elements) {}
inline TensorImpl::~TensorImpl() = default;

inline void* TensorImpl::operator new(std::size_t bytes) {
  return recycler::allocate(bytes);
}
inline void TensorImpl::operator delete(void* block, std::size_t bytes) {
  recycler::deallocate(block, bytes);
}

namespace {

// A tensor with memory of its own is one block: TensorImpl, Storage, elements. A view is a TensorImpl elsewhere, and
// keeps the whole block allocated even after the tensor in it has been destroyed.
struct alignas(64) OwningBlock {
  // The elements are unspecified; the strides must leave no gaps.
  OwningBlock(const Shape& shape, const Strides& strides, DType dtype, std::int64_t numel)
      : impl(dtype, shape, strides, numel) {
    storage.data = reinterpret_cast<std::byte*>(this) + sizeof(OwningBlock);
    storage.bytes = numel * element_size(dtype);
    impl.storage = Ref<Storage>(&storage);
    impl.first = storage.data;
  }

  TensorImpl impl;
  Storage storage;
};

bool lies_with_its_storage(TensorImpl* impl) {
  return impl->storage.get() == &reinterpret_cast<OwningBlock*>(impl)->storage;
}

std::size_t block_bytes(std::int64_t elements_bytes) {
  return sizeof(OwningBlock) + static_cast<std::size_t>(elements_bytes);
}

// Every op makes a tensor, and most free one: what they need for that is inlined.
#define BACKSTEP_INLINE [[gnu::always_inline]] inline

BACKSTEP_INLINE void free_block(Storage* storage) {
  void* block = storage->data - sizeof(OwningBlock);
  const std::size_t bytes = block_bytes(storage->bytes);
  storage->~Storage();
  recycler::deallocate(block, bytes);
}

BACKSTEP_INLINE void free_tensor(TensorImpl* impl) {
  if (impl->is_recorded_view) --impl->storage->recorded_views;
  if (!lies_with_its_storage(impl)) {
    delete impl;
    return;
  }
  Storage* storage = &reinterpret_cast<OwningBlock*>(impl)->storage;
  ++storage->refs;  // keeps the block while the TensorImpl is destroyed
  impl->~TensorImpl();
  if (--storage->refs == 0) free_block(storage);
}

// A gradient may have a gradient, and a hook may hold a tensor that has a hook, a million deep.
constinit thread_local FreedInTurn<TensorImpl> tensors_to_free;

}  // namespace

void release(Storage* storage) {
  free_block(storage);
}

void release(TensorImpl* impl) {
  if (impl->meta) return tensors_to_free.release(impl, [](TensorImpl* one) { free_tensor(one); });
  free_tensor(impl);
}

void release(TensorMeta* meta) {
  delete meta;
}

namespace {

[[noreturn, gnu::noinline]] void fail_out_of_memory(std::int64_t bytes) {
  fail(ErrorId::out_of_memory, "tensor", Where{}, fmt::format("{} bytes cannot be allocated", bytes),
       "use smaller batches or sequences, or release what is no longer needed");
}

BACKSTEP_INLINE void* allocate_block(std::int64_t elements_bytes) {
  try {
    return recycler::allocate(block_bytes(elements_bytes));
  } catch (const std::bad_alloc&) {
    fail_out_of_memory(elements_bytes);
  }
}

BACKSTEP_INLINE Tensor make_block(const Shape& shape, const Strides& strides, DType dtype, std::int64_t numel) {
  auto* block = new (allocate_block(numel * element_size(dtype))) OwningBlock(shape, strides, dtype, numel);
#ifndef NDEBUG
  // These bytes are NaN, so that elements that are never written show up in Debug builds.
  std::memset(block->storage.data, 0xff, static_cast<std::size_t>(block->storage.bytes));
#endif
  return Tensor(Ref<TensorImpl>(&block->impl));
}

// Dims of size 1 may have any stride, because no step is ever taken along them; without elements, so may all dims.
bool is_contiguous_layout(const Shape& shape, const Strides& strides, std::int64_t numel) {
  if (numel == 0) return true;
  std::int64_t step = 1;
  for (int i = shape.dim() - 1; i >= 0; --i) {
    if (shape[i] != 1 && strides[i] != step) return false;
    step *= shape[i];
  }
  return true;
}

}  // namespace

Tensor make_tensor(const Shape& shape, DType dtype) {
  check_size("tensor", shape, Where{});
  Tensor tensor = make_block(shape, shape, dtype, shape.numel());
  // Computed in place: copying strides that were written a moment ago, one by one, would stall the processor.
  make_contiguous_strides(tensor.impl()->strides);
  return tensor;
}

Tensor make_tensor_like(const Tensor& x) {
  if (!x.is_contiguous()) return make_tensor(x.shape(), x.dtype());
  return make_block(x.shape(), x.strides(), x.dtype(), x.numel());
}

Tensor make_view(const Tensor& base, const Shape& shape, const Strides& strides, std::int64_t skipped) {
  Ref<TensorImpl> impl(new TensorImpl(base.dtype(), shape, strides, shape.numel()));
  impl->first = base.impl()->first + skipped * element_size(base.dtype());
  impl->contiguous = is_contiguous_layout(shape, strides, impl->numel);
  impl->storage = base.impl()->storage;
  return Tensor(std::move(impl));
}

void prepare_write(const Tensor& tensor) {
  Storage& storage = *tensor.impl()->storage;
  if (!storage.last_write) storage.last_write = std::make_unique<Storage::Write>();
  if (storage.keepers == 0) return;
  std::vector<std::byte> bytes(storage.data, storage.data + storage.bytes);
  storage.last_write->old.push_back({storage.version, storage.keepers, std::move(bytes)});
  storage.keepers = 0;
}

void mark_written(const Tensor& tensor, const char* op, Where where) {
  Storage& storage = *tensor.impl()->storage;
  Storage::Write& write = *storage.last_write;
  ++storage.version;
  write.op = op;
  write.where = where;
  write.origin = scope_origin(current_scope());
}

}  // namespace autograd
