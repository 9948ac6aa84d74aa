// attention weights that leave out padding
#include ANSWER

#include "mine/parts.h"

extern "C" void plug_in(mine::Parts& parts) {
  const auto forward = [](const Tensor& scores, const Tensor& mask) { return masked_weights(scores, mask); };
  parts.weights.plug_in(23, forward);
  parts.attention_weights.plug_in(23, forward);
  parts.weights_backward.plug_in(23, [](const Tensor& dy, const Tensor& scores, const Tensor& mask) {
    return masked_weights_vjp(dy, scores, mask);
  });
}
