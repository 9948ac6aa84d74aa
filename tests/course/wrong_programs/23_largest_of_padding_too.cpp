// Wrong: the largest score of a row is looked for before the mask is applied, so that a NaN in the padding becomes the
// shift of the whole row.
#include "given.h"

Tensor masked_weights(const Tensor& scores, const Tensor& mask) {
  const Tensor padding = logical_not(mask);
  const Tensor largest = scores.amax({1}, true);
  const Tensor e = exp(scores - largest).masked_fill(padding, 0.0);
  const Tensor total = e.sum({1}, true);
  return e / where(total > 0.0, total, 1.0);
}

Tensor masked_weights_vjp(const Tensor& dy, const Tensor& scores, const Tensor& mask) {
  const Tensor weights = masked_weights(scores, mask);
  const Tensor weighted_mean = (weights * dy).sum({1}, true);
  probe("weighted_mean", weighted_mean);
  return weights * (dy - weighted_mean);
}
