#include "autograd/packed_weights.h"

#include <algorithm>

#include "autograd/ops_common.h"

namespace autograd {
namespace {

constinit thread_local PackedWeightsGuard* outermost = nullptr;

// gemm has shorter ways for a few rows, for a vector and for small matrices, and reads the weight as it is.
bool packing_pays(const Tensor& weight, std::int64_t rows) {
  constexpr std::int64_t few_rows = 8;
  constexpr std::int64_t small_matrix = 256;
  return rows > few_rows && weight.shape()[0] > 1 && weight.numel() > small_matrix;
}

}  // namespace

PackedWeightsGuard::PackedWeightsGuard() {
  if (!outermost) outermost = this;
}

PackedWeightsGuard::~PackedWeightsGuard() {
  if (outermost == this) outermost = nullptr;
}

bool PackedWeightsGuard::Entry::is_of(const Entry& other) const {
  const TensorImpl& own = *weight.impl();
  const TensorImpl& its = *other.weight.impl();
  const bool same_layout = is_transposed == other.is_transposed && leading == other.leading;
  return own.first == its.first && same_layout && weight.shape() == other.weight.shape() &&
         weight.dtype() == other.weight.dtype();
}

void PackedWeightsGuard::Entry::pack() {
  const std::int64_t out = weight.shape()[0];
  const std::int64_t in = weight.shape()[1];
  with_float_type(weight.dtype(), [&](auto t) {
    using T = decltype(t);
    if (!packed.defined()) packed = make_tensor({kernels::packed_size<T>(out, in)}, weight.dtype());
    kernels::pack(pointer<T>(packed), !is_transposed, out, in, pointer<T>(weight), leading);
  });
  version = weight.impl()->storage->version;
}

Tensor PackedWeightsGuard::find(const Tensor& weight, bool is_transposed, std::int64_t leading, std::int64_t rows) {
  if (!outermost || !packing_pays(weight, rows)) return Tensor();
  const Entry wanted{.weight = weight.detach(), .is_transposed = is_transposed, .leading = leading};
  std::vector<Entry>& entries = outermost->entries_;
  auto known = std::find_if(entries.begin(), entries.end(), [&](const Entry& one) { return one.is_of(wanted); });
  if (known == entries.end()) known = entries.insert(entries.end(), wanted);
  const bool is_stale = known->version != weight.impl()->storage->version;
  if (!known->packed.defined() || is_stale) known->pack();
  return known->packed;
}

}  // namespace autograd
