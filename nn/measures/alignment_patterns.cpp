#include "nn/measures/alignment_patterns.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "nn/layers/checks.h"

namespace nn {
namespace {

constexpr double clear = 0.5;
constexpr std::int64_t apart = 2;
constexpr double shared = 0.25;
constexpr double together = 0.8;
constexpr std::int64_t shortest = 4;
constexpr std::int64_t nowhere = -1;

// Where each target word clearly looks; nowhere if it does not.
using Looks = std::vector<std::int64_t>;

FoundPattern find_monotonic(const Looks& looks) {
  const bool all_look = std::find(looks.begin(), looks.end(), nowhere) == looks.end();
  if (!all_look || !std::is_sorted(looks.begin(), looks.end())) return {};
  return {.found = true, .extent = std::ssize(looks)};
}

// The longest crossing.
FoundPattern find_reordering(const Looks& looks) {
  FoundPattern result;
  for (std::size_t later = 1; later < looks.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      if (looks[earlier] == nowhere || looks[later] == nowhere) continue;
      const std::int64_t crossed = looks[earlier] - looks[later];
      if (crossed < std::max(apart, result.extent + 1)) continue;
      result = {.found = true,
                .extent = crossed,
                .targets = {static_cast<std::int64_t>(earlier), static_cast<std::int64_t>(later)},
                .sources = {looks[earlier], looks[later]}};
    }
  }
  return result;
}

// The longest run of target words that look at the same source word.
FoundPattern find_one_to_many(const Looks& looks) {
  FoundPattern result;
  std::size_t start = 0;  // of the run
  for (std::size_t t = 1; t < looks.size(); ++t) {
    if (looks[t] != looks[start]) start = t;
    const auto words = static_cast<std::int64_t>(t - start + 1);
    if (looks[t] == nowhere || words < 2 || words <= result.extent) continue;
    result = {.found = true, .extent = words, .sources = {looks[t]}};
    result.targets.resize(t - start + 1);
    std::iota(result.targets.begin(), result.targets.end(), static_cast<std::int64_t>(start));
  }
  return result;
}

// The target word that is made from most source words.
FoundPattern find_many_to_one(const Tensor& weights) {
  FoundPattern result;
  double best_sum = 0.0;
  for (std::int64_t t = 0; t < weights.size(0); ++t) {
    const std::vector<double> row = weights[t].to_vector();
    std::vector<std::int64_t> sources;
    double sum = 0.0;
    for (std::size_t s = 0; s < row.size(); ++s) {
      if (row[s] < shared) continue;
      sources.push_back(static_cast<std::int64_t>(s));
      sum += row[s];
    }
    const auto words = std::ssize(sources);
    if (words < 2 || sum < together || std::tuple(words, sum) <= std::tuple(result.extent, best_sum)) continue;
    best_sum = sum;
    result = {.found = true, .extent = words, .targets = {t}, .sources = sources};
  }
  return result;
}

}  // namespace

std::string_view name(AlignmentPattern pattern) {
  constexpr std::string_view names[] = {"monotonic", "reordering", "one-to-many", "many-to-one"};
  return names[static_cast<std::size_t>(pattern)];
}

std::string_view description(AlignmentPattern pattern) {
  constexpr std::string_view descriptions[] = {
      "every target word has at least half of its weight on one source word, never further left than the word before",
      "two target words with at least half of their weight on one source word each, in the opposite order and two or "
      "more positions apart",
      "two or more target words side by side with at least half of their weight on the same source word",
      "a target word with at least a quarter of its weight on each of two or more source words, and four fifths on "
      "them together"};
  return descriptions[static_cast<std::size_t>(pattern)];
}

std::vector<std::int64_t> clear_looks(const Tensor& weights, Where where) {
  check_shape("clear_looks", "weights", weights, {-1, -1}, "[targets, sources]", where);
  if (weights.size(1) == 0) return Looks(static_cast<std::size_t>(weights.size(0)), nowhere);
  const auto [largest, places] = autograd::max(weights, 1);
  const std::vector<double> largest_weights = largest.to_vector();
  Looks looks = places.to_vector<std::int64_t>();
  for (std::size_t t = 0; t < looks.size(); ++t) {
    if (largest_weights[t] < clear) looks[t] = nowhere;
  }
  return looks;
}

FoundPattern find_pattern(AlignmentPattern pattern, const Tensor& weights, Where where) {
  check_shape("find_pattern", "weights", weights, {-1, -1}, "[targets, sources]", where);
  if (weights.size(0) < shortest || weights.size(1) == 0) return {};
  const Looks looks = clear_looks(weights, where);
  FoundPattern result;
  switch (pattern) {
    case AlignmentPattern::monotonic: result = find_monotonic(looks); break;
    case AlignmentPattern::reordering: result = find_reordering(looks); break;
    case AlignmentPattern::one_to_many: result = find_one_to_many(looks); break;
    case AlignmentPattern::many_to_one: result = find_many_to_one(weights); break;
  }
  result.clearness = autograd::amax(weights, {1}).to(autograd::float64).mean().item();
  return result;
}

bool is_better_example(const FoundPattern& a, const FoundPattern& b) {
  return std::tuple(a.found, a.extent, a.clearness) > std::tuple(b.found, b.extent, b.clearness);
}

}  // namespace nn
