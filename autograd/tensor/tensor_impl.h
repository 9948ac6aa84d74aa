// TensorImpl: what a Tensor is a handle to. Included by tensor.h, so that its accessors are inlined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace autograd {

class Leaf;
// What a tensor knows of the op that made it: that it owns it. The rest is Node, in tape/node.h.
struct OwnedNode {
  virtual ~OwnedNode() = default;
  std::uint32_t refs = 0;
};
void release(OwnedNode* node);  // in tape/node.cpp

// What few tensors have: a name, a gradient, hooks. A tensor that an op made shares it with the op's node, which may
// outlive it.
struct TensorMeta {
  std::uint32_t refs = 0;
  std::string name;
  Tensor gradient;                                // x.grad()
  bool retains_grad = false;                      // of an op's output: retain_grad() was called
  bool had_gradient = false;                      // even if zero_grad() has forgotten it
  std::vector<std::pair<int, TensorHook>> hooks;  // by the number that register_hook() returned
  int hooks_made = 0;
  std::shared_ptr<void> watched;  // an instrument's, destroyed with this
};
void release(TensorMeta* meta);

struct TensorImpl {
  TensorImpl(DType element_type, const Shape& sizes, const Strides& steps, std::int64_t elements);
  ~TensorImpl();

  std::uint32_t refs = 0;
  DType dtype;
  bool requires_grad = false;  // of a leaf; other tensors with a gradient have a grad_fn
  bool contiguous = true;
  bool is_recorded_view = false;  // counted in storage->recorded_views
  Shape shape;
  Strides strides;
  std::int64_t numel;          // the product of the shape
  std::byte* first = nullptr;  // the first element, in the storage
  Ref<Storage> storage;
  Ref<OwnedNode> grad_fn;              // the op that made this tensor
  Leaf* leaf = nullptr;                // this leaf's node, as long as a graph has it; not owned
  Ref<TensorMeta> meta;                // made when first needed
  TensorImpl* next_to_free = nullptr;  // while it waits to be freed

  // How far the first element lies from the start of the storage, in elements.
  std::int64_t offset() const { return (first - storage->data) / element_size(dtype); }

  static void* operator new(std::size_t bytes);
  static void operator delete(void* block, std::size_t bytes);
};

// The meta of a tensor, made on first use, and known to its node from then on (tape/node.cpp).
TensorMeta& meta_of(const Tensor& tensor);
// A tensor with memory of its own and unspecified elements.
Tensor make_tensor(const Shape& shape, DType dtype);
// The same, of the shape and dtype that `x` has, and with its strides if it is contiguous.
Tensor make_tensor_like(const Tensor& x);
// A tensor on the memory of `base`, outside the graph. Its first element lies `skipped` elements after base's.
Tensor make_view(const Tensor& base, const Shape& shape, const Strides& strides, std::int64_t skipped = 0);
// For ops that write to memory. To be called before: allocates what mark_written() needs, so that this cannot fail, and
// copies values that somebody keeps.
void prepare_write(const Tensor& tensor);
// To be called after: counts a new version, and remembers who wrote.
void mark_written(const Tensor& tensor, const char* op, Where where);

// ---- Tensor's accessors ---------------------------------------------------------------------------------

// Throws undefined-tensor.
[[noreturn]] void fail_undefined(const char* asked, Where where = {});

inline const TensorImpl& Tensor::defined_impl(const char* asked, Where where) const {
  if (!impl_) fail_undefined(asked, where);
  return *impl_;
}
inline const Shape& Tensor::shape(Where where) const {
  return defined_impl("shape", where).shape;
}
inline std::int64_t Tensor::numel(Where where) const {
  return defined_impl("numel", where).numel;
}
inline DType Tensor::dtype(Where where) const {
  return defined_impl("dtype", where).dtype;
}
inline const Strides& Tensor::strides(Where where) const {
  return defined_impl("strides", where).strides;
}
inline bool Tensor::is_contiguous(Where where) const {
  return defined_impl("is_contiguous", where).contiguous;
}
inline bool Tensor::requires_grad() const {
  return impl_ && (impl_->requires_grad || impl_->grad_fn);
}

}  // namespace autograd
