// the loss of words, by log-probabilities
#include "mine/plug.h"

// Of the right words, in the mean of -log p.
static Tensor shares(const Tensor& logits, const Tensor& target) {
  return one_hot(target, logits.size(1)).to(logits.dtype()) / static_cast<double>(-logits.size(0));
}

extern "C" void plug_in(mine::Parts& parts) {
  parts.word_loss = [](const Tensor& logits, const Tensor& target) {
    return (log_probabilities(logits) * shares(logits, target)).sum();
  };
  parts.word_loss_backward = [](const Tensor& dy, const Tensor& logits, const Tensor& target) {
    return log_softmax_vjp(dy * shares(logits, target), log_probabilities(logits));
  };
}
