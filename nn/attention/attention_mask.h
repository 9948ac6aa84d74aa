// What all kinds of attention do with the mask of the source: check it, and compute the weights of its positions.
// Private to nn.
#pragma once

#include <string_view>

#include "nn/layers/checks.h"

namespace nn {

// dtype-mismatch unless x, called `argument` ("the mask is"), is boolean.
void check_boolean(std::string_view asked, std::string_view argument, const Tensor& x, std::string_view advice,
                   Where where);

// Accepts an undefined mask. Throws dtype-mismatch for a mask that is not boolean, and shape-mismatch unless it is
// [batch, positions].
void check_attention_mask(std::string_view asked, const Tensor& mask, std::int64_t batch, std::int64_t positions,
                          Where where);

// softmax over the last dim: of all positions, or of those where the mask is true. scores [.., S], mask undefined or
// broadcast to them.
Tensor softmax_over(const Tensor& scores, const Tensor& mask);

}  // namespace nn
