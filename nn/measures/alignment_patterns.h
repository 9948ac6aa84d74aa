// The shapes that an alignment can have, with a criterion for each, so that examples are found and not picked by hand.
// In the attention weights [targets, sources] of one sentence without eos, a target word *clearly looks at* a source
// word if that weight is the largest in its row and at least a half.
//
//   monotonic     every target word clearly looks at a source word, and never at one further left than the word before:
//                 the picture is a staircase
//   reordering    two target words clearly look at source words in the opposite order, two or more positions apart: the
//                 picture has a crossing
//   one_to_many   one source word is clearly looked at by two or more target words side by side: a column
//   many_to_one   one target word shares its weight over source words: at least two with a quarter or more each, which
//                 together have four fifths: a row
//
// One sentence can have several shapes, but monotonic and reordering exclude each other. Sentences of fewer than four
// target words have none.
//
// A gold alignment has shapes too: as a matrix of 0 and 1 whose rows are divided by their sums. Trained attention often
// looks one word ahead (docs/translation-results.md); then its shape is not that of the gold alignment.
//
//   const nn::FoundPattern found = nn::find_pattern(nn::AlignmentPattern::reordering, weights);
//   if (found.found) fmt::print("{} positions crossed\n", found.extent);
#pragma once

#include <autograd/autograd.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nn {

using autograd::Tensor;
using autograd::Where;

enum class AlignmentPattern { monotonic, reordering, one_to_many, many_to_one };

inline constexpr AlignmentPattern all_alignment_patterns[] = {AlignmentPattern::monotonic, AlignmentPattern::reordering,
                                                              AlignmentPattern::one_to_many,
                                                              AlignmentPattern::many_to_one};

std::string_view name(AlignmentPattern pattern);         // "one-to-many"
std::string_view description(AlignmentPattern pattern);  // the criterion in one sentence

struct FoundPattern {
  bool found = false;
  // How good an example it is. First its extent: the length of the longest crossing, the words that are joined, or for
  // monotonic all target words. Then the mean of the largest weights of all rows.
  std::int64_t extent = 0;
  double clearness = 0.0;
  std::vector<std::int64_t> targets = {};  // the rows that show it; empty for monotonic, which all do
  std::vector<std::int64_t> sources = {};  // the columns
};

// For each target word the source word that it clearly looks at, or -1. Throws shape-mismatch like find_pattern.
std::vector<std::int64_t> clear_looks(const Tensor& weights, Where where = Where::current());

// weights [targets, sources], rows that sum to about 1. Throws shape-mismatch for other shapes.
FoundPattern find_pattern(AlignmentPattern pattern, const Tensor& weights, Where where = Where::current());

// Is `a` the better example?
bool is_better_example(const FoundPattern& a, const FoundPattern& b);

}  // namespace nn
