#include <fmt/format.h>
#include <fmt/ranges.h>
#include <judge/check.h>

#include <algorithm>

#include "given.h"

const Axes judge::axes = {{"batch", 3}, {"source", 5}};

namespace {

using Property = bool (*)(const Attend& attend, const Sample& sample);

// The names of the candidates that are said not to have the property.
std::string rejected(Property holds, const Sample& sample, const std::vector<given::Candidate>& candidates) {
  std::vector<std::string> names;
  for (const given::Candidate& candidate : candidates) {
    if (!holds(candidate.attend, sample)) names.push_back(candidate.name);
  }
  if (names.empty()) return "rejects nothing";
  if (names.size() == candidates.size()) return fmt::format("rejects all {}", names.size());
  return fmt::format("rejects {}", fmt::join(names, ", "));
}

// [batch, source]: the first sentence is at 800, the second at 0 with its padding at 800, the third at -800, and so on.
// Only the maximum of a sentence's own words will do for it.
Tensor far_levels(const Tensor& padding) {
  std::vector<double> levels;
  for (std::int64_t b = 0; b < padding.size(0); ++b) levels.push_back(800.0 - 800.0 * static_cast<double>(b % 3));
  const Tensor words = autograd::from_vector(levels, {padding.size(0), 1}, autograd::float64);
  return words.expand(padding.shape()).masked_fill(logical_and(padding, words == 0.0), 800.0);
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const std::int64_t source = check.size("source");
  // The first sentence is full, the others are not.
  const std::vector<std::int64_t> lengths = {source, std::max<std::int64_t>(source - 3, 1), source - source / 4};
  std::vector<std::int64_t> of_batch;
  for (std::int64_t b = 0; b < check.size("batch"); ++b) of_batch.push_back(lengths[static_cast<std::size_t>(b % 3)]);
  const Tensor mask = check.input("mask", autograd::length_mask(of_batch, source));
  // Without ties, at which a softmax without exp is one to some of these properties.
  std::vector<double> values(static_cast<std::size_t>(mask.numel()));
  for (double& value : values) value = check.random().normal();
  const Tensor scores = check.input("scores", autograd::from_vector(values, mask.shape(), autograd::float64));
  const Sample ordinary = {scores, mask};
  const Sample large = {scores + 800.0, mask};
  const Sample full = {scores, autograd::ones_like(scores) == 1.0};

  const Tensor padding = logical_not(mask);
  check.compare("weights", answer.attention_weights(scores, mask), {.regions = {{"padding", padding}}});
  check.compare("weights at scores around 800", answer.attention_weights(large.scores, mask),
                {.regions = {{"padding", padding}}});
  check.compare("weights at scores around 800, 0 and -800",
                answer.attention_weights(scores + far_levels(padding), mask), {.regions = {{"padding", padding}}});

  if (source == 1) return;  // there is nothing to move, and no neighbour to take from
  const std::vector<std::pair<std::string, Property>> properties = {
      {"non_negative", answer.non_negative},       {"sums_to_one", answer.sums_to_one},
      {"shift_invariant", answer.shift_invariant}, {"alone_gets_all", answer.alone_gets_all},
      {"masked_is_zero", answer.masked_is_zero},   {"equivariant", answer.equivariant}};
  for (const auto& [name, holds] : properties) {
    check.text(name, rejected(holds, ordinary, given::candidates()));
    check.text(name + " without padding", rejected(holds, full, given::candidates()));
    check.text(name + " of those that are nearly right", rejected(holds, ordinary, given::nearly_right()));
    // Whether 0 beside NaN is a weight of 0 is a matter of taste.
    if (name != "masked_is_zero")
      check.text(name + " at scores around 800", rejected(holds, large, given::candidates()));
  }
}
