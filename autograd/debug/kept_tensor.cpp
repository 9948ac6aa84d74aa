#include "autograd/debug/kept_tensor.h"

#include <array>
#include <cstring>

#include "autograd/debug/unobserved.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/backward.h"
#include "autograd/tensor/storage.h"

namespace autograd::debug {
namespace {

constexpr std::size_t small_bytes = 256;  // of elements

std::size_t bytes_of(const Tensor& tensor) {
  return static_cast<std::size_t>(tensor.numel() * element_size(tensor.dtype()));
}

std::size_t bytes_of_sizes(int dim) {
  return static_cast<std::size_t>(dim) * sizeof(std::int64_t);
}

// The tensor itself if its elements lie in a row.
Tensor in_a_row(const Tensor& tensor) {
  if (tensor.is_contiguous()) return tensor;
  const Unobserved unobserved;
  return tensor.detach().contiguous();
}

KeptValues* allocate(KeptValues::Form form, const Tensor& tensor, std::size_t bytes) {
  auto* values = new (::operator new(sizeof(KeptValues) + bytes)) KeptValues;
  values->form = form;
  values->dtype = tensor.dtype();
  values->dim = static_cast<std::uint8_t>(tensor.dim());
  return values;
}

KeptValues* small_copy(const Tensor& tensor) {
  const Tensor row = in_a_row(tensor);
  const std::size_t sizes = bytes_of_sizes(row.dim());
  KeptValues* values = allocate(KeptValues::Form::small, row, sizes + bytes_of(row));
  std::memcpy(values->rest(), row.shape().begin(), sizes);
  std::memcpy(values->rest() + sizes, row.impl()->first, bytes_of(row));
  return values;
}

KeptValues* whole_copy(const Tensor& tensor) {
  const Unobserved unobserved;
  const Tensor copy = copy_of(tensor);
  KeptValues* values = allocate(KeptValues::Form::tensor, tensor, sizeof(Tensor));
  new (values->rest()) Tensor(copy);
  return values;
}

KeptValues* copy(const Tensor& tensor) {
  if (!tensor.defined()) return nullptr;
  return is_small(tensor) && tensor.name().empty() ? small_copy(tensor) : whole_copy(tensor);
}

// Four hashes side by side, which the processor computes at the same time.
std::uint64_t hash_of(const std::byte* data, std::size_t bytes) {
  std::array<std::uint64_t, 4> hashes = {1, 2, 3, 4};
  for (std::size_t at = 0; at < bytes; at += 32) {
    std::array<std::uint64_t, 4> words = {};
    std::memcpy(words.data(), data + at, bytes - at < 32 ? bytes - at : 32);
    for (std::size_t i = 0; i < 4; ++i) {
      hashes[i] = (hashes[i] ^ words[i]) * 0x9e3779b97f4a7c15u;
      hashes[i] ^= hashes[i] >> 32;
    }
  }
  std::uint64_t all = bytes;
  for (const std::uint64_t hash : hashes) all = (all ^ hash) * 0x9e3779b97f4a7c15u;
  return all;
}

std::uint64_t hash_of(const Tensor& tensor) {
  const Tensor row = in_a_row(tensor);
  return hash_of(row.impl()->first, bytes_of(row));
}

bool same_shape(KeptValues& values, const std::byte* sizes, const Tensor& tensor) {
  return values.dim == tensor.dim() && std::memcmp(sizes, tensor.shape().begin(), bytes_of_sizes(values.dim)) == 0;
}

bool same_bytes(const std::byte* kept, const Tensor& tensor) {
  const Tensor row = in_a_row(tensor);
  return bytes_of(row) == 0 || std::memcmp(kept, row.impl()->first, bytes_of(row)) == 0;
}

}  // namespace

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

bool is_small(const Tensor& tensor) {
  return bytes_of(tensor) <= small_bytes;
}

void release(KeptValues* values) {
  if (values->form == KeptValues::Form::tensor) values->tensor().~Tensor();
  values->~KeptValues();
  ::operator delete(values);
}

KeptTensor::KeptTensor(const Tensor& tensor) : values_(copy(tensor)) {}

KeptTensor KeptTensor::fingerprint_of(const Tensor& tensor) {
  const std::uint64_t hash = hash_of(tensor);
  const std::size_t sizes = bytes_of_sizes(tensor.dim());
  KeptValues* values = allocate(KeptValues::Form::fingerprint, tensor, sizeof hash + sizes);
  std::memcpy(values->rest(), &hash, sizeof hash);
  std::memcpy(values->rest() + sizeof hash, tensor.shape().begin(), sizes);
  return KeptTensor(values);
}

bool KeptTensor::is_fingerprint() const {
  return values_ && values_->form == KeptValues::Form::fingerprint;
}

Tensor KeptTensor::tensor() const {
  if (!values_) return Tensor();
  if (values_->form == KeptValues::Form::tensor) return values_->tensor();
  std::array<std::int64_t, max_dims> sizes = {};
  std::memcpy(sizes.data(), values_->rest(), bytes_of_sizes(values_->dim));
  Shape shape;
  for (int i = 0; i < values_->dim; ++i) shape.push_back(sizes[static_cast<std::size_t>(i)]);
  const Tensor made = make_tensor(shape, values_->dtype);
  std::memcpy(made.impl()->first, values_->rest() + bytes_of_sizes(values_->dim), bytes_of(made));
  return made;
}

std::string KeptTensor::name() const {
  return values_ && values_->form == KeptValues::Form::tensor ? values_->tensor().name() : "";
}

bool KeptTensor::holds(const Tensor& tensor) const {
  if (!values_ || !tensor.defined() || values_->dtype != tensor.dtype()) return false;
  KeptValues& values = *values_;
  if (values.form == KeptValues::Form::tensor) {
    const Tensor& kept = values.tensor();
    return kept.shape() == tensor.shape() && kept.name() == tensor.name() && same_bytes(kept.impl()->first, tensor);
  }
  if (values.form == KeptValues::Form::small) {
    return same_shape(values, values.rest(), tensor) && tensor.name().empty() &&
           same_bytes(values.rest() + bytes_of_sizes(values.dim), tensor);
  }
  std::uint64_t hash = 0;
  std::memcpy(&hash, values.rest(), sizeof hash);
  return same_shape(values, values.rest() + sizeof hash, tensor) && hash == hash_of(tensor);
}

}  // namespace autograd::debug
