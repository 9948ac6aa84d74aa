// Which mutants live: of an exercise of one function, and changes of it that are right, wrong, and worse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <judge/exercise.h>
#include <judge/mutants.h>

#include <cstdlib>
#include <stdexcept>

namespace {

using autograd::Tensor;
using Answer = Tensor (*)(const Tensor& x);

void check(Answer answer, Check& check) {
  const Tensor x = check.randn("x", {"n", "m"});
  check.compare("y", answer(x));
  check.require("not empty", answer(x).numel() > 0, "empty");
  if (check.slow_part()) check.at_most("slow", answer(x).amax().item(), 1e9);
}

Tensor solution(const Tensor& x) {
  return x.sum({1});
}
Tensor other_way(const Tensor& x) {
  return x.sum({-1});
}
Tensor wrong_dim(const Tensor& x) {
  return x.sum({0});
}
Tensor size_as_number(const Tensor& x) {
  return x.mean({1}) * 3.0;
}
Tensor changes_its_input(const Tensor& x) {
  const Tensor y = x.sum({1});
  x.mul_(2.0);
  return y;
}
Tensor throws(const Tensor&) {
  throw std::runtime_error("no");
}
Tensor crashes(const Tensor&) {
  std::abort();
}
Tensor never_ends(const Tensor& x) {
  volatile bool always = true;
  while (always) {
  }
  return x;
}

template <Answer answer> void run(Check& checker) {
  check(answer, checker);
}

}  // namespace

const Axes judge::axes = {{"n", 2}, {"m", 3}};

const judge::Exercise judge::exercise = {"test",
                                         run<solution>,
                                         run<solution>,
                                         {{{"other_way"}, run<other_way>},
                                          {{"wrong_dim"}, run<wrong_dim>},
                                          {{"size_as_number"}, run<size_as_number>},
                                          {{"changes_its_input"}, run<changes_its_input>},
                                          {{"throws"}, run<throws>},
                                          {{"crashes"}, run<crashes>},
                                          {{"never_ends"}, run<never_ends>}},
                                         {}};

namespace {

TEST(LivingMutants, AreThoseThatAreRightEverywhere) {
  const judge::MutantReport report = judge::run_mutants(false);
  EXPECT_THAT(report.living, testing::ElementsAre("other_way"));
  EXPECT_THAT(report.problems, testing::IsEmpty());
}

TEST(LivingMutants, TryTheSlowPartToo) {
  EXPECT_THAT(judge::run_mutants(true).living, testing::ElementsAre("other_way"));
}

}  // namespace
