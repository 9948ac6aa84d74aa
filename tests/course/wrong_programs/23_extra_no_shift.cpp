// Wrong (extra): nothing is subtracted before the exp, so that a score above 709 gives inf / inf = NaN.
#include "given.h"

Tensor masked_weights(const Tensor& scores, const Tensor& mask) {
  const Tensor padding = logical_not(mask);
  const Tensor e = exp(scores.masked_fill(padding, 0.0)).masked_fill(padding, 0.0);
  const Tensor total = e.sum({1}, true);
  return e / where(total > 0.0, total, 1.0);
}

Tensor masked_weights_vjp(const Tensor& dy, const Tensor& scores, const Tensor& mask) {
  const Tensor weights = masked_weights(scores, mask);
  const Tensor weighted_mean = (weights * dy).sum({1}, true);
  probe("weighted_mean", weighted_mean);
  return weights * (dy - weighted_mean);
}
