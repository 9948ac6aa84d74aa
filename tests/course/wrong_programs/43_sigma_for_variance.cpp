// Wrong: the Gaussian divides by 2 sigma instead of 2 sigma^2, and position_backward by sigma instead of sigma^2.
#include "given.h"

Tensor predict_position(const Tensor& query, const PositionWeights& weights, const Tensor& lengths) {
  return lengths * sigmoid(matmul(tanh(linear(query, weights.W_p)), weights.v_p));
}

Tensor local_weights(const Tensor& scores, const Tensor& position, const Tensor& mask, double window) {
  const double sigma = window / 2.0;
  const Tensor distance = autograd::arange(scores.size(1), autograd::float64) - position.unsqueeze(1);
  const Tensor gaussian = exp(-(distance * distance) / (2.0 * sigma));
  probe("gaussian", gaussian);
  const Tensor inside = logical_and(mask, abs(distance) <= window);
  return masked_softmax(scores, inside) * gaussian;
}

Tensor position_backward(const Tensor& d_weights, const Tensor& weights, const Tensor& position, double window) {
  const double sigma = window / 2.0;
  const Tensor distance = autograd::arange(weights.size(1), autograd::float64) - position.unsqueeze(1);
  return (d_weights * weights * distance / sigma).sum({1});
}
