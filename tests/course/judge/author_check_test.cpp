// What holds the authors of exercises to account: an exercise with every fault that the author's check knows.
#include <course/author_check.h>
#include <course/exercise.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using autograd::Tensor;
using testing::HasSubstr;

// A mistake number stands in for the answer.
void check(int answer, Check& check) {
  const Tensor x = check.randn("x", {"n"});
  const double factor = answer == 1 || (answer == 4 && check.size("unused") == 1) ? 2.0 : 3.0;
  const Tensor dx = x * factor;
  check.gradient("dx", dx, x, [=] { return (x * x).sum(); });  // the solution's 3 x is not the derivative of x * x
  check.compare("zero", x * 0.0);
  check.compare("zero on purpose", x * 0.0, {.may_be_zero = true});
  check.require("broken by a mistake", answer != 2, "otherwise");
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

std::string all_problems(bool slow) {
  std::string text;
  for (const std::string& problem : course::check_as_author(slow).problems) text += problem + "\n";
  return text;
}

}  // namespace

const Axes course::axes = {{"n", 3}, {"unused", 2}};

const course::Exercise course::exercise = {"test",
                                           run<0>,
                                           run<0>,
                                           {{{"other_factor"}, run<1>},
                                            {{"breaks_property"}, run<2>},
                                            {{"not_wrong"}, run<0>},
                                            {{"wrong_where_there_is_one"}, run<4>},
                                            {{"same_again"}, run<2>},
                                            {{"other_factor", "hidden"}, run<1>},
                                            {{"other_factor", "wrong_where_there_is_one"}, run<1>},
                                            {{"other_factor", "breaks_property"}, run<3>}},
                                           {}};

namespace {

TEST(AuthorCheck, FindsWhatIsWrongWithAnExercise) {
  const std::string problems = all_problems(false);
  EXPECT_THAT(problems, HasSubstr("'dx': entry 0 of the solution is"));
  EXPECT_THAT(problems, HasSubstr("'zero' proves nothing"));
  EXPECT_THAT(problems, testing::Not(HasSubstr("'zero on purpose' proves nothing")));
  EXPECT_THAT(problems, HasSubstr("no known mistake breaks 'broken by none'"));
  EXPECT_THAT(problems, testing::Not(HasSubstr("no known mistake breaks 'broken by a mistake'")));
  EXPECT_THAT(problems, HasSubstr("no known mistake breaks 'twice'"));
  EXPECT_THAT(problems, testing::Not(HasSubstr("no known mistake breaks 'dx'")));
  EXPECT_THAT(problems, HasSubstr("two observations are called 'twice'"));
  EXPECT_THAT(problems, HasSubstr("mistake 'not_wrong' gives the same as the solution"));
  EXPECT_THAT(problems, testing::Not(HasSubstr("mistake 'wrong_where_there_is_one'")));
  EXPECT_THAT(problems, HasSubstr("mistake 'breaks_property' gives the same as same_again"));
}

TEST(AuthorCheck, FindsWhatDoesNotGoWithOtherSizes) {
  const std::string problems = all_problems(false);
  EXPECT_THAT(problems, HasSubstr("where n = 4, unused = 3, seed 1: the solution fails 'three': n is not 3"));
  EXPECT_THAT(problems, HasSubstr("nothing that the check looks at depends on the length of 'unused'"));
  EXPECT_THAT(problems, testing::Not(HasSubstr("length of 'n'")));
  EXPECT_THAT(course::check_as_author(false).only_at_usual_sizes, testing::ElementsAre("example"));
}

TEST(AuthorCheck, RunsTrainingOnlyWhenAsked) {
  EXPECT_THAT(all_problems(false), testing::Not(HasSubstr("target")));
  EXPECT_THAT(all_problems(true), HasSubstr("the solution fails 'target': measured 0.5, to be at least 0.9"));
}

TEST(AuthorCheck, CountsPairsThatCanBeToldFromOthers) {
  const course::AuthorReport report = course::check_as_author(false);
  EXPECT_EQ(report.mistakes, 5);
  EXPECT_THAT(report.pairs_unnamed, testing::ElementsAre("other_factor + hidden", "other_factor + breaks_property"));
  EXPECT_EQ(report.pairs, 0);  // the other pair is the solution in disguise
}

}  // namespace
