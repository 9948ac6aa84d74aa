// Wrong: the coverage is computed recursively, and the recursion has no end: coverage(0) asks for coverage(-1).
#include "given.h"

static Tensor alpha_of(std::int64_t t, const Tensor& query, const Tensor& keys, const CoverageWeights& weights,
                       const Tensor& mask);

// What each word was given before step t.
static Tensor coverage_of(std::int64_t t, const Tensor& query, const Tensor& keys, const CoverageWeights& weights,
                          const Tensor& mask) {
  return coverage_of(t - 1, query, keys, weights, mask) + alpha_of(t - 1, query, keys, weights, mask);
}

static Tensor alpha_of(std::int64_t t, const Tensor& query, const Tensor& keys, const CoverageWeights& weights,
                       const Tensor& mask) {
  const Tensor coverage = coverage_of(t, query, keys, weights, mask);
  const Tensor hidden = tanh(query.select(1, t).unsqueeze(1) + keys + coverage.unsqueeze(2) * weights.w_cov);
  return masked_softmax(matmul(hidden, weights.v), mask);
}

Tensor attend_with_coverage(const Tensor& query, const Tensor& keys, const CoverageWeights& weights,
                            const Tensor& mask) {
  std::vector<Tensor> steps;
  for (std::int64_t t = 0; t < query.size(1); ++t) steps.push_back(alpha_of(t, query, keys, weights, mask));
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
  return d_own + flip(cumsum(flip(d_coverage, {1}), 1), {1}) - d_coverage;
}
