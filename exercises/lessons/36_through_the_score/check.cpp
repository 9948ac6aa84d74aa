#include <judge/by_hand.h>
#include <judge/check.h>

#include <algorithm>

#include "given.h"

const Axes judge::axes = {{"batch", 3}, {"source", 4}, {"decoder", 2}, {"encoder", 6}, {"attention", 5}};

namespace {

// Is it 0 everywhere, in the shape of what it is the gradient of?
bool vanishes(const Tensor& gradient, const Tensor& of) {
  return gradient.defined() && gradient.shape() == of.shape() && all(gradient.abs() <= 1e-12);
}

// Where each sentence has one word there is nothing to choose, so nothing to learn.
bool one_word_gives_zeros(const Answer& answer, const Tensor& s, const Tensor& states, const Tensor& d_alpha,
                          const ScoreWeights& weights) {
  const Tensor mask = (autograd::arange(d_alpha.size(1)) == 0.0).expand(d_alpha.shape());
  const ScoreStep step = given::score_forward(s, states, mask, weights);
  const ScoreGradients gradients = judge::by_hand([&] { return answer.score_backward(d_alpha, step, weights); });
  return vanishes(gradients.d_e, d_alpha) && vanishes(gradients.d_s, s) && vanishes(gradients.d_states, states) &&
         vanishes(gradients.dW, weights.W) && vanishes(gradients.dU, weights.U) && vanishes(gradients.dv, weights.v);
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor s = check.randn("s", {"batch", "decoder"});
  const Tensor states = check.randn("states", {"batch", "source", "encoder"});
  ScoreWeights weights;
  weights.W = check.randn("W", {"attention", "decoder"});
  // Smaller, so that no hidden unit is so saturated that its slope could be left out unnoticed.
  weights.U = check.uniform("U", {"attention", "encoder"}, -0.5, 0.5);
  weights.v = check.randn("v", {"attention"});
  const Tensor d_alpha = check.randn("d_alpha", {"batch", "source"});

  // The first sentence is full, the others end in padding; the last one has one word, with all the weight.
  const std::int64_t positions = check.size("source");
  const std::vector<std::int64_t> lengths = {positions, std::max<std::int64_t>(positions - 1, 1), 1};
  std::vector<std::int64_t> of_batch;
  for (std::int64_t b = 0; b < check.size("batch"); ++b) of_batch.push_back(lengths[static_cast<std::size_t>(b % 3)]);
  const Tensor mask = autograd::length_mask(of_batch, positions);
  const Tensor padding = logical_not(mask);
  const auto loss = [=] { return (d_alpha * given::score_forward(s, states, mask, weights).alpha).sum(); };

  const ScoreStep step = given::score_forward(s, states, mask, weights);
  check.input("step.hidden", step.hidden);
  check.input("step.alpha", step.alpha);
  const ScoreGradients gradients = judge::by_hand([&] { return answer.score_backward(d_alpha, step, weights); });
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
  const Tensor word = states.narrow(1, 0, 1).contiguous();
  const Tensor of_word = d_alpha.narrow(1, 0, 1).contiguous();
  check.require("one source position: every gradient is 0", one_word_gives_zeros(answer, s, word, of_word, weights),
                "with one source position some gradient of yours is not 0, or not of the shape it should have");
  check.require("one word and padding: every gradient is 0", one_word_gives_zeros(answer, s, states, d_alpha, weights),
                "with one word followed by padding, some gradient of yours is not 0");
}
