// the weights of all positions
#include ANSWER

#include "mine/parts.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.attention_weights.plug_in(
      33, [](const Tensor& scores, const Tensor& mask) { return attention_weights(scores, mask); });
}
