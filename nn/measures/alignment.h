// Word alignments: links from target words to the source words that they translate, and measures that compare the links
// of an aligner, or of attention, with a reference.
//
// People do not always agree on links, so a reference has two kinds (Och and Ney 2003, section 5): sure ones, which an
// aligner has to find, and possible ones, which it may find. With A the links found, S the sure ones, and P the
// possible ones, which include the sure ones:
//
//   precision = |A n P| / |A|        recall = |A n S| / |S|
//   AER       = 1 - (|A n S| + |A n P|) / (|A| + |S|)              alignment error rate: 0 is best, 1 worst
//
//   nn::AlignmentCounts counts;
//   for (..) counts += nn::compare_links(nn::strongest_links(weights), reference);    one sentence after the other
//   fmt::print("AER {:.1f} %", 100 * counts.error_rate());
#pragma once

#include <autograd/autograd.h>

#include <compare>
#include <cstdint>
#include <vector>

namespace nn {

using autograd::Tensor;
using autograd::Where;

struct AlignmentLink {
  std::int64_t source = 0;  // position of the word in its sentence, from 0
  std::int64_t target = 0;
  auto operator<=>(const AlignmentLink&) const = default;
};
using AlignmentLinks = std::vector<AlignmentLink>;  // a set: order and repeats make no difference

struct ReferenceAlignment {
  AlignmentLinks sure;
  AlignmentLinks possible;  // the sure ones need not be repeated here
};

// The counts in the formulas above, summed over all sentences that were added.
struct AlignmentCounts {
  std::int64_t found = 0;           // |A|
  std::int64_t sure = 0;            // |S|
  std::int64_t found_sure = 0;      // |A n S|
  std::int64_t found_possible = 0;  // |A n P|

  AlignmentCounts& operator+=(const AlignmentCounts& other);

  // Each from 0 to 1; NaN where it would be 0 / 0.
  double precision() const;
  double recall() const;
  double error_rate() const;
};

// The counts of one sentence.
AlignmentCounts compare_links(const AlignmentLinks& found, const ReferenceAlignment& reference);

// Links from attention weights [target, source], which may be a view. Both throw shape-mismatch for other shapes, and
// bad-argument for a weight that is negative or not finite. Cut off padding and the end of the sentence by
// narrow(1, 0, words) first, since no word can be linked to them.

// From each target word to the source position with the largest weight, the first one at a tie. A row of zeros has
// none.
AlignmentLinks strongest_links(const Tensor& weights, Where where = Where::current());
// From each target word to every source position whose weight is at least `threshold`, which is above 0.
AlignmentLinks links_above(const Tensor& weights, double threshold, Where where = Where::current());

// Those links whose target word is wanted, to measure some of the words only; a link beyond the end of `wanted` is not.
AlignmentLinks links_of_targets(const AlignmentLinks& links, const std::vector<bool>& wanted);
ReferenceAlignment links_of_targets(const ReferenceAlignment& reference, const std::vector<bool>& wanted);

}  // namespace nn
