#include "autograd/gradcheck/in_dtype.h"

#include <fmt/core.h>

#include "autograd/ops/ops.h"
#include "autograd/tape/backward.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/format.h"

namespace autograd {
namespace {

void check_floating_leaf(const Tensor& tensor, Where where) {
  if (tensor.defined() && tensor.is_leaf() && is_floating(tensor.dtype())) return;
  fail(ErrorId::bad_argument, "InDType", where,
       tensor.defined() ? fmt::format("{} {} is not a floating leaf", tensor.dtype(), tensor.shape())
                        : std::string("an undefined tensor"),
       "name parameters and inputs, not what was computed from them");
}

}  // namespace

InDType::InDType(const std::vector<Tensor>& tensors, DType dtype, Where where) {
  for (const Tensor& tensor : tensors) check_floating_leaf(tensor, where);
  originals_.reserve(tensors.size());
  for (const Tensor& tensor : tensors) convert(tensor, dtype);
}

void InDType::convert(const Tensor& tensor, DType dtype) {
  const NoGradGuard no_grad;
  const Tensor converted = tensor.detach().to(dtype).clone();
  TensorImpl& impl = *tensor.impl();
  originals_.push_back(
      {tensor, impl.dtype, impl.requires_grad, impl.contiguous, impl.strides, impl.first, impl.storage, impl.leaf});
  impl.dtype = dtype;
  impl.contiguous = true;
  impl.strides = contiguous_strides(impl.shape);
  impl.first = converted.impl()->first;
  impl.storage = converted.impl()->storage;
  impl.leaf = nullptr;
}

InDType::~InDType() {
  for (auto original = originals_.rbegin(); original != originals_.rend(); ++original) {
    TensorImpl& impl = *original->tensor.impl();
    impl.dtype = original->dtype;
    impl.requires_grad = original->requires_grad;
    impl.contiguous = original->contiguous;
    impl.strides = original->strides;
    impl.first = original->first;
    impl.storage = original->storage;
    impl.leaf = original->leaf;
  }
}

}  // namespace autograd
