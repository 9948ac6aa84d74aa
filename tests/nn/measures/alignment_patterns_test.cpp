#include <gtest/gtest.h>
#include <nn/measures/alignment_patterns.h>

#include "tests/support/expect.h"

namespace nn_alignment_patterns_test {

using autograd::Tensor;
using nn::AlignmentPattern;
using nn::find_pattern;
using nn::FoundPattern;

// Rows that look clearly at these source words, with 0.7 there and the rest elsewhere.
Tensor looking_at(const std::vector<std::int64_t>& positions, std::int64_t sources) {
  std::vector<double> weights;
  for (const std::int64_t position : positions) {
    for (std::int64_t s = 0; s < sources; ++s) {
      weights.push_back(s == position ? 0.7 : 0.3 / static_cast<double>(sources - 1));
    }
  }
  return autograd::from_vector(weights, {static_cast<std::int64_t>(positions.size()), sources});
}

bool has(AlignmentPattern pattern, const Tensor& weights) {
  return find_pattern(pattern, weights).found;
}

TEST(NnAlignmentPatterns, Staircase) {
  const Tensor weights = looking_at({0, 1, 2, 4}, 5);
  EXPECT_TRUE(has(AlignmentPattern::monotonic, weights));
  EXPECT_FALSE(has(AlignmentPattern::reordering, weights));
  EXPECT_FALSE(has(AlignmentPattern::one_to_many, weights));
  EXPECT_FALSE(has(AlignmentPattern::many_to_one, weights));
}

TEST(NnAlignmentPatterns, CrossingWithItsWords) {
  const FoundPattern found = find_pattern(AlignmentPattern::reordering, looking_at({0, 4, 1, 2, 3}, 5));
  EXPECT_TRUE(found.found);
  EXPECT_EQ(found.extent, 3);
  EXPECT_EQ(found.targets, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(found.sources, (std::vector<std::int64_t>{4, 1}));
  EXPECT_FALSE(has(AlignmentPattern::monotonic, looking_at({0, 4, 1, 2, 3}, 5)));
}

TEST(NnAlignmentPatterns, NeighboursThatChangePlacesAreNoLongCrossing) {
  const Tensor weights = looking_at({0, 2, 1, 3}, 4);
  EXPECT_FALSE(has(AlignmentPattern::reordering, weights));
  EXPECT_FALSE(has(AlignmentPattern::monotonic, weights));
}

TEST(NnAlignmentPatterns, LongestColumn) {
  const FoundPattern found = find_pattern(AlignmentPattern::one_to_many, looking_at({0, 0, 1, 2, 2, 2}, 4));
  EXPECT_TRUE(found.found);
  EXPECT_EQ(found.sources, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(found.targets, (std::vector<std::int64_t>{3, 4, 5}));
}

TEST(NnAlignmentPatterns, TheSameWordLaterIsNoColumn) {
  EXPECT_FALSE(has(AlignmentPattern::one_to_many, looking_at({0, 1, 0, 2}, 3)));
}

TEST(NnAlignmentPatterns, SharedRow) {
  const Tensor weights =
      autograd::tensor({{0.9, 0.1, 0.0}, {0.0, 0.45, 0.5}, {0.0, 0.0, 1.0}, {0.3, 0.3, 0.4}});  // the last: of three
  const FoundPattern found = find_pattern(AlignmentPattern::many_to_one, weights);
  EXPECT_TRUE(found.found);
  EXPECT_EQ(found.targets, (std::vector<std::int64_t>{3}));
  EXPECT_EQ(found.sources, (std::vector<std::int64_t>{0, 1, 2}));
}

TEST(NnAlignmentPatterns, NothingIsClearInBlurredWeights) {
  const Tensor weights = autograd::full({5, 5}, 0.2);
  for (const AlignmentPattern pattern : nn::all_alignment_patterns)
    EXPECT_FALSE(has(pattern, weights)) << name(pattern);
}

TEST(NnAlignmentPatterns, WordsLookClearlyFromAHalfOn) {
  const Tensor weights = autograd::tensor({{0.2, 0.3, 0.5}, {0.49, 0.02, 0.49}, {0.8, 0.1, 0.1}});
  EXPECT_EQ(nn::clear_looks(weights), (std::vector<std::int64_t>{2, -1, 0}));
  EXPECT_EQ(nn::clear_looks(autograd::ones({2, 0})), (std::vector<std::int64_t>{-1, -1}));
}

TEST(NnAlignmentPatterns, AShortSentenceShowsNothing) {
  EXPECT_FALSE(has(AlignmentPattern::monotonic, looking_at({0, 1, 2}, 3)));
  EXPECT_TRUE(has(AlignmentPattern::monotonic, looking_at({0, 1, 2, 2}, 3)));
}

TEST(NnAlignmentPatterns, TheLongerAndThenTheClearerExampleIsDrawn) {
  const FoundPattern none;
  const FoundPattern small{.found = true, .extent = 2, .clearness = 0.9};
  const FoundPattern large{.found = true, .extent = 3, .clearness = 0.6};
  const FoundPattern clearer{.found = true, .extent = 3, .clearness = 0.8};
  EXPECT_TRUE(is_better_example(small, none));
  EXPECT_TRUE(is_better_example(large, small));
  EXPECT_TRUE(is_better_example(clearer, large));
  EXPECT_FALSE(is_better_example(none, none));
}

TEST(NnAlignmentPatterns, WeightsAreAMatrix) {
  fixtures::message_of(autograd::ErrorId::shape_mismatch,
                       [] { find_pattern(AlignmentPattern::monotonic, autograd::ones(5)); });
  EXPECT_FALSE(has(AlignmentPattern::monotonic, autograd::ones({5, 0})));  // a source without words
}

}  // namespace nn_alignment_patterns_test
