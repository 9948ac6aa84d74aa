#include "nn/layers/padding.h"

namespace nn {

Tensor without_padding(const Tensor& x, const Tensor& mask) {
  if (!mask.defined()) return x;
  const Tensor padding = autograd::logical_not(mask).unsqueeze(-1);  // [B, S, 1]
  return x.masked_fill(padding, 0.0);
}

Tensor with_finite_padding(const Tensor& x, const Tensor& mask) {
  const bool is_needed = mask.defined() && !autograd::all_finite(x);
  return is_needed ? without_padding(x, mask) : x;
}

}  // namespace nn
