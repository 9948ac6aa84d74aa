#include "nn/attention/attention_mask.h"

#include <fmt/core.h>

namespace nn {

void check_attention_mask(std::string_view asked, const Tensor& mask, std::int64_t batch, std::int64_t positions,
                          Where where) {
  if (!mask.defined()) return;
  if (mask.dtype() != autograd::boolean) {
    autograd::fail(ErrorId::dtype_mismatch, asked, where,
                   fmt::format("the mask is {} {}, not boolean", mask.dtype(), mask.shape()),
                   "make one with length_mask, or mask != 0");
  }
  check_shape(asked, "mask", mask, {batch, positions}, "[batch, source]", where);
}

Tensor softmax_over(const Tensor& scores, const Tensor& mask) {
  return mask.defined() ? autograd::masked_softmax(scores, mask) : autograd::softmax(scores, -1);
}

}  // namespace nn
