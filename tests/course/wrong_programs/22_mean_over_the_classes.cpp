// wrong: both functions divide by the number of classes, size(1), instead of the batch, size(0)
#include "given.h"

Tensor cross_entropy_loss(const Tensor& logits, const Tensor& target) {
  const Tensor log_p = log_softmax(logits, 1);
  const Tensor picked = log_p.gather(1, target.unsqueeze(1)).squeeze(1);
  return -picked.sum() / static_cast<double>(logits.size(1));
}

Tensor cross_entropy_backward(const Tensor& dloss, const Tensor& logits, const Tensor& target) {
  const Tensor p = softmax(logits, 1);
  const Tensor one_hot = (target.unsqueeze(1) == autograd::arange(logits.size(1))).to(logits.dtype());
  return dloss * (p - one_hot) / static_cast<double>(logits.size(1));
}
