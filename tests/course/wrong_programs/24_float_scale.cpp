// Wrong: the factor dloss / tokens is kept in a float, so that dlogits has seven digits only.
#include "given.h"

Tensor mean_token_loss(const Tensor& logits, const Tensor& target, const Tensor& mask) {
  const Tensor per_token = -log_softmax(logits, 2).gather(2, target.unsqueeze(2)).squeeze(2);
  probe("per_token", per_token);
  const Tensor tokens = mask.to(autograd::float64).sum();
  probe("tokens", tokens);
  return per_token.masked_fill(logical_not(mask), 0.0).sum() / tokens;
}

Tensor mean_token_loss_backward(const Tensor& dloss, const Tensor& logits, const Tensor& target, const Tensor& mask) {
  const float tokens = mask.to(autograd::float64).sum().item<float>();
  const float scale = dloss.item<float>() / tokens;
  const Tensor one_hot = (autograd::arange(logits.size(2)) == target.unsqueeze(2)).to(logits.dtype());
  const Tensor dlogits = (softmax(logits, 2) - one_hot) * scale;
  return dlogits.masked_fill(logical_not(mask).unsqueeze(2), 0.0);
}
