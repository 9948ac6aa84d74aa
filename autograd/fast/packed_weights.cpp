#include "autograd/fast/packed_weights.h"

#include <algorithm>

#include "autograd/tensor/kernel_arguments.h"

namespace autograd {
namespace {

// For a few rows, for a vector and for small matrices, gemm reads the weight as it is, without packing.
bool packing_pays(const Tensor& weight, std::int64_t rows) {
  constexpr std::int64_t few_rows = 8;
  constexpr std::int64_t small_matrix = 256;
  return rows > few_rows && weight.shape()[0] > 1 && weight.numel() > small_matrix;
}

}  // namespace

bool PackedWeightsGuard::Entry::is_of(const Tensor& other) const {
  return weight.impl()->first == other.impl()->first && weight.shape() == other.shape() &&
         weight.strides() == other.strides() && weight.dtype() == other.dtype();
}

void PackedWeightsGuard::Entry::pack() {
  const std::int64_t out = weight.shape()[0];
  const std::int64_t in = weight.shape()[1];
  const Tensor values = as_matrices(weight);
  const MatrixLayout layout = layout_of(values);
  with_float_type(weight.dtype(), [&]<class T>(T) {
    if (!packed.defined()) packed = make_tensor({kernels::packed_size<T>(out, in)}, weight.dtype());
    kernels::pack(pointer<T>(packed), !layout.transposed, out, in, pointer<T>(values), layout.leading);
  });
  version = weight.impl()->storage->version;
}

// Drops weights that only this guard still holds: linear() will not be called with them again.
void PackedWeightsGuard::drop_forgotten() {
  const auto is_forgotten = [this](const Storage& storage) {
    const auto is_on_it = [&](const Entry& one) { return one.weight.impl()->storage.get() == &storage; };
    return std::size_t(std::count_if(entries_.begin(), entries_.end(), is_on_it)) == storage.refs;
  };
  for (auto one = entries_.begin(); one != entries_.end();) {
    one = is_forgotten(*one->weight.impl()->storage) ? entries_.erase(one) : one + 1;
  }
}

std::size_t PackedWeightsGuard::count() {
  return outermost ? outermost->entries_.size() : 0;
}

Tensor PackedWeightsGuard::find(const Tensor& weight, std::int64_t rows) {
  if (!outermost || !packing_pays(weight, rows)) return Tensor();
  std::vector<Entry>& entries = outermost->entries_;
  auto known = std::find_if(entries.begin(), entries.end(), [&](const Entry& one) { return one.is_of(weight); });
  if (known == entries.end()) {
    outermost->drop_forgotten();
    known = entries.insert(entries.end(), Entry{.weight = weight.detach()});
  }
  const bool is_stale = known->version != weight.impl()->storage->version;
  if (!known->packed.defined() || is_stale) known->pack();
  return known->packed;
}

}  // namespace autograd
