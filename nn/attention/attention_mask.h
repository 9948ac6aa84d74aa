// What all kinds of attention do with the mask of the source: check it, set the padding to 0, and compute the weights
// of the other positions. Private to nn.
#pragma once

#include <string_view>

#include "nn/checks.h"

namespace nn {

// Accepts an undefined mask. Throws dtype-mismatch for a mask that is not boolean, and shape-mismatch unless it is
// [batch, positions].
void check_attention_mask(std::string_view asked, const Tensor& mask, std::int64_t batch, std::int64_t positions,
                          Where where);

// x [B, S, F] with zeros where mask [B, S] is false; x itself without a mask. A weight of 0 would not remove a NaN:
// 0 * NaN is NaN.
Tensor without_padding(const Tensor& x, const Tensor& mask);

// The same if x has an element that is not finite, otherwise x itself: for callers to whom finite padding does no harm,
// or that must compute with it as PyTorch does.
Tensor with_finite_padding(const Tensor& x, const Tensor& mask);

// softmax over the last dim: of all positions, or of those where the mask is true. scores [.., S], mask undefined or
// broadcast to them.
Tensor softmax_over(const Tensor& scores, const Tensor& mask);

}  // namespace nn
