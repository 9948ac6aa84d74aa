// What holds the authors of exercises to account: an exercise with every fault that the author's check knows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <judge/author_check.h>
#include <judge/exercise.h>

#include "tests/support/golden.h"
#include "tests/support/pattern.h"

namespace {

using autograd::Tensor;

// A mistake number stands in for the answer.
void check(int answer, Check& check) {
  const Tensor x = check.randn("x", {"n"});
  const double factor = answer == 1 || answer == 5 || (answer == 4 && check.size("unused") == 1) ? 2.0 : 3.0;
  const Tensor dx = x * factor;
  check.gradient("dx", dx, x, [=] { return (x * x).sum(); });  // the solution's 3 x is not the derivative of x * x
  check.compare("zero", x * 0.0);
  check.compare("zero on purpose", x * 0.0, {.may_be_zero = true});
  check.require("broken by a mistake", answer != 2 && answer != 5, "otherwise");
  check.require("broken by none", true, "otherwise");
  check.compare("twice", 1.0);
  check.compare("twice", 1.0);
  check.require("three", check.size("n") == 3, "n is not 3");
  if (check.at_usual_sizes()) check.compare("example", 2.0);
  if (check.slow_part()) check.at_least("target", 0.5, 0.9);
}

template <int answer> void run(Check& checker) {
  check(answer, checker);
}

}  // namespace

const Axes judge::axes = {{"n", 3}, {"unused", 2}};

const judge::Exercise judge::exercise = {"test",
                                         run<0>,
                                         run<0>,
                                         {{{"other_factor"}, run<1>},
                                          {{"breaks_property"}, run<2>},
                                          {{"not_wrong"}, run<0>},
                                          {{"wrong_where_there_is_one"}, run<4>},
                                          {{"same_again"}, run<2>},
                                          {{"other_factor", "hidden"}, run<1>},
                                          {{"other_factor", "wrong_where_there_is_one"}, run<1>},
                                          {{"other_factor", "not_wrong"}, run<3>},
                                          {{"other_factor", "breaks_property"}, run<5>}},
                                         {}};

namespace {

// Also where other sizes bring it about; and what training shows, only when it is asked for.
TEST(AuthorCheck, FindsWhatIsWrongWithAnExercise) {
  const std::vector<std::string> problems = judge::check_as_author(false).problems;
  std::string text;
  for (const std::string& problem : problems) text += problem + "\n";
  text += "with training\n";
  for (const std::string& problem : judge::check_as_author(true).problems) {
    if (std::count(problems.begin(), problems.end(), problem) == 0) text += problem + "\n";
  }
  const std::string digits = R"(-?\d+\.\d{3,})";  // how a processor rounds
  EXPECT_TRUE(fixtures::is_golden("course_author_check", fixtures::replace(text, digits, "N")));
  EXPECT_THAT(judge::check_as_author(false).only_at_usual_sizes, testing::ElementsAre("example"));
}

TEST(AuthorCheck, CountsPairsThatCanBeToldFromOthers) {
  const judge::AuthorReport report = judge::check_as_author(false);
  EXPECT_EQ(report.mistakes, 5);
  EXPECT_EQ(report.pairs, 1);  // the others are one mistake alone, or the solution in disguise
}

}  // namespace
