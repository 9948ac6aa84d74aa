#include <nn/measures/attention_measures.h>

#include <cmath>

#include "tests/support/expect.h"
#include "tests/support/golden.h"

namespace nn_attention_measures_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;
using fixtures::message_of;

constexpr double close = 1e-15;

TEST(NnAttentionMeasures, EntropyOfKnownRows) {
  const Tensor weights =
      autograd::tensor({{1.0, 0.0, 0.0, 0.0}, {0.25, 0.25, 0.25, 0.25}, {0.5, 0.25, 0.25, 0.0}}, float64);
  const std::vector<double> entropy = nn::attention_entropy(weights);
  ASSERT_EQ(entropy.size(), 3U);
  EXPECT_EQ(entropy[0], 0.0);
  EXPECT_NEAR(entropy[1], std::log(4.0), close);
  EXPECT_NEAR(entropy[2], 1.5 * std::log(2.0), close);  // 1/2 ln 2 + 2 * 1/4 ln 4

  const std::vector<double> normalized = nn::normalized_attention_entropy(weights);
  EXPECT_EQ(normalized[0], 0.0);
  EXPECT_NEAR(normalized[1], 1.0, close);
  EXPECT_NEAR(normalized[2], 0.75, close);
}

TEST(NnAttentionMeasures, EntropyIsOfTheRowDividedByItsSum) {
  const Tensor local = autograd::tensor({{0.1, 0.1, 0.0, 0.0}}, float64);
  EXPECT_NEAR(nn::attention_entropy(local)[0], std::log(2.0), close);
  EXPECT_NEAR(nn::normalized_attention_entropy(local)[0], 0.5, close);
}

TEST(NnAttentionMeasures, OneSourceWordHasNoChoice) {
  EXPECT_EQ(nn::normalized_attention_entropy(autograd::ones({2, 1})), (std::vector<double>{0.0, 0.0}));
}

TEST(NnAttentionMeasures, ARowOfZerosHasNoEntropy) {
  EXPECT_TRUE(std::isnan(nn::attention_entropy(autograd::zeros({1, 3}))[0]));
  EXPECT_TRUE(std::isnan(nn::normalized_attention_entropy(autograd::zeros({1, 1}))[0]));
  EXPECT_TRUE(std::isnan(nn::attention_entropy(autograd::zeros({1, 0}))[0]));
}

TEST(NnAttentionMeasures, CoverageSumsOverTheTarget) {
  const Tensor weights = autograd::tensor({{0.75, 0.25, 0.0}, {0.5, 0.375, 0.125}});
  EXPECT_EQ(nn::attention_coverage(weights), (std::vector<double>{1.25, 0.625, 0.125}));
  EXPECT_EQ(nn::attention_coverage(autograd::zeros({0, 2})), (std::vector<double>{0.0, 0.0}));
}

TEST(NnAttentionMeasures, TotalsOverSentences) {
  nn::AttentionTotals totals;
  totals.add(autograd::tensor({{1.0, 0.0}, {1.0, 0.0}, {0.5, 0.5}, {0.0, 0.0}}, float64));  // coverage 2.5, 0.5
  nn::AttentionTotals other;
  other.add(autograd::tensor({{0.875, 0.125}}, float64));  // coverage 0.875, 0.125
  totals += other;

  const double last = -0.875 * std::log(0.875) - 0.125 * std::log(0.125);
  EXPECT_EQ(totals.target_words, 4);  // the row of zeros is none
  EXPECT_NEAR(totals.mean_entropy(), (std::log(2.0) + last) / 4.0, close);
  EXPECT_NEAR(totals.mean_normalized_entropy(), (1.0 + last / std::log(2.0)) / 4.0, close);
  EXPECT_EQ(totals.source_words, 4);
  EXPECT_EQ(totals.neglected_share(), 0.25);
  EXPECT_EQ(totals.overused_share(), 0.25);
}

TEST(NnAttentionMeasures, TheLimitsThemselvesAreNeither) {
  nn::AttentionTotals totals;
  totals.add(autograd::tensor({{1.0, 0.2}, {1.0, 0.0}}, float64));
  EXPECT_EQ(totals.neglected, 0);
  EXPECT_EQ(totals.overused, 0);
}

TEST(NnAttentionMeasures, TheEndOfTheSentenceIsNoWord) {
  const Tensor weights = autograd::tensor({{0.25, 0.25, 0.25, 0.25}}, float64);
  nn::AttentionTotals totals;
  totals.add(weights, 3);
  EXPECT_EQ(totals.source_words, 3);
  EXPECT_NEAR(totals.mean_entropy(), std::log(4.0), close);
  totals.add(weights, 9);  // more than there are
  EXPECT_EQ(totals.source_words, 7);
}

// Two target words over four source words: the middles are at 1/4 and 3/4, and at 1/8, 3/8, 5/8 and 7/8.
TEST(NnAttentionMeasures, DistanceFromTheDiagonal) {
  const Tensor weights = autograd::tensor({{0.5, 0.5, 0.0, 0.0}, {0.75, 0.0, 0.0, 0.25}}, float64);
  const std::vector<double> distances = nn::diagonal_distance(weights);
  ASSERT_EQ(distances.size(), 2U);
  EXPECT_NEAR(distances[0], 1.0 / 8.0, close);
  EXPECT_NEAR(distances[1], 0.75 * 5.0 / 8.0 + 0.25 * 1.0 / 8.0, close);
  EXPECT_EQ(nn::diagonal_distance(autograd::eye(3)), (std::vector<double>{0.0, 0.0, 0.0}));
  EXPECT_EQ(nn::diagonal_distance(autograd::tensor({{0.0, 0.0}, {0.0, 0.5}}, float64))[1], 0.0);  // divided by the sum
}

TEST(NnAttentionMeasures, DistanceFromTheDiagonalByThirds) {
  nn::DiagonalTotals totals;
  // In order but for the last word, which looks at the first: 3/4 away. Words 0 and 1 of the four are the first third.
  totals.add(autograd::tensor({{1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}, {1.0, 0.0, 0.0, 0.0}},
                              float64));
  totals.add(autograd::tensor({{0.0, 1.0}, {0.0, 0.0}}, float64));  // 1/2 away, and nowhere
  EXPECT_EQ(totals.words, (std::array<std::int64_t, 3>{3, 1, 1}));
  EXPECT_NEAR(totals.mean(0), 0.5 / 3.0, close);
  EXPECT_EQ(totals.mean(1), 0.0);
  EXPECT_NEAR(totals.mean(2), 0.75, close);
}

TEST(NnAttentionMeasures, NothingIsNaN) {
  EXPECT_TRUE(std::isnan(nn::DiagonalTotals().mean(0)));
  EXPECT_TRUE(std::isnan(nn::diagonal_distance(autograd::zeros({1, 2}))[0]));
  EXPECT_TRUE(std::isnan(nn::AttentionTotals().mean_entropy()));
  EXPECT_TRUE(std::isnan(nn::AttentionTotals().neglected_share()));
  EXPECT_TRUE(std::isnan(nn::LookingCounts().ahead_share()));
}

// "ein Mann schläft ." of "a man is sleeping .": the article looks at the man.
TEST(NnAttentionMeasures, LookingAhead) {
  const Tensor weights = autograd::tensor(
      {{0.1, 0.9, 0.0, 0.0, 0.0}, {0.0, 0.8, 0.1, 0.1, 0.0}, {0.0, 0.0, 0.9, 0.1, 0.0}, {0.6, 0.0, 0.0, 0.4, 0.0}});
  const nn::ReferenceAlignment reference = {.sure = {{0, 0}, {1, 1}, {3, 2}, {4, 3}}, .possible = {{2, 2}}};
  const nn::LookingCounts counts = nn::compare_looking(weights, reference);
  EXPECT_EQ(counts.linked, 4);
  EXPECT_EQ(counts.right, 2);  // Mann, and schläft at the possible "is"
  EXPECT_EQ(counts.ahead, 1);  // ein
  EXPECT_EQ(counts.behind, 0);
  EXPECT_EQ(counts.ahead_share(), 0.25);
  EXPECT_EQ(counts.right_share(), 0.5);
}

TEST(NnAttentionMeasures, LookingBehindAndAtNothing) {
  const Tensor weights = autograd::tensor({{1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}});
  nn::LookingCounts counts = nn::compare_looking(weights, {.sure = {{1, 0}, {2, 1}}, .possible = {}});
  EXPECT_EQ(counts.linked, 2);  // the third word has no link
  EXPECT_EQ(counts.behind, 1);
  EXPECT_EQ(counts.behind_share(), 0.5);
  EXPECT_EQ(counts.right + counts.ahead, 0);
  counts += counts;
  EXPECT_EQ(counts.linked, 4);
  EXPECT_EQ(counts.behind, 2);
}

TEST(NnAttentionMeasures, Refusals) {
  EXPECT_TRUE(fixtures::says("nn_measures",
                             {message_of(ErrorId::shape_mismatch, [] { nn::attention_entropy(autograd::ones(3)); })}));
  message_of(ErrorId::bad_argument, [] { nn::attention_coverage(autograd::tensor({{-1.0, 1.0}})); });
  message_of(ErrorId::bad_argument, [] { nn::AttentionTotals().add(autograd::tensor({{HUGE_VAL}})); });
  message_of(ErrorId::undefined_tensor, [] { nn::compare_looking(Tensor(), {}); });
}

}  // namespace nn_attention_measures_test
