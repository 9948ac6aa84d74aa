#include <judge/by_hand.h>
#include <judge/check.h>

#include <algorithm>

#include "given.h"

const Axes judge::axes = {{"batch", 3}, {"source", 8}, {"decoder", 4}, {"attention", 5}};

namespace {

// Not 2: sigma would be 1, and equal to its square.
constexpr double window = 3.0;

// Full, much padding, little padding.
std::vector<double> lengths_of(const Check& check) {
  std::vector<double> lengths;
  const std::int64_t shorter[] = {0, 3, 1};
  for (std::int64_t b = 0; b < check.size("batch"); ++b) {
    lengths.push_back(static_cast<double>(std::max<std::int64_t>(1, check.size("source") - shorter[b % 3])));
  }
  return lengths;
}

// One window inside the sentence, one that reaches over its end, one over its start; no edge near a word, where the
// weights jump and have no derivative.
std::vector<double> positions_in(const std::vector<double>& lengths) {
  const double fractions[] = {0.41, 0.92, 0.057};
  std::vector<double> positions;
  for (std::size_t b = 0; b < lengths.size(); ++b) positions.push_back(lengths[b] * fractions[b % 3]);
  return positions;
}

Tensor column(const std::vector<double>& values) {
  return autograd::from_vector(values, {static_cast<std::int64_t>(values.size())}, autograd::float64);
}

Tensor distance_from(const Tensor& position, std::int64_t source) {
  return autograd::arange(source, autograd::float64) - position.unsqueeze(1);
}

Tensor expected_weights(const Tensor& scores, const Tensor& position, const Tensor& mask) {
  const Tensor distance = distance_from(position, scores.size(1));
  const Tensor shares = masked_softmax(scores, logical_and(mask, distance * distance <= window * window));
  return shares * exp(distance * distance * (-2.0 / (window * window)));
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const std::vector<double> sizes = lengths_of(check);
  const Tensor lengths = check.input("lengths", column(sizes));
  const Tensor query = check.randn("query", {"batch", "decoder"});
  const PositionWeights weights{check.randn("W_p", {"attention", "decoder"}), check.randn("v_p", {"attention"})};
  check.compare("position", answer.predict_position(query, weights, lengths));

  const Tensor scores = check.randn("scores", {"batch", "source"});
  const Tensor position = check.input("position", column(positions_in(sizes)));
  const Tensor mask =
      check.input("mask", autograd::arange(check.size("source"), autograd::float64) < lengths.unsqueeze(1));
  check.compare("weights", answer.local_weights(scores, position, mask, window));
  // With equal scores only the distance counts.
  const Tensor equal = autograd::zeros(scores.shape(), autograd::float64);
  check.compare("weights of equal scores", answer.local_weights(equal, position, mask, window));

  if (check.at_usual_sizes()) {
    // The text's example: the first and the last of its five words lie on the edge, which is inside.
    const Tensor five_of_seven = autograd::zeros({1, 7}, autograd::float64);
    check.compare("weights of the text's example, D = 2 and p = 3",
                  answer.local_weights(five_of_seven, column({3.0}), five_of_seven == 0.0, 2.0));
  }

  const Tensor given_weights = check.input("given weights", expected_weights(scores.detach(), position.detach(), mask));
  const Tensor d_weights = check.randn("d_weights", {"batch", "source"});
  const Tensor d_position =
      judge::by_hand([&] { return answer.position_backward(d_weights, given_weights, position, window); });
  check.gradient("d_position", d_position, position,
                 [=] { return (d_weights * expected_weights(scores, position, mask)).sum(); });
  check.compare("d_position for another window",
                judge::by_hand([&] { return answer.position_backward(d_weights, given_weights, position, 5.0); }));
  check.compare("weights for a window of 2.5", answer.local_weights(scores, position, mask, 2.5));
}
