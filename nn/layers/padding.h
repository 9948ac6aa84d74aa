// Padding set to 0, so that it has no influence. Private to nn.
#pragma once

#include <autograd/autograd.h>

namespace nn {

using autograd::Tensor;

// x [B, S, F] with zeros where mask [B, S] is false; x itself without a mask. A weight of 0 would not remove a NaN:
// 0 * NaN is NaN.
Tensor without_padding(const Tensor& x, const Tensor& mask);

// The same if x has an element that is not finite, otherwise x itself: for callers to whom finite padding does no harm,
// or that must compute with it as PyTorch does.
Tensor with_finite_padding(const Tensor& x, const Tensor& mask);

}  // namespace nn
