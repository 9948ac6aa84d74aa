// Wrong: the semicolon behind the first statement of additive_score is missing.
#include "given.h"

std::vector<double> scores_by_hand() {
  return {1.367, 1.367, 1.810};
}

Tensor project_keys(const Tensor& states, const ScoreWeights& weights) {
  return linear(states, weights.U, weights.b);
}

Tensor additive_score(const Tensor& s, const Tensor& keys, const ScoreWeights& weights) {
  const Tensor query = linear(s, weights.W) probe("query", query);
  const Tensor hidden = tanh(query.unsqueeze(1) + keys);
  probe("hidden", hidden);
  return matmul(hidden, weights.v);
}
