#include "nn/measures/alignment.h"

#include <fmt/core.h>

#include <set>

#include "nn/layers/checks.h"
#include "nn/measures/weight_rows.h"

namespace nn {
namespace {

using LinkSet = std::set<AlignmentLink>;

LinkSet set_of(const AlignmentLinks& links) {
  return {links.begin(), links.end()};
}

std::int64_t count_common(const LinkSet& a, const LinkSet& b) {
  std::int64_t common = 0;
  for (const AlignmentLink& link : a) common += b.contains(link) ? 1 : 0;
  return common;
}

double ratio(std::int64_t part, std::int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

AlignmentCounts& AlignmentCounts::operator+=(const AlignmentCounts& other) {
  found += other.found;
  sure += other.sure;
  found_sure += other.found_sure;
  found_possible += other.found_possible;
  return *this;
}

double AlignmentCounts::precision() const {
  return ratio(found_possible, found);
}

double AlignmentCounts::recall() const {
  return ratio(found_sure, sure);
}

double AlignmentCounts::error_rate() const {
  return 1.0 - ratio(found_sure + found_possible, found + sure);
}

AlignmentCounts compare_links(const AlignmentLinks& found, const ReferenceAlignment& reference) {
  const LinkSet found_set = set_of(found);
  const LinkSet sure = set_of(reference.sure);
  LinkSet possible = set_of(reference.possible);
  possible.insert(sure.begin(), sure.end());

  AlignmentCounts counts;
  counts.found = static_cast<std::int64_t>(found_set.size());
  counts.sure = static_cast<std::int64_t>(sure.size());
  counts.found_sure = count_common(found_set, sure);
  counts.found_possible = count_common(found_set, possible);
  return counts;
}

AlignmentLinks strongest_links(const Tensor& weights, Where where) {
  const std::vector<std::vector<double>> rows = weight_rows("strongest_links", weights, where);
  AlignmentLinks links;
  for (std::size_t target = 0; target < rows.size(); ++target) {
    const std::int64_t source = strongest(rows[target]);
    if (source >= 0) links.push_back({source, static_cast<std::int64_t>(target)});
  }
  return links;
}

AlignmentLinks links_above(const Tensor& weights, double threshold, Where where) {
  if (!(threshold > 0.0)) {
    autograd::fail(ErrorId::bad_argument, "links_above", where, fmt::format("threshold is {}", threshold),
                   "give one above 0, or every word would be linked to every other");
  }
  const std::vector<std::vector<double>> rows = weight_rows("links_above", weights, where);
  AlignmentLinks links;
  for (std::size_t target = 0; target < rows.size(); ++target) {
    for (std::size_t source = 0; source < rows[target].size(); ++source) {
      if (rows[target][source] < threshold) continue;
      links.push_back({static_cast<std::int64_t>(source), static_cast<std::int64_t>(target)});
    }
  }
  return links;
}

AlignmentLinks links_of_targets(const AlignmentLinks& links, const std::vector<bool>& wanted) {
  AlignmentLinks kept;
  for (const AlignmentLink& link : links) {
    const auto target = static_cast<std::size_t>(link.target);
    if (target < wanted.size() && wanted[target]) kept.push_back(link);
  }
  return kept;
}

ReferenceAlignment links_of_targets(const ReferenceAlignment& reference, const std::vector<bool>& wanted) {
  return {links_of_targets(reference.sure, wanted), links_of_targets(reference.possible, wanted)};
}

}  // namespace nn
