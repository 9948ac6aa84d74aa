#include <judge/by_hand.h>
#include <judge/check.h>

#include <algorithm>
#include <cmath>

#include "given.h"

const Axes judge::axes = {{"batch", 4}, {"source", 5}, {"encoder", 6}, {"attention", 7}};

namespace {

// The example of the text, in a batch of one; the keys are the states, since U is the identity.
void check_example(const Answer& answer, Check& check) {
  using autograd::float64;
  const Tensor states = autograd::tensor({{{1.0, 0.0}, {0.0, 1.0}, {1.0, 1.0}}}, float64);
  const Source source = {states, states};
  const double unit = std::tanh(0.5);
  const double large = std::tanh(1.5);
  const Tensor scores = autograd::tensor({{large + unit, unit + large, large + large}}, float64);
  const Tensor alpha = scores.softmax(1);
  const Tensor dc = autograd::tensor({{1.0, 2.0}}, float64);
  check.compare("c of the example", answer.context_vector(alpha, source));
  const ContextGradients gradients = judge::by_hand([&] { return answer.context_backward(dc, alpha, source); });
  check.compare("d_alpha of the example", gradients.d_alpha);
  check.compare("d_states of the example", gradients.d_states);
}

}  // namespace

void check(const Answer& answer, Check& check) {
  if (check.at_usual_sizes()) {
    const ByHand by_hand = answer.context_by_hand();
    check.compare("c by hand", judge::to_three_decimals(by_hand.c), {.hide_expected = true});
    check.compare("d_alpha by hand", judge::to_three_decimals(by_hand.d_alpha), {.hide_expected = true});
    check.compare("gradient of h_3 by hand", judge::to_three_decimals(by_hand.d_h3), {.hide_expected = true});
  }

  // The second sentence is the full one; the others end in padding.
  const std::int64_t positions = check.size("source");
  const std::vector<std::int64_t> lengths = {std::max<std::int64_t>(positions - 2, 1), positions,
                                             std::max<std::int64_t>(positions - 1, 1),
                                             std::min<std::int64_t>(positions, 2)};
  std::vector<std::int64_t> of_batch;
  for (std::int64_t b = 0; b < check.size("batch"); ++b) of_batch.push_back(lengths[static_cast<std::size_t>(b % 4)]);
  const Tensor mask = autograd::length_mask(of_batch, positions);
  const Tensor scores = check.randn("scores", {"batch", "source"});
  // Three times as sharp, so that some words have next to nothing.
  const Tensor alpha = check.input("alpha", masked_softmax(3.0 * scores, mask).detach());
  Source source;
  source.states = check.randn("states", {"batch", "source", "encoder"});
  source.keys = check.randn("keys", {"batch", "source", "attention"});
  const Tensor dc = check.randn("dc", {"batch", "encoder"});
  const auto loss = [=] { return (dc * bmm(alpha.unsqueeze(1), source.states).squeeze(1)).sum(); };

  check.compare("c", answer.context_vector(alpha, source));
  const ContextGradients gradients = judge::by_hand([&] { return answer.context_backward(dc, alpha, source); });
  const Tensor padding = logical_not(mask);
  check.gradient("d_alpha", gradients.d_alpha, alpha, loss, {.regions = {{"padding", padding}}});
  check.gradient("d_states", gradients.d_states, source.states, loss, {.regions = {{"padding", padding.unsqueeze(2)}}});
  // What the text does on paper: alpha_1 alone.
  const Tensor first = (autograd::arange(positions) == 0.0).to(autograd::float64);
  check.compare("c with 0.01 more for alpha_1 alone", answer.context_vector(alpha + 0.01 * first, source));
  if (check.at_usual_sizes()) check_example(answer, check);
}
