// Measures of attention. Some need no reference: how sharp attention is, whether it reads the whole source, and how far
// it is from reading it word by word. One compares it with reference alignments: whether it looks ahead.
//
// weights [T, S]: a row for each of T target words over S source words, without padding (cut it off with narrow). Rows
// need not sum to 1: local attention's do not. All throw shape-mismatch for other shapes, and bad-argument for weights
// that are negative or not finite.
#pragma once

#include <autograd/autograd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nn/measures/alignment.h"

namespace nn {

// Entropy of each row, in nats, of the row divided by its sum:
//
//   H_t = - sum_i p_ti ln p_ti        from 0, one word only, to ln S, all alike
//
// NaN for a row of zeros, which looks at nothing.
std::vector<double> attention_entropy(const Tensor& weights, Where where = Where::current());
// H_t / ln S, from 0 to 1, which can be compared between sentences of different length. 0 where S is 1.
std::vector<double> normalized_attention_entropy(const Tensor& weights, Where where = Where::current());

// How much attention each source word received in all: c_i = sum_t weights_ti, [S] (Tu et al. 2016).
std::vector<double> attention_coverage(const Tensor& weights, Where where = Where::current());

// How far the attention of each target word is from the diagonal, on which it lies if all is translated in order. t
// and i count from 0, and the middles of the words are compared, so that the diagonal of a square has 0:
//
//   d_t = sum_i p_ti | (t + 1/2) / T - (i + 1/2) / S |        p: the row divided by its sum
//
// From 0 to below 1, in lengths of the sentence; NaN for a row of zeros.
std::vector<double> diagonal_distance(const Tensor& weights, Where where = Where::current());

// d_t over many sentences, by part of the target: word t belongs to the first, middle or last third, 3 t / T rounded
// down. Rows of zeros are left out.
struct DiagonalTotals {
  static constexpr std::size_t parts = 3;

  std::array<double, parts> distance = {};
  std::array<std::int64_t, parts> words = {};

  void add(const Tensor& weights, Where where = Where::current());
  double mean(std::size_t part) const;  // NaN if nothing was added
};

// Sums of entropy and coverage over many sentences.
struct AttentionTotals {
  // A source word that received less than this may have been left out of the translation; one that received more than
  // that may have been translated twice.
  static constexpr double neglected_below = 0.2;
  static constexpr double overused_above = 2.0;

  std::int64_t target_words = 0;  // rows that look at something
  std::int64_t source_words = 0;
  double entropy = 0.0;
  double normalized_entropy = 0.0;
  std::int64_t neglected = 0;  // source words
  std::int64_t overused = 0;   // source words

  // Columns from `words` on, such as that of the end of the sentence, count in the entropy, but are not words that
  // could be neglected; -1: all are words.
  void add(const Tensor& weights, std::int64_t words = -1, Where where = Where::current());
  AttentionTotals& operator+=(const AttentionTotals& other);

  // NaN if nothing was added.
  double mean_entropy() const;             // nats
  double mean_normalized_entropy() const;  // 0 to 1
  double neglected_share() const;          // 0 to 1
  double overused_share() const;           // 0 to 1
};

// Where the strongest weight of a target word is, compared with the reference: attention of a recurrent decoder often
// looks one word ahead of the one that it writes, because the encoder's states contain their neighbours.
struct LookingCounts {
  std::int64_t linked = 0;  // target words that have a link in the reference, the possible ones included; of these:
  std::int64_t right = 0;   // at a linked source word
  std::int64_t ahead = 0;   // not there, but one source word after a linked one
  std::int64_t behind = 0;  // neither, but one source word before a linked one

  LookingCounts& operator+=(const LookingCounts& other);

  // Of the linked ones, 0 to 1; NaN if there are none.
  double right_share() const;
  double ahead_share() const;
  double behind_share() const;
};

LookingCounts compare_looking(const Tensor& weights, const ReferenceAlignment& reference,
                              Where where = Where::current());

}  // namespace nn
