#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nn/translation/batches.h>

#include <algorithm>
#include <limits>
#include <set>

#include "tests/support/expect.h"

namespace nn_batches_test {

using autograd::ErrorId;
using autograd::Generator;
using fixtures::has_shape;
using fixtures::holds;
using fixtures::message_of;
using nn::Batch;
using nn::EncodedPair;
using nn::evaluation_batches;
using nn::make_batch;
using nn::make_source_batch;
using nn::Positions;
using nn::training_batches;
using nn::training_batches_of_words;
using nn::Vocabulary;

std::vector<std::int64_t> ids_of_length(std::size_t length) {
  std::vector<std::int64_t> ids(length, 9);
  ids.back() = Vocabulary::eos;
  return ids;
}

EncodedPair pair_of_lengths(std::size_t source, std::size_t target) {
  return {ids_of_length(source), ids_of_length(target)};
}

std::vector<EncodedPair> random_pairs(std::size_t count) {
  Generator generator(1);
  std::vector<EncodedPair> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    pairs.push_back(pair_of_lengths(static_cast<std::size_t>(generator.integer(1, 30)),
                                    static_cast<std::size_t>(generator.integer(1, 30))));
  }
  return pairs;
}

// Each position exactly once?
bool are_all(const std::vector<Positions>& batches, std::size_t count) {
  std::set<std::size_t> seen;
  std::size_t total = 0;
  for (const Positions& batch : batches) {
    seen.insert(batch.begin(), batch.end());
    total += batch.size();
  }
  return total == count && seen.size() == count && *seen.rbegin() == count - 1;
}

std::size_t padding_in(const std::vector<Positions>& batches, const std::vector<EncodedPair>& pairs) {
  std::size_t padding = 0;
  for (const Positions& batch : batches) {
    std::size_t longest = 0;
    for (const std::size_t i : batch) longest = std::max(longest, pairs[i].source.size());
    for (const std::size_t i : batch) padding += longest - pairs[i].source.size();
  }
  return padding;
}

TEST(EncodedPairs, AreCountedInTargetWords) {
  EXPECT_EQ(nn::count_target_words({{{4, 5, 3}, {4, 3}}, {{3}, {3}}}), 3);
}

TEST(MakeBatch, PadsAndShifts) {
  const std::vector<EncodedPair> pairs{{{7, 8, 3}, {5, 3}}, {{6, 3}, {3}}, {{4, 3}, {5, 6, 7, 3}}};
  const Batch batch = make_batch(pairs, {2, 0, 1});
  EXPECT_TRUE(has_shape(batch.src, {3, 3}));
  EXPECT_TRUE(holds(batch.src, {4, 3, 0, 7, 8, 3, 6, 3, 0}));
  EXPECT_THAT(batch.lengths, testing::ElementsAre(2, 3, 2));
  EXPECT_TRUE(has_shape(batch.tgt_in, {3, 4}));
  EXPECT_TRUE(holds(batch.tgt_in, {2, 5, 6, 7, 2, 5, 0, 0, 2, 0, 0, 0}));
  EXPECT_TRUE(holds(batch.tgt_out, {5, 6, 7, 3, 5, 3, 0, 0, 3, 0, 0, 0}));
  EXPECT_EQ(batch.target_words, 7);
  EXPECT_TRUE(holds(batch.word_positions, {0, 1, 2, 3, 4, 5, 8}));
  EXPECT_TRUE(holds(batch.words, {5, 6, 7, 3, 5, 3, 3}));
  EXPECT_THAT(batch.positions, testing::ElementsAre(2, 0, 1));
  EXPECT_EQ(batch.src.dtype(), autograd::int64);
}

TEST(MakeBatch, OfOneEmptySentence) {
  const Batch batch = make_batch({{{3}, {3}}}, {0});
  EXPECT_TRUE(holds(batch.src, {3}));
  EXPECT_TRUE(holds(batch.tgt_in, {2}));
  EXPECT_TRUE(holds(batch.tgt_out, {3}));
  EXPECT_EQ(batch.target_words, 1);
}

TEST(MakeSourceBatch, HasNoTarget) {
  const Batch batch = make_source_batch({{{4, 3}, {}}, {{4, 5, 3}, {}}}, {0, 1});
  EXPECT_TRUE(holds(batch.src, {4, 3, 0, 4, 5, 3}));
  EXPECT_THAT(batch.lengths, testing::ElementsAre(2, 3));
  EXPECT_FALSE(batch.tgt_in.defined());
}

TEST(EvaluationBatches, AreSortedByLength) {
  const std::vector<EncodedPair> pairs{pair_of_lengths(3, 1), pair_of_lengths(2, 9), pair_of_lengths(2, 5),
                                       pair_of_lengths(3, 1), pair_of_lengths(1, 1)};
  EXPECT_EQ(evaluation_batches(pairs, 2), (std::vector<Positions>{{4, 2}, {1, 0}, {3}}));
  EXPECT_TRUE(evaluation_batches({}, 2).empty());
}

// A limit for the words at once ends a batch early, but not the one after it.
TEST(EvaluationBatches, AreFullAgainBehindASmallOne) {
  std::vector<EncodedPair> pairs(4, pair_of_lengths(1, 400));  // these come first, two at once
  pairs.insert(pairs.end(), 4, pair_of_lengths(2, 1));
  EXPECT_EQ(evaluation_batches(pairs, 4), (std::vector<Positions>{{0, 1}, {2, 3}, {4, 5, 6, 7}}));
}

TEST(TrainingBatches, HaveEveryPairOnce) {
  const std::vector<EncodedPair> pairs = random_pairs(1001);
  Generator generator(3);
  const std::vector<Positions> batches = training_batches(pairs, 8, generator);
  EXPECT_TRUE(are_all(batches, 1001));
  EXPECT_EQ(batches.size(), 126u);  // two pools of 400 in 50 batches each, one of 201 in 26
  EXPECT_EQ(std::count_if(batches.begin(), batches.end(), [](const Positions& batch) { return batch.size() != 8; }), 1);
}

// Neither all the same nor none: pools are sorted, and there are several.
TEST(TrainingBatches, HaveLittlePadding) {
  const std::vector<EncodedPair> pairs = random_pairs(2000);
  Generator generator(3);
  const std::vector<Positions> batches = training_batches(pairs, 8, generator);
  Positions order(2000);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::vector<Positions> unsorted;
  for (std::size_t i = 0; i < 2000; i += 8) {
    unsorted.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(i),
                          order.begin() + static_cast<std::ptrdiff_t>(i + 8));
  }
  EXPECT_LT(padding_in(batches, pairs) * 10, padding_in(unsorted, pairs));
}

TEST(TrainingBatches, AreDrawnFromTheGeneratorAlone) {
  const std::vector<EncodedPair> pairs = random_pairs(500);
  Generator generator(5);
  const Generator::State before = generator.state();
  const std::vector<Positions> first = training_batches(pairs, 16, generator);
  const std::vector<Positions> second = training_batches(pairs, 16, generator);
  EXPECT_NE(first, second);
  generator.set_state(before);
  EXPECT_EQ(training_batches(pairs, 16, generator), first);
  EXPECT_EQ(training_batches(pairs, 16, generator), second);
}

// The batches come in random order, not the short ones first.
TEST(TrainingBatches, AreShuffled) {
  const std::vector<EncodedPair> pairs = random_pairs(400);
  Generator generator(5);
  std::vector<std::size_t> lengths;
  for (const Positions& batch : training_batches(pairs, 8, generator)) {
    lengths.push_back(pairs[batch.front()].source.size());
  }
  EXPECT_FALSE(std::is_sorted(lengths.begin(), lengths.end()));
}

TEST(TrainingBatches, OfWordsAreAsFullAsTheyCanBe) {
  std::vector<EncodedPair> pairs = random_pairs(300);
  pairs.push_back(pair_of_lengths(2, 70));  // longer than a batch: alone in one
  Generator generator(3);
  const std::vector<Positions> batches = training_batches_of_words(pairs, 64, generator);
  EXPECT_TRUE(are_all(batches, 301));
  std::size_t too_large = 0;
  for (const Positions& batch : batches) {
    std::size_t longest = 0;
    for (const std::size_t i : batch) longest = std::max({longest, pairs[i].source.size(), pairs[i].target.size()});
    if (longest * batch.size() > 64) ++too_large;
    EXPECT_TRUE(longest <= 64 || batch == Positions{300});
  }
  EXPECT_EQ(too_large, 1u);
  EXPECT_EQ(training_batches_of_words({pair_of_lengths(3, 2), pair_of_lengths(3, 3)}, 6, generator).size(), 1u);
  EXPECT_EQ(training_batches_of_words({pair_of_lengths(3, 2), pair_of_lengths(3, 3)}, 5, generator).size(), 2u);
}

TEST(Batches, NeedASize) {
  Generator generator(5);
  message_of(ErrorId::bad_argument, [&] { training_batches({}, 0, generator); });
  message_of(ErrorId::bad_argument, [&] { training_batches_of_words({}, 0, generator); });
  message_of(ErrorId::bad_argument, [] { evaluation_batches({}, 0); });
  EXPECT_TRUE(training_batches({}, 4, generator).empty());
}

// 50 times 2^63 is 0 in 64 bits: batches of that size would never come to an end.
TEST(Batches, AreOneWhereTheSizeIsHuge) {
  const std::vector<EncodedPair> pairs = random_pairs(7);
  Generator generator(5);
  constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();
  for (const std::size_t size : {largest / 2 + 1, largest}) {
    EXPECT_EQ(training_batches(pairs, size, generator).size(), 1u);
    EXPECT_EQ(evaluation_batches(pairs, size).size(), 1u);
  }
}

TEST(Batches, RefuseWhatHasNoWords) {
  const std::vector<EncodedPair> pairs = {{{5, 3}, {6, 3}}, {{5, 3}, {}}, {{}, {6, 3}}};
  message_of(ErrorId::bad_argument, [&] { make_batch(pairs, {}); });
  message_of(ErrorId::bad_argument, [&] { make_source_batch(pairs, {}); });
  message_of(ErrorId::index_out_of_range, [&] { make_batch(pairs, {0, 3}); });
  message_of(ErrorId::bad_argument, [&] { make_batch(pairs, {0, 1}); });
  message_of(ErrorId::bad_argument, [&] { make_source_batch(pairs, {2}); });
  EXPECT_EQ(make_source_batch(pairs, {0, 1}).lengths, (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(make_batch(pairs, {0}).target_words, 2);
}

}  // namespace nn_batches_test
