#include "autograd/debug/copies.h"

#include "autograd/tape/backward.h"
#include "autograd/tensor/storage.h"

namespace autograd::debug {

Tensor copy_of(const Tensor& tensor) {
  if (!tensor.defined()) return tensor;
  const NoGradGuard no_grad;
  const Tensor copy = tensor.detach().clone();
  const std::string name = tensor.name();
  return name.empty() ? copy : copy.set_name(name);
}

std::uint32_t version_of(const Tensor& tensor) {
  return tensor.impl()->storage->version;
}

}  // namespace autograd::debug
