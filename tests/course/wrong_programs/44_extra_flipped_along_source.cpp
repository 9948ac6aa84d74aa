// Wrong (extra): the gradient is summed backwards along dim 2, the source, instead of dim 1, the steps.
#include "given.h"

Tensor attend_with_coverage(const Tensor& query, const Tensor& keys, const CoverageWeights& weights,
                            const Tensor& mask) {
  Tensor coverage = autograd::zeros({keys.size(0), keys.size(1)}, autograd::float64);
  std::vector<Tensor> steps;
  for (std::int64_t t = 0; t < query.size(1); ++t) {
    probe("coverage", coverage);
    const Tensor hidden = tanh(query.select(1, t).unsqueeze(1) + keys + coverage.unsqueeze(2) * weights.w_cov);
    const Tensor alpha = masked_softmax(matmul(hidden, weights.v), mask);
    coverage = coverage + alpha;
    steps.push_back(alpha);
  }
  return stack(steps, 1);
}

Tensor coverage_loss(const Tensor& attention, const Tensor& real_steps) {
  const Tensor coverage = cumsum(attention, 1) - attention;
  const Tensor real = real_steps.to(autograd::float64);
  return (minimum(attention, coverage).sum({2}) * real).sum() / real.sum();
}

Tensor coverage_loss_backward(const Tensor& attention, const Tensor& real_steps) {
  const Tensor real = real_steps.to(autograd::float64);
  const Tensor share = (real / real.sum()).unsqueeze(2);
  const Tensor coverage = cumsum(attention, 1) - attention;
  const Tensor d_own = (attention < coverage).to(autograd::float64) * share;
  const Tensor d_coverage = (coverage < attention).to(autograd::float64) * share;
  return d_own + flip(cumsum(flip(d_coverage, {2}), 2), {2}) - d_coverage;
}
