// Which shapes an alignment can have, and a stated criterion for each, so that examples are found and not chosen. In
// attention weights [targets, sources], of one sentence without eos, a target word *looks at* a source word clearly if
// its weight is the largest of its row and at least `clear`.
//
//   monotonic     every target word clearly looks at a source word, and never at one further left than the word before:
//                 the picture is a staircase
//   reordering    two target words clearly look at source words in the opposite order, at least `apart` positions
//                 apart: the picture has a crossing
//   one_to_many   one source word is clearly looked at by two or more target words side by side: a column
//   many_to_one   one target word shares its weight over source words: at least two with `shared` or more each, which
//                 together have `together`: a row
//
// One sentence can have several shapes, but monotonic and reordering exclude each other.
//
// The same criteria are applied to a gold alignment, as a matrix of 0 and 1 whose rows are divided by their sums. Where
// the weights look one word ahead, as trained attention often does (docs/14-translation.md), the shape of the weights
// is not that of the gold alignment; a report says how often they agree.
#pragma once

#include <autograd/autograd.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace translate {

using autograd::Tensor;

enum class Pattern { monotonic, reordering, one_to_many, many_to_one };

inline constexpr Pattern all_patterns[] = {Pattern::monotonic, Pattern::reordering, Pattern::one_to_many,
                                           Pattern::many_to_one};

std::string_view name(Pattern pattern);         // "one-to-many"
std::string_view description(Pattern pattern);  // the criterion in one sentence

struct PatternCriteria {
  double clear = 0.5;
  std::int64_t apart = 2;
  double shared = 0.25;
  double together = 0.8;
  std::int64_t shortest = 4;  // target words; shorter sentences show nothing
};

struct FoundPattern {
  bool found = false;
  // How good an example it is, to choose the one that is drawn: the mean of the largest weights of all rows, and for a
  // reordering the longest crossing, for the other two the most words joined.
  double clearness = 0.0;
  std::int64_t extent = 0;                 // positions crossed, or words joined
  std::vector<std::int64_t> targets = {};  // the rows that show it; empty for monotonic, which all do
  std::vector<std::int64_t> sources = {};  // the columns
};

// weights [targets, sources], rows that sum to about 1.
FoundPattern find_pattern(Pattern pattern, const Tensor& weights, const PatternCriteria& criteria = {});

// Is `a` the better example to be drawn?
bool is_better_example(const FoundPattern& a, const FoundPattern& b);

}  // namespace translate
