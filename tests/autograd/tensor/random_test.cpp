// Random numbers: the same bits everywhere for the same seed, and the right distributions.

#include "autograd/tensor/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <set>
#include <thread>

#include "tests/support/expect.h"

namespace random_test {

using namespace autograd;
using fixtures::holds;
using fixtures::message_of;

// ---- golden numbers: these must never change, on any machine or compiler ----------------------------------

// The first outputs of xoshiro256** with the state 1, 2, 3, 4, from the authors' own program.
TEST(Generator, IsXoshiro256StarStar) {
  Generator generator;
  generator.set_state({.words = {1, 2, 3, 4}});
  for (const std::uint64_t expected :
       {11520ull, 0ull, 1509978240ull, 1215971899390074240ull, 1216172134540287360ull, 607988272756665600ull,
        16172922978634559625ull, 8476171486693032832ull, 10595114339597558777ull, 2904607092377533576ull}) {
    EXPECT_EQ(generator.next(), expected);
  }
}

// The first outputs of splitmix64 with the seed 1234567, from Rosetta Code.
TEST(Generator, IsSeededBySplitmix64) {
  const Generator generator(1234567);
  EXPECT_EQ(generator.state().words, (std::array<std::uint64_t, 4>{6457827717110365317ull, 3203168211198807973ull,
                                                                   9817491932198370423ull, 4593380528125082431ull}));
}

TEST(Generator, GivesTheseNumbersForSeed42) {
  Generator generator(42);
  for (const std::uint64_t expected :
       {0x15780b2e0c2ec716ull, 0x6104d9866d113a7eull, 0xae17533239e499a1ull, 0xecb8ad4703b360a1ull})
    EXPECT_EQ(generator.next(), expected);
  generator.manual_seed(42);
  for (const double expected : {0x1.5780b2e0c2ec0p-4, 0x1.84136619b444ep-2, 0x1.5c2ea66473c93p-1, 0x1.d9715a8e0766cp-1})
    EXPECT_EQ(generator.uniform(), expected);
  generator.manual_seed(42);
  for (const double expected :
       {-0x1.73d2feb0fb377p-1, -0x1.b088028693f9cp-3, 0x1.c5e21f7812a4ep-3, 0x1.0ba8bb0c5fa51p-1, 0x1.db514bfac5b4ep-2})
    EXPECT_EQ(generator.normal(), expected);
  generator.manual_seed(42);
  for (const std::int64_t expected : {-258, 102, 9, -807, 476, -416, -246, -593, -42, 85})
    EXPECT_EQ(generator.integer(-1000, 1000), expected);
}

TEST(RandomTensors, AreTheseForSeed42) {
  manual_seed(42);
  EXPECT_TRUE(holds(randn({5}, float64), {-0x1.73d2feb0fb377p-1, -0x1.b088028693f9cp-3, 0x1.c5e21f7812a4ep-3,
                                          0x1.0ba8bb0c5fa51p-1, 0x1.db514bfac5b4ep-2}));
  manual_seed(42);
  EXPECT_TRUE(holds(autograd::rand({3}, float32), {0x1.5780b2p-4, 0x1.841366p-2, 0x1.5c2ea6p-1}));
  manual_seed(42);
  EXPECT_TRUE(holds(randperm(10), {7, 3, 8, 9, 5, 6, 4, 1, 0, 2}));
  manual_seed(42);
  EXPECT_TRUE(holds(bernoulli(0.25, {16}), {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  manual_seed(42);
  EXPECT_TRUE(holds(dropout(ones({8}), 0.5), {2, 2, 0, 0, 0, 0, 0, 0}));
}

// ---- state ------------------------------------------------------------------------------------------------

TEST(Generator, GoesOnFromAState) {
  Generator first(7);
  first.normal();  // one of a pair: the other is kept
  Generator second;
  second.set_state(first.state());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(first.normal(), second.normal());
  EXPECT_EQ(first.next(), second.next());
}

TEST(Generator, ASeedForgetsTheKeptNormalNumber) {
  Generator fresh(7);
  Generator used(7);
  used.normal();
  used.manual_seed(7);
  EXPECT_EQ(used.normal(), fresh.normal());
}

TEST(Generator, DiffersFromSeedToSeed) {
  std::set<std::uint64_t> firsts;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) firsts.insert(Generator(seed).next());
  EXPECT_EQ(firsts.size(), 1000u);
}

TEST(DefaultGenerator, BelongsToTheThreadAndStartsWithSeedZero) {
  std::uint64_t first = 0;
  std::thread([&] { first = default_generator().next(); }).join();
  EXPECT_EQ(first, Generator(0).next());
  manual_seed(5);
  std::thread([] { manual_seed(6); }).join();
  EXPECT_EQ(default_generator().next(), Generator(5).next());
}

// ---- distributions ----------------------------------------------------------------------------------------

constexpr int draws = 200000;

struct Moments {
  double mean = 0.0;
  double variance = 0.0;
  double fourth = 0.0;  // of (x - mean) / sqrt(variance)
};

Moments moments(const std::function<double()>& draw) {
  std::vector<double> values(draws);
  for (double& value : values) value = draw();
  Moments found;
  for (const double value : values) found.mean += value / draws;
  for (const double value : values) found.variance += (value - found.mean) * (value - found.mean) / draws;
  for (const double value : values) found.fourth += std::pow(value - found.mean, 4) / draws;
  found.fourth /= found.variance * found.variance;
  return found;
}

TEST(Distribution, UniformIsEvenOnZeroToOne) {
  Generator generator(1);
  double lowest = 1.0;
  double highest = 0.0;
  const Moments found = moments([&] {
    const double value = generator.uniform();
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
    return value;
  });
  EXPECT_GE(lowest, 0.0);
  EXPECT_LT(highest, 1.0);
  EXPECT_LT(lowest, 1e-4);
  EXPECT_GT(highest, 1.0 - 1e-4);
  EXPECT_NEAR(found.mean, 0.5, 4 * std::sqrt(1.0 / 12 / draws));
  EXPECT_NEAR(found.variance, 1.0 / 12, 0.001);
}

// The largest number that uniform() can give must not be rounded up to 1.
TEST(Distribution, UniformFloat32StaysBelowOne) {
  const Generator::State before = default_generator().state();
  Generator::State state;
  state.words = {0, 0x4fc71c71c71c71c7u, 0, 0};  // so that the next 64 bits are all 1
  default_generator().set_state(state);
  EXPECT_EQ(Generator(default_generator()).next(), UINT64_MAX);
  const Tensor x = autograd::rand({1});
  EXPECT_LT(x.item(), 1.0);
  EXPECT_GT(x.item(), 1.0 - 1e-7);
  default_generator().set_state(before);
}

TEST(Distribution, NormalHasMeanZeroAndDeviationOne) {
  Generator generator(2);
  const Moments found = moments([&] { return generator.normal(); });
  EXPECT_NEAR(found.mean, 0.0, 4 / std::sqrt(draws));
  EXPECT_NEAR(found.variance, 1.0, 4 * std::sqrt(2.0 / draws));
  EXPECT_NEAR(found.fourth, 3.0, 0.1);
}

TEST(Distribution, NeighbouringNormalNumbersAreIndependent) {
  Generator generator(3);
  double previous = generator.normal();
  double product = 0.0;
  for (int i = 0; i < draws; ++i) {
    const double next = generator.normal();
    product += previous * next / draws;
    previous = next;
  }
  EXPECT_NEAR(product, 0.0, 4 / std::sqrt(draws));
}

TEST(Distribution, IntegersAreEven) {
  Generator generator(4);
  std::vector<int> counts(7);
  for (int i = 0; i < draws; ++i) ++counts[static_cast<std::size_t>(generator.integer(-3, 4) + 3)];
  for (const int count : counts) EXPECT_NEAR(count, draws / 7.0, 5 * std::sqrt(draws / 7.0));
}

// A range of more than half of 2^64, where taking the remainder alone would make small numbers twice as likely.
TEST(Distribution, IntegersOfAHugeRangeAreEvenToo) {
  Generator generator(5);
  constexpr std::int64_t low = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t high = low / 2 * -1;  // 3/4 of all integers
  int in_first_third = 0;
  for (int i = 0; i < draws; ++i) {
    const std::int64_t drawn = generator.integer(low, high);
    ASSERT_LT(drawn, high);
    if (drawn < low / 2) ++in_first_third;
  }
  EXPECT_NEAR(in_first_third, draws / 3.0, 5 * std::sqrt(draws / 3.0));
  EXPECT_NO_THROW(generator.integer(low, std::numeric_limits<std::int64_t>::max()));
}

TEST(Distribution, OfNoIntegerIsAnError) {
  Generator generator;
  message_of(ErrorId::bad_argument, [&] { generator.integer(3, 3); });
  message_of(ErrorId::bad_argument, [&] { generator.integer(3, 2); });
}

TEST(Distribution, EveryPermutationIsEquallyLikely) {
  manual_seed(6);
  std::map<std::vector<std::int64_t>, int> counts;
  constexpr int rounds = 24000;
  for (int i = 0; i < rounds; ++i) ++counts[randperm(4).to_vector<std::int64_t>()];
  EXPECT_EQ(counts.size(), 24u);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, rounds / 24.0, 5 * std::sqrt(rounds / 24.0));
}

TEST(Distribution, BernoulliIsTrueWithItsProbability) {
  manual_seed(7);
  EXPECT_NEAR(bernoulli(0.3, {draws}).mean().item(), 0.3, 5 * std::sqrt(0.21 / draws));
}

}  // namespace random_test
