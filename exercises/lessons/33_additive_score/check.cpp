#include <judge/check.h>

#include <cmath>

#include "given.h"

const Axes judge::axes = {{"batch", 2}, {"source", 4}, {"decoder", 7}, {"encoder", 6}, {"attention", 5}};

namespace {

// The example of the text: identity matrices, no bias.
Tensor scores_of_example(const Answer& answer) {
  using autograd::float64;
  const ScoreWeights weights = {autograd::eye(2, float64), autograd::eye(2, float64), autograd::zeros({2}, float64),
                                autograd::ones({2}, float64)};
  const Tensor states = autograd::tensor({{{1.0, 0.0}, {0.0, 1.0}, {1.0, 1.0}}}, float64);
  const Tensor s = autograd::tensor({{0.5, 0.5}}, float64);
  return answer.additive_score(s, answer.project_keys(states, weights), weights);
}

bool differ(const Tensor& a, const Tensor& b) {
  return (a - b).abs().amax().item() > 1e-6;
}

}  // namespace

void check(const Answer& answer, Check& check) {
  if (check.at_usual_sizes())
    check.compare("scores by hand", judge::to_three_decimals(answer.scores_by_hand()), {.hide_expected = true});

  const Tensor s = check.randn("s", {"batch", "decoder"});
  const Tensor states = check.randn("states", {"batch", "source", "encoder"});
  ScoreWeights weights;
  weights.W = check.randn("W", {"attention", "decoder"});
  weights.U = check.randn("U", {"attention", "encoder"});
  weights.b = check.randn("b", {"attention"});
  weights.v = check.randn("v", {"attention"});
  const Tensor other_s = check.randn("another s", {"batch", "decoder"});
  const Tensor other_states = check.randn("other states", {"batch", "source", "encoder"});

  const auto score = [&](const Tensor& query, const Tensor& from, const ScoreWeights& with) {
    return answer.additive_score(query, answer.project_keys(from, with), with);
  };
  check.compare("keys", answer.project_keys(states, weights));
  const Tensor e = score(s, states, weights);
  check.compare("scores", e);
  const Tensor keys = answer.project_keys(states, weights);
  answer.additive_score(s, keys, weights);
  check.compare("scores of a second step, with the same keys", answer.additive_score(other_s, keys, weights));
  if (check.at_usual_sizes()) check.compare("scores of the example", scores_of_example(answer));

  if (!e.defined() || !(e.shape() == check.shape({"batch", "source"}))) return;
  check.require("the scores depend on the states", differ(score(s, other_states, weights), e),
                "with other encoder states your scores stay the same");
  if (check.size("source") == 1) return;  // one position has all the weight
  const Tensor reversed = score(s, flip(states, {1}), weights);
  check.require("reversing the states reverses the scores", allclose(reversed, flip(e, {1})),
                "with the source read backwards your scores are not the same ones backwards");
  check.require("the weights depend on the query", differ(score(other_s, states, weights).softmax(-1), e.softmax(-1)),
                "with another decoder state the softmax of your scores stays the same");
  ScoreWeights without_bias = weights;
  without_bias.b = zeros_like(weights.b);
  check.require("the weights depend on b", differ(score(s, states, without_bias).softmax(-1), e.softmax(-1)),
                "with b = 0 the softmax of your scores stays the same");
}
