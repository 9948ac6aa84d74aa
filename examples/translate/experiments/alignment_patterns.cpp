#include "examples/translate/experiments/alignment_patterns.h"

#include <algorithm>
#include <cstdlib>

namespace translate {

namespace {

// Where each target word looks, and how much of its weight is there.
struct Looks {
  std::vector<std::int64_t> position;
  std::vector<double> weight;

  std::int64_t size() const { return static_cast<std::int64_t>(position.size()); }
  std::int64_t at(std::int64_t target) const { return position[static_cast<std::size_t>(target)]; }
  bool is_clear(std::int64_t target, double clear) const { return weight[static_cast<std::size_t>(target)] >= clear; }
  double mean_weight() const {
    double sum = 0.0;
    for (const double one : weight) sum += one;
    return weight.empty() ? 0.0 : sum / static_cast<double>(weight.size());
  }
};

Looks looks_of(const Tensor& weights) {
  const auto [values, indices] = autograd::max(weights, 1);
  Looks looks;
  looks.weight = values.to_vector();
  for (const double index : indices.to_vector()) looks.position.push_back(static_cast<std::int64_t>(index));
  return looks;
}

FoundPattern find_monotonic(const Looks& looks, const PatternCriteria& criteria) {
  FoundPattern result;
  for (std::int64_t t = 0; t < looks.size(); ++t) {
    if (!looks.is_clear(t, criteria.clear)) return result;
    if (t > 0 && looks.at(t) < looks.at(t - 1)) return result;
  }
  result.found = true;
  result.extent = looks.size();
  return result;
}

// The longest crossing.
FoundPattern find_reordering(const Looks& looks, const PatternCriteria& criteria) {
  FoundPattern result;
  for (std::int64_t later = 1; later < looks.size(); ++later) {
    for (std::int64_t earlier = 0; earlier < later; ++earlier) {
      if (!looks.is_clear(earlier, criteria.clear) || !looks.is_clear(later, criteria.clear)) continue;
      const std::int64_t crossed = looks.at(earlier) - looks.at(later);
      if (crossed < std::max(criteria.apart, result.extent + 1)) continue;
      result = {.found = true,
                .extent = crossed,
                .targets = {earlier, later},
                .sources = {looks.at(earlier), looks.at(later)}};
    }
  }
  return result;
}

// The longest run of target words that look at the same source word.
FoundPattern find_one_to_many(const Looks& looks, const PatternCriteria& criteria) {
  FoundPattern result;
  std::int64_t start = 0;  // of the run that `t` would go on
  for (std::int64_t t = 0; t < looks.size(); ++t) {
    const bool goes_on = t > start && looks.is_clear(t, criteria.clear) && looks.at(t) == looks.at(t - 1);
    if (!goes_on) start = looks.is_clear(t, criteria.clear) ? t : t + 1;
    const std::int64_t words = t - start + 1;
    if (words < 2 || words <= result.extent) continue;
    result = {.found = true, .extent = words, .targets = {}, .sources = {looks.at(t)}};
    for (std::int64_t target = start; target <= t; ++target) result.targets.push_back(target);
  }
  return result;
}

// The target word that is made from most source words.
FoundPattern find_many_to_one(const Tensor& weights, const PatternCriteria& criteria) {
  FoundPattern result;
  double best_sum = 0.0;
  for (std::int64_t t = 0; t < weights.size(0); ++t) {
    const std::vector<double> row = weights[t].to_vector();
    std::vector<std::int64_t> sources;
    double sum = 0.0;
    for (std::size_t s = 0; s < row.size(); ++s) {
      if (row[s] < criteria.shared) continue;
      sources.push_back(static_cast<std::int64_t>(s));
      sum += row[s];
    }
    const std::int64_t words = static_cast<std::int64_t>(sources.size());
    const bool is_better = words > result.extent || (words == result.extent && sum > best_sum);
    if (words < 2 || sum < criteria.together || !is_better) continue;
    best_sum = sum;
    result = {.found = true, .extent = words, .targets = {t}, .sources = sources};
  }
  return result;
}

}  // namespace

std::string_view name(Pattern pattern) {
  switch (pattern) {
    case Pattern::monotonic: return "monotonic";
    case Pattern::reordering: return "reordering";
    case Pattern::one_to_many: return "one-to-many";
    case Pattern::many_to_one: break;
  }
  return "many-to-one";
}

std::string_view description(Pattern pattern) {
  switch (pattern) {
    case Pattern::monotonic:
      return "every target word has at least half of its weight on one source word, never further left than the word "
             "before";
    case Pattern::reordering:
      return "two target words with at least half of their weight on one source word each, in the opposite order and "
             "two or more positions apart";
    case Pattern::one_to_many:
      return "two or more target words side by side with at least half of their weight on the same source word";
    case Pattern::many_to_one: break;
  }
  return "a target word with at least a quarter of its weight on each of two or more source words, and four fifths on "
         "them together";
}

FoundPattern find_pattern(Pattern pattern, const Tensor& weights, const PatternCriteria& criteria) {
  if (weights.size(0) < criteria.shortest) return {};
  const Looks looks = looks_of(weights);
  FoundPattern result;
  switch (pattern) {
    case Pattern::monotonic: result = find_monotonic(looks, criteria); break;
    case Pattern::reordering: result = find_reordering(looks, criteria); break;
    case Pattern::one_to_many: result = find_one_to_many(looks, criteria); break;
    case Pattern::many_to_one: result = find_many_to_one(weights, criteria); break;
  }
  result.clearness = looks.mean_weight();
  return result;
}

bool is_better_example(const FoundPattern& a, const FoundPattern& b) {
  if (a.found != b.found) return a.found;
  if (a.extent != b.extent) return a.extent > b.extent;
  return a.clearness > b.clearness;
}

}  // namespace translate
