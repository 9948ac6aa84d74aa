#include <course/by_hand.h>
#include <course/check.h>

#include <algorithm>

#include "given.h"

const Axes course::axes = {{"batch", 3}, {"source", 4}, {"decoder", 2}, {"encoder", 6}, {"attention", 5}};

void check(const Answer& answer, Check& check) {
  const Tensor s = check.randn("s", {"batch", "decoder"});
  const Tensor states = check.randn("states", {"batch", "source", "encoder"});
  ScoreWeights weights;
  weights.W = check.randn("W", {"attention", "decoder"});
  // Smaller, so that no hidden unit is so saturated that its slope could be left out unnoticed.
  weights.U = check.uniform("U", {"attention", "encoder"}, -0.5, 0.5);
  weights.v = check.randn("v", {"attention"});
  const Tensor d_alpha = check.randn("d_alpha", {"batch", "source"});

  // The first sentence is full, the others end in padding.
  const std::int64_t positions = check.size("source");
  const std::vector<std::int64_t> lengths = {positions, std::max<std::int64_t>(positions - 1, 1),
                                             std::max<std::int64_t>(positions - 2, 1)};
  std::vector<std::int64_t> of_batch;
  for (std::int64_t b = 0; b < check.size("batch"); ++b) of_batch.push_back(lengths[static_cast<std::size_t>(b % 3)]);
  const Tensor mask = autograd::length_mask(of_batch, positions);
  const Tensor padding = logical_not(mask);
  const auto loss = [=] { return (d_alpha * given::score_forward(s, states, mask, weights).alpha).sum(); };

  const ScoreStep step = given::score_forward(s, states, mask, weights);
  const ScoreGradients gradients = course::by_hand([&] { return answer.score_backward(d_alpha, step, weights); });
  const Tensor e = matmul(step.hidden, weights.v);
  check.gradient("d_e", gradients.d_e, e, [=] { return (d_alpha * masked_softmax(e, mask)).sum(); },
                 {.regions = {{"padding", padding}}});
  if (gradients.d_e.defined() && gradients.d_e.shape() == padding.shape()) {
    const Tensor sums = gradients.d_e.sum({1}).abs();
    check.require("each row of d_e adds up to 0", all(sums <= 1e-12), "a row of your d_e does not add up to 0");
  }
  check.gradient("dv", gradients.dv, weights.v, loss);
  check.gradient("dW", gradients.dW, weights.W, loss);
  check.gradient("d_s", gradients.d_s, s, loss);
  check.gradient("dU", gradients.dU, weights.U, loss);
  check.gradient("d_states", gradients.d_states, states, loss, {.regions = {{"padding", padding.unsqueeze(2)}}});
}
