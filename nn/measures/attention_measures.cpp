#include "nn/measures/attention_measures.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "nn/measures/weight_rows.h"

namespace nn {
namespace {

using Row = std::vector<double>;

double ratio(double part, std::int64_t whole) {
  return part / static_cast<double>(whole);
}

// NaN for a row of zeros, from 0 / 0.
double entropy_of(const Row& row) {
  double sum = 0.0;
  for (const double weight : row) sum += weight;
  double entropy = row.empty() ? std::nan("") : 0.0;
  for (const double weight : row) {
    const double p = weight / sum;
    if (p != 0.0) entropy -= p * std::log(p);  // p ln p goes to 0 with p
  }
  return entropy;
}

double normalized(double entropy, std::size_t source_words) {
  if (source_words == 1) return entropy;  // 0, and NaN for a row of zeros
  return entropy / std::log(static_cast<double>(source_words));
}

std::vector<double> coverage_of(const std::vector<Row>& rows, std::size_t source_words) {
  std::vector<double> coverage(source_words, 0.0);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < source_words; ++i) coverage[i] += row[i];
  }
  return coverage;
}

std::size_t source_words_of(const Tensor& weights) {
  return static_cast<std::size_t>(weights.size(1));
}

}  // namespace

std::vector<double> attention_entropy(const Tensor& weights, Where where) {
  std::vector<double> entropies;
  for (const Row& row : weight_rows("attention_entropy", weights, where)) entropies.push_back(entropy_of(row));
  return entropies;
}

std::vector<double> normalized_attention_entropy(const Tensor& weights, Where where) {
  std::vector<double> entropies;
  for (const Row& row : weight_rows("normalized_attention_entropy", weights, where)) {
    entropies.push_back(normalized(entropy_of(row), row.size()));
  }
  return entropies;
}

std::vector<double> attention_coverage(const Tensor& weights, Where where) {
  const std::vector<Row> rows = weight_rows("attention_coverage", weights, where);
  return coverage_of(rows, source_words_of(weights));
}

std::vector<double> diagonal_distance(const Tensor& weights, Where where) {
  const std::vector<Row> rows = weight_rows("diagonal_distance", weights, where);
  std::vector<double> distances;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const double here = (static_cast<double>(t) + 0.5) / static_cast<double>(rows.size());
    double sum = 0.0;
    double distance = 0.0;
    for (std::size_t i = 0; i < rows[t].size(); ++i) {
      const double there = (static_cast<double>(i) + 0.5) / static_cast<double>(rows[t].size());
      sum += rows[t][i];
      distance += rows[t][i] * std::abs(here - there);
    }
    distances.push_back(distance / sum);  // NaN for a row of zeros, from 0 / 0
  }
  return distances;
}

void DiagonalTotals::add(const Tensor& weights, Where where) {
  const std::vector<double> distances = diagonal_distance(weights, where);
  for (std::size_t t = 0; t < distances.size(); ++t) {
    if (std::isnan(distances[t])) continue;
    const std::size_t part = parts * t / distances.size();
    distance[part] += distances[t];
    ++words[part];
  }
}

double DiagonalTotals::mean(std::size_t part) const {
  return ratio(distance.at(part), words.at(part));
}

void AttentionTotals::add(const Tensor& weights, std::int64_t words, Where where) {
  const std::vector<Row> rows = weight_rows("AttentionTotals::add", weights, where);
  for (const Row& row : rows) {
    const double row_entropy = entropy_of(row);
    if (std::isnan(row_entropy)) continue;
    ++target_words;
    entropy += row_entropy;
    normalized_entropy += normalized(row_entropy, row.size());
  }
  std::vector<double> coverage = coverage_of(rows, source_words_of(weights));
  if (words >= 0) coverage.resize(std::min(coverage.size(), static_cast<std::size_t>(words)));
  for (const double received : coverage) {
    ++source_words;
    if (received < neglected_below) ++neglected;
    if (received > overused_above) ++overused;
  }
}

AttentionTotals& AttentionTotals::operator+=(const AttentionTotals& other) {
  target_words += other.target_words;
  source_words += other.source_words;
  entropy += other.entropy;
  normalized_entropy += other.normalized_entropy;
  neglected += other.neglected;
  overused += other.overused;
  return *this;
}

double AttentionTotals::mean_entropy() const {
  return ratio(entropy, target_words);
}

double AttentionTotals::mean_normalized_entropy() const {
  return ratio(normalized_entropy, target_words);
}

double AttentionTotals::neglected_share() const {
  return ratio(static_cast<double>(neglected), source_words);
}

double AttentionTotals::overused_share() const {
  return ratio(static_cast<double>(overused), source_words);
}

LookingCounts& LookingCounts::operator+=(const LookingCounts& other) {
  linked += other.linked;
  right += other.right;
  ahead += other.ahead;
  behind += other.behind;
  return *this;
}

double LookingCounts::right_share() const {
  return ratio(static_cast<double>(right), linked);
}

double LookingCounts::ahead_share() const {
  return ratio(static_cast<double>(ahead), linked);
}

double LookingCounts::behind_share() const {
  return ratio(static_cast<double>(behind), linked);
}

LookingCounts compare_looking(const Tensor& weights, const ReferenceAlignment& reference, Where where) {
  const std::vector<Row> rows = weight_rows("compare_looking", weights, where);
  std::vector<std::set<std::int64_t>> linked_to(rows.size());  // the source words of each target word
  for (const AlignmentLinks& links : {reference.sure, reference.possible}) {
    for (const AlignmentLink& link : links) {
      const auto target = static_cast<std::size_t>(link.target);
      if (target < rows.size()) linked_to[target].insert(link.source);
    }
  }
  LookingCounts counts;
  for (std::size_t target = 0; target < rows.size(); ++target) {
    const std::set<std::int64_t>& right = linked_to[target];
    if (right.empty()) continue;
    const std::int64_t source = strongest(rows[target]);
    ++counts.linked;
    if (source < 0) continue;  // all weights are 0
    if (right.contains(source)) {
      ++counts.right;
    } else if (right.contains(source - 1)) {
      ++counts.ahead;
    } else if (right.contains(source + 1)) {
      ++counts.behind;
    }
  }
  return counts;
}

}  // namespace nn
