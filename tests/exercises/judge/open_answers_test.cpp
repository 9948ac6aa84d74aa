// Where an exercise has several right answers at other settings than the usual one, none of them is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <judge/judge.h>
#include <judge/learner.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

namespace {

using judge::Verdict;
using Numbers = std::vector<double>;

// The largest number and its gradient; the mean of the positive ones; how far each is from the mean.
struct Answer {
  std::function<std::size_t(const Numbers&)> largest;
  double mean_of_none;
  double left_of_zero;
};

std::size_t first_largest(const Numbers& x) {
  return static_cast<std::size_t>(std::max_element(x.begin(), x.end()) - x.begin());
}

std::size_t last_largest(const Numbers& x) {
  return x.size() - 1 - static_cast<std::size_t>(std::max_element(x.rbegin(), x.rend()) - x.rbegin());
}

Tensor as_tensor(const Numbers& values) {
  return autograd::from_vector(values, {static_cast<std::int64_t>(values.size())}, autograd::float64);
}

void check(const Answer& answer, Check& check) {
  const Tensor x = check.randn("x", {"source"});
  const Numbers numbers = x.to_vector();
  Numbers dx(numbers.size());
  dx[answer.largest(numbers)] = 1.0;
  check.gradient("dx", as_tensor(dx), x, [x] { return x.max(); });
  double sum = 0.0;
  double count = 0.0;
  for (const double number : numbers) {
    if (number > 0.0) sum += number, count += 1.0;
  }
  check.compare("mean", count == 0.0 ? answer.mean_of_none : sum / count);
  check.compare("centred", x - x.mean() + answer.left_of_zero, {.may_be_zero = true});
}

// Each is right, and none computes what another does at a tie, at 0/0 and at a zero.
const Answer solution{first_largest, NAN, 0.0};
const Answer another{last_largest, 0.0, 1e-13};

void run_solution(Check& checker) {
  check(solution, checker);
}

Answer under_test = solution;
Verdict::Outcome outcome_of(const Answer& answer) {
  under_test = answer;
  return judge::judge(judge::candidate_here([](Check& checker) { check(under_test, checker); })).outcome;
}

}  // namespace

const Axes judge::axes = {{"source", 6}};
const judge::Exercise judge::exercise = {"test", run_solution, run_solution, {}, {}};

namespace {

TEST(OpenAnswers, AtATieAtNoughtOverNoughtAndAtAZeroAnyIsRight) {
  EXPECT_EQ(outcome_of(solution), Verdict::Outcome::passed);
  EXPECT_EQ(outcome_of({last_largest, NAN, 0.0}), Verdict::Outcome::passed);
  EXPECT_EQ(outcome_of({first_largest, 0.0, 0.0}), Verdict::Outcome::passed);
  EXPECT_EQ(outcome_of({first_largest, NAN, 1e-13}), Verdict::Outcome::passed);
  EXPECT_EQ(outcome_of(another), Verdict::Outcome::passed);
}

TEST(OpenAnswers, WhatIsWrongThereIsWrong) {
  const auto smallest = [](const Numbers& x) {
    return static_cast<std::size_t>(std::min_element(x.begin(), x.end()) - x.begin());
  };
  EXPECT_EQ(outcome_of({smallest, NAN, 0.0}), Verdict::Outcome::wrong);
  EXPECT_EQ(outcome_of({first_largest, NAN, 1e-3}), Verdict::Outcome::wrong);
}

}  // namespace
