// the loss of dates, by cross-entropy
#include ANSWER

#include "mine/parts.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.word_loss.plug_in(
      22, [](const Tensor& logits, const Tensor& target) { return cross_entropy_loss(logits, target); });
  parts.word_loss_backward.plug_in(22, [](const Tensor& dy, const Tensor& logits, const Tensor& target) {
    return cross_entropy_backward(dy, logits, target);
  });
}
