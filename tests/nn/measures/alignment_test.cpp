#include <nn/measures/alignment.h>

#include <cmath>

#include "tests/support/expect.h"
#include "tests/support/golden.h"

namespace nn_alignment_test {

using autograd::ErrorId;
using autograd::Tensor;
using fixtures::message_of;
using nn::AlignmentCounts;
using nn::AlignmentLinks;

// Worked by hand. A has 4 links, S 3, P 5 of which 3 are S's.
const AlignmentLinks found = {{0, 0}, {1, 1}, {2, 1}, {4, 3}};
const nn::ReferenceAlignment reference = {.sure = {{0, 0}, {1, 1}, {3, 2}}, .possible = {{2, 1}, {2, 2}}};

TEST(NnAlignment, CountsByHand) {
  const AlignmentCounts counts = nn::compare_links(found, reference);
  EXPECT_EQ(counts.found, 4);
  EXPECT_EQ(counts.sure, 3);
  EXPECT_EQ(counts.found_sure, 2);      // 0-0, 1-1
  EXPECT_EQ(counts.found_possible, 3);  // these, and 2-1
  EXPECT_DOUBLE_EQ(counts.precision(), 3.0 / 4.0);
  EXPECT_DOUBLE_EQ(counts.recall(), 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(counts.error_rate(), 1.0 - (2.0 + 3.0) / (4.0 + 3.0));
}

TEST(NnAlignment, TheSureLinksAloneAreRight) {
  const AlignmentCounts counts = nn::compare_links(reference.sure, reference);
  EXPECT_EQ(counts.error_rate(), 0.0);
  EXPECT_EQ(counts.precision(), 1.0);
  EXPECT_EQ(counts.recall(), 1.0);
}

TEST(NnAlignment, PossibleLinksMayBeFoundAndMayBeMissed) {
  AlignmentLinks all = reference.sure;
  all.insert(all.end(), reference.possible.begin(), reference.possible.end());
  EXPECT_EQ(nn::compare_links(all, reference).error_rate(), 0.0);
  EXPECT_EQ(nn::compare_links({{2, 2}}, reference).error_rate(), 1.0 - 1.0 / 4.0);
}

TEST(NnAlignment, DirectionMatters) {
  EXPECT_EQ(nn::compare_links({{2, 3}}, {.sure = {{3, 2}}, .possible = {}}).error_rate(), 1.0);
}

TEST(NnAlignment, RepeatsCountOnce) {
  AlignmentLinks twice = found;
  twice.insert(twice.end(), found.begin(), found.end());
  nn::ReferenceAlignment repeated = reference;
  repeated.sure.push_back({0, 0});
  repeated.possible.push_back({0, 0});
  EXPECT_EQ(nn::compare_links(twice, repeated).error_rate(), nn::compare_links(found, reference).error_rate());
}

// The rate of a corpus is that of its sums, not the mean of the sentences' rates.
TEST(NnAlignment, SentencesAreSummed) {
  AlignmentCounts counts = nn::compare_links(found, reference);
  counts += nn::compare_links({{0, 0}}, {.sure = {{0, 0}}, .possible = {}});
  EXPECT_DOUBLE_EQ(counts.error_rate(), 1.0 - (5.0 + 2.0) / (7.0 + 2.0));
}

TEST(NnAlignment, NothingIsNaN) {
  EXPECT_TRUE(std::isnan(AlignmentCounts().error_rate()));
  EXPECT_TRUE(std::isnan(AlignmentCounts().precision()));
  EXPECT_TRUE(std::isnan(AlignmentCounts().recall()));
  EXPECT_EQ(nn::compare_links({}, reference).error_rate(), 1.0);
}

TEST(NnAlignment, StrongestIsTheFirstOfTheLargest) {
  const Tensor weights = autograd::tensor({{0.1, 0.6, 0.3}, {0.4, 0.2, 0.4}, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}});
  EXPECT_EQ(nn::strongest_links(weights), (AlignmentLinks{{1, 0}, {0, 1}, {2, 3}}));
}

TEST(NnAlignment, ThresholdLinksAllThatReachIt) {
  const Tensor weights = autograd::tensor({{0.25, 0.5, 0.25}, {0.125, 0.125, 0.75}}, autograd::float64);
  EXPECT_EQ(nn::links_above(weights, 0.25), (AlignmentLinks{{0, 0}, {1, 0}, {2, 0}, {2, 1}}));
  EXPECT_EQ(nn::links_above(weights, 1.0), AlignmentLinks());
}

TEST(NnAlignment, AViewIsReadByItsShape) {
  const Tensor weights = autograd::tensor({{0.9, 0.2}, {0.1, 0.8}, {5.0, 0.0}});
  EXPECT_EQ(nn::strongest_links(weights.narrow(0, 0, 2).t()), (AlignmentLinks{{0, 0}, {1, 1}}));
  EXPECT_EQ(nn::strongest_links(autograd::zeros({0, 3})), AlignmentLinks());
  EXPECT_EQ(nn::strongest_links(autograd::zeros({3, 0})), AlignmentLinks());
}

TEST(NnAlignment, SomeTargetsOnly) {
  const std::vector<bool> wanted = {true, false, true};  // and none beyond
  EXPECT_EQ(nn::links_of_targets(found, wanted), (AlignmentLinks{{0, 0}}));
  const nn::ReferenceAlignment part = nn::links_of_targets(reference, wanted);
  EXPECT_EQ(part.sure, (AlignmentLinks{{0, 0}, {3, 2}}));
  EXPECT_EQ(part.possible, (AlignmentLinks{{2, 2}}));
}

TEST(NnAlignment, Refusals) {
  std::vector<std::string> said;
  said.push_back(message_of(ErrorId::shape_mismatch, [] { nn::strongest_links(autograd::zeros({2, 3, 4})); }));
  said.push_back(message_of(ErrorId::bad_argument, [] {
    nn::strongest_links(autograd::tensor({{0.5, -0.5}, {0.0, 1.0}}));
  }));
  message_of(ErrorId::bad_argument, [] { nn::links_above(autograd::tensor({{std::nan(""), 1.0}}), 0.5); });
  message_of(ErrorId::bad_argument, [] { nn::links_above(autograd::ones({1, 1}), 0.0); });
  message_of(ErrorId::bad_argument, [] { nn::links_above(autograd::ones({1, 1}), std::nan("")); });
  message_of(ErrorId::undefined_tensor, [] { nn::strongest_links(Tensor()); });
  EXPECT_TRUE(fixtures::says("nn_measures", said));
}

}  // namespace nn_alignment_test
