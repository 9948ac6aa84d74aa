#include "nn/attention/attention_mask.h"

#include <fmt/core.h>

namespace nn {

void check_boolean(std::string_view asked, std::string_view argument, const Tensor& x, std::string_view advice,
                   Where where) {
  if (x.dtype() == autograd::boolean) return;
  autograd::fail(ErrorId::dtype_mismatch, asked, where,
                 fmt::format("{} {} {}, not boolean", argument, x.dtype(), x.shape()), advice);
}

void check_attention_mask(std::string_view asked, const Tensor& mask, std::int64_t batch, std::int64_t positions,
                          Where where) {
  if (!mask.defined()) return;
  check_boolean(asked, "the mask is", mask, "make one with length_mask, or mask != 0", where);
  check_shape(asked, "mask", mask, {batch, positions}, "[batch, source]", where);
}

Tensor softmax_over(const Tensor& scores, const Tensor& mask) {
  return mask.defined() ? autograd::masked_softmax(scores, mask) : autograd::softmax(scores, -1);
}

}  // namespace nn
