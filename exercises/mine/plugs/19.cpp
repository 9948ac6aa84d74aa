// the loss of words, by log-sum-exp
#include "mine/plug.h"

static Tensor right_words(const Tensor& logits, const Tensor& target) {
  return one_hot(target, logits.size(1)).to(logits.dtype());
}

extern "C" void plug_in(mine::Parts& parts) {
  parts.word_loss = [](const Tensor& logits, const Tensor& target) {
    return (log_sum_exp(logits) - (logits * right_words(logits, target)).sum({1})).mean();
  };
  parts.word_loss_backward = [](const Tensor& dy, const Tensor& logits, const Tensor& target) {
    const Tensor each = (dy / static_cast<double>(logits.size(0))).expand({logits.size(0)}).clone();
    const Tensor from_sum = log_sum_exp_backward(each, logits, log_sum_exp(logits));
    return from_sum - each.unsqueeze(1) * right_words(logits, target);
  };
}
