// Copies of a program's tensors, for instruments: the program may overwrite its own. A recording, which keeps some of
// every op, keeps each as a KeptTensor: a Tensor of one number takes 384 bytes, this one 32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "autograd/memory/ref.h"
#include "autograd/tensor/tensor.h"

namespace autograd::debug {

// What follows it in its block of memory is, for small values, the sizes of the dims and the elements; otherwise a
// Tensor, or the fingerprint and the sizes.
struct alignas(8) KeptValues {
  enum class Form : std::uint8_t { small, tensor, fingerprint };
  std::uint32_t refs = 0;
  Form form = Form::small;
  DType dtype = float32;
  std::uint8_t dim = 0;

  std::byte* rest() { return reinterpret_cast<std::byte*>(this + 1); }
  Tensor& tensor() { return *reinterpret_cast<Tensor*>(rest()); }
};

void release(KeptValues* values);

class KeptTensor {
 public:
  KeptTensor() = default;
  // Copies the values and the name; undefined for an undefined tensor.
  explicit KeptTensor(const Tensor& tensor);
  // Keeps a fingerprint alone, by which the values can be recognised when they are computed again.
  static KeptTensor fingerprint_of(const Tensor& tensor);

  bool defined() const { return static_cast<bool>(values_); }
  bool is_fingerprint() const;
  // The values, for reading only. To be called unless only a fingerprint was kept.
  Tensor tensor() const;
  std::string name() const;
  // Has the tensor the same shape, dtype, name and bits?
  bool holds(const Tensor& tensor) const;
  // Copies of a KeptTensor share their values.
  friend bool operator==(const KeptTensor& a, const KeptTensor& b) { return a.values_ == b.values_; }
  const void* identity() const { return values_.get(); }

 private:
  explicit KeptTensor(KeptValues* values) : values_(values) {}
  Ref<KeptValues> values_;
};

// A detached copy with the same name; undefined for an undefined tensor.
Tensor copy_of(const Tensor& tensor);

// How often the tensor's memory has been changed in place. While this stays the same, a copy is up to date.
std::uint32_t version_of(const Tensor& tensor);

// Is the tensor so small that its values take hardly more memory than a record of them?
bool is_small(const Tensor& tensor);

}  // namespace autograd::debug
