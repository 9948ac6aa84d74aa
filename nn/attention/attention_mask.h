// What all kinds of attention do with the mask of the source: check it, take away what the padding holds, and share
// the weights among the rest. Not part of the public face.
#pragma once

#include <string_view>

#include "nn/checks.h"

namespace nn {

// Nothing for an undefined mask. Throws dtype-mismatch for a mask that is not boolean, shape-mismatch unless it is
// [batch, positions].
void check_attention_mask(std::string_view asked, const Tensor& mask, std::int64_t batch, std::int64_t positions,
                          Where where);

// x [B, S, F] with zeros where mask [B, S] is false; x itself without a mask. A weight of 0 does not take away a NaN,
// 0 * NaN is NaN.
Tensor without_padding(const Tensor& x, const Tensor& mask);

// The same where x holds something that is not finite, and otherwise x itself: where what is finite at the padding does
// no harm, or is to be computed with as PyTorch does.
Tensor with_finite_padding(const Tensor& x, const Tensor& mask);

// softmax over the last dim: of all positions, or of those where the mask is true. scores [.., S], mask undefined or
// broadcast to them.
Tensor softmax_over(const Tensor& scores, const Tensor& mask);

}  // namespace nn
