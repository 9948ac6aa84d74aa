// Wrong: the softmax's weighted mean is summed over dim 0, the sentences of the batch, instead of over the source
// positions.
#include "given.h"

ScoreGradients score_backward(const Tensor& d_alpha, const ScoreStep& step, const ScoreWeights& weights) {
  const auto& [s, states, hidden, alpha] = step;
  ScoreGradients gradients;
  const Tensor mean = (alpha * d_alpha).sum({0}, true);
  const Tensor d_e = alpha * (d_alpha - mean);
  gradients.d_e = d_e;
  gradients.dv = (d_e.unsqueeze(2) * hidden).sum({0, 1});
  const Tensor d_hidden = d_e.unsqueeze(2) * weights.v;
  const Tensor d_z = d_hidden * (1.0 - hidden * hidden);
  probe("d_hidden", d_hidden);
  probe("d_z", d_z);
  const Tensor d_query = d_z.sum({1});
  gradients.dW = matmul(d_query.t(), s);
  gradients.d_s = matmul(d_query, weights.W);
  gradients.dU = bmm(d_z.transpose(1, 2), states).sum({0});
  gradients.d_states = matmul(d_z, weights.U);
  return gradients;
}
