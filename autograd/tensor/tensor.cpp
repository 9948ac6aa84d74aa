#include "autograd/tensor/tensor.h"

#include <fmt/core.h>

#include <cstddef>
#include <cstring>
#include <new>

#include "autograd/memory/recycler.h"
#include "autograd/tape/node.h"  // a tensor counts as an owner of the op that made it
#include "autograd/tensor/checks.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/format.h"
#include "autograd/tensor/kernel_arguments.h"
#include "autograd/tensor/scope.h"

namespace autograd {

// ---- behind the handle ----------------------------------------------------------------------------------

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

}  // namespace

void release(Storage* storage) {
  free_block(storage);
}

namespace {

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

constinit thread_local TensorImpl* tensors_to_free = nullptr;
constinit thread_local bool freeing_tensors = false;

// A gradient may have a gradient, and a hook may hold a tensor that has a hook, a million deep. To spare the stack, a
// tensor that is released while another is being freed waits in a list.
[[gnu::noinline]] void free_in_turn(TensorImpl* impl) {
  impl->next_to_free = tensors_to_free;
  tensors_to_free = impl;
  if (freeing_tensors) return;
  freeing_tensors = true;
  while (tensors_to_free) {
    TensorImpl* next = tensors_to_free;
    tensors_to_free = next->next_to_free;
    free_tensor(next);
  }
  freeing_tensors = false;
}

}  // namespace

void release(TensorImpl* impl) {
  if (impl->label || impl->gradient) return free_in_turn(impl);
  free_tensor(impl);
}

void release(GradientSlot* slot) {
  delete slot;
}

GradientSlot& gradient_slot(const Tensor& tensor) {
  Ref<GradientSlot>& slot = tensor.impl()->gradient;
  if (!slot) slot = Ref<GradientSlot>(new GradientSlot);
  return *slot;
}

namespace {

[[noreturn, gnu::noinline]] void fail_out_of_memory(std::int64_t bytes) {
  fail(ErrorId::out_of_memory, "tensor", Where{}, fmt::format("{} bytes cannot be had", bytes),
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

namespace {

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

Tensor make_view(const Tensor& base, const Shape& shape, const Strides& strides, std::int64_t skipped) {
  Ref<TensorImpl> impl(new TensorImpl(base.dtype(), shape, strides, shape.numel()));
  impl->first = base.impl()->first + skipped * element_size(base.dtype());
  impl->contiguous = is_contiguous_layout(shape, strides, impl->numel);
  impl->storage = base.impl()->storage;
  return Tensor(std::move(impl));
}

void expect_write(const Tensor& tensor) {
  Storage& storage = *tensor.impl()->storage;
  if (!storage.last_write) storage.last_write = std::make_unique<Storage::Write>();
}

void mark_written(const Tensor& tensor, const char* op, Where where) {
  expect_write(tensor);
  Storage& storage = *tensor.impl()->storage;
  ++storage.version;
  *storage.last_write = {op, where, scope_origin(current_scope())};
}

// Accessors do not take the user's line, so the error cannot name it; a debugger shows it.
void fail_undefined(const char* asked) {
  check_defined(asked, Tensor(), Where{});
  __builtin_unreachable();
}

// ---- what it is --------------------------------------------------------------------------------------------

std::int64_t Tensor::size(std::int64_t dim, Where where) const {
  return shape()[checked_dim_of_list("size", dim, *this, where)];
}

// ---- the elements ---------------------------------------------------------------------------------------------

namespace {

template <class T> T element(const Tensor& tensor, std::int64_t position) {
  T value{};
  with_type(tensor.dtype(), [&](auto t) { value = static_cast<T>(pointer<decltype(t)>(tensor)[position]); });
  return value;
}

void check_one_element(const Tensor& tensor, Where where) {
  check_defined("item", tensor, where);
  if (tensor.numel() == 1) return;
  fail(ErrorId::not_a_scalar, "item", where, fmt::format("this tensor is {}, not a single number", tensor.shape()),
       "reduce it with sum() or mean(), or pick an element with at({...})");
}

}  // namespace

double Tensor::item_as_double(Where where) const {
  check_one_element(*this, where);
  return element<double>(*this, 0);
}

std::int64_t Tensor::item_as_int64(Where where) const {
  check_one_element(*this, where);
  return element<std::int64_t>(*this, 0);
}

double Tensor::at(std::initializer_list<std::int64_t> index, Where where) const {
  return element<double>(*this, position_of("at", *this, index, where));
}

template <class T> std::vector<T> Tensor::to_vector() const {
  const Tensor values = contiguous_values(*this);
  std::vector<T> result(static_cast<std::size_t>(numel()));
  with_type(dtype(), [&](auto t) {
    const auto* from = pointer<decltype(t)>(values);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<T>(from[i]);
  });
  return result;
}
template std::vector<float> Tensor::to_vector<float>() const;
template std::vector<double> Tensor::to_vector<double>() const;
template std::vector<std::int64_t> Tensor::to_vector<std::int64_t>() const;
template std::vector<bool> Tensor::to_vector<bool>() const;

template <class T> T* Tensor::data_ptr() const {
  if (dtype() != dtype_of<T>) check_dtype("data_ptr", *this, dtype_of<T>, Where{});
  return pointer<T>(*this);
}
template float* Tensor::data_ptr<float>() const;
template double* Tensor::data_ptr<double>() const;
template std::int64_t* Tensor::data_ptr<std::int64_t>() const;
template bool* Tensor::data_ptr<bool>() const;

Tensor Tensor::detach() const {
  if (!defined()) fail_undefined("detach");
  const TensorImpl& impl = *impl_;
  Ref<TensorImpl> same(new TensorImpl(impl.dtype, impl.shape, impl.strides, impl.numel));
  same->contiguous = impl.contiguous;
  same->first = impl.first;
  same->storage = impl.storage;
  return Tensor(std::move(same));
}

const Tensor& Operand::number_as_tensor(DType dtype) const {
  number_tensor_ = make_tensor({}, dtype);
  with_type(dtype, [&](auto t) { *pointer<decltype(t)>(number_tensor_) = static_cast<decltype(t)>(number_); });
  return number_tensor_;
}

}  // namespace autograd
