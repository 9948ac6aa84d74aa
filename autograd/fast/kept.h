// Kept: a tensor as it is now, even if its memory is changed in place later. Nothing is copied before that. A fused op
// keeps its inputs so, because the composite that it replaces often keeps none of them: what may be changed there may
// be changed here.
#pragma once

#include <cstdint>
#include <utility>

#include "autograd/tensor/tensor.h"

namespace autograd::fast {

class Kept {
 public:
  Kept() = default;
  explicit Kept(Tensor tensor);  // may be undefined
  Kept(Kept&& other) noexcept : tensor_(std::exchange(other.tensor_, Tensor())), version_(other.version_) {}
  Kept& operator=(Kept&& other) noexcept {
    std::swap(tensor_, other.tensor_);
    std::swap(version_, other.version_);
    return *this;
  }
  ~Kept() {
    if (tensor_.defined()) let_go();
  }

  bool defined() const { return tensor_.defined(); }
  const Tensor& tensor() const { return tensor_; }  // as it is today
  bool has_changed() const;
  Tensor value() const;  // as it was; outside the graph if it has changed

 private:
  void let_go() const;

  Tensor tensor_;
  std::uint32_t version_ = 0;  // of the memory, when it was kept
};

}  // namespace autograd::fast
