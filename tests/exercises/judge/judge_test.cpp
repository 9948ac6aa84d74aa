// The course's verdict: a small exercise of two functions, and what is said of answers to it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <judge/clues.h>
#include <judge/comparison.h>
#include <judge/judge.h>
#include <judge/learner.h>
#include <judge/steps.h>

#include <filesystem>
#include <limits>
#include <utility>

namespace {

using judge::Clue;
using judge::Difference;
using Kind = judge::Clue::Kind;
using judge::Verdict;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::SizeIs;
using testing::UnorderedElementsAre;

// The answer under test: y = sum over source of x * w, and its gradient.
struct Answer {
  Tensor (*forward)(const Tensor& x, const Tensor& w);
  Tensor (*backward)(const Tensor& dy, const Tensor& x, const Tensor& w);
};

void check(const Answer& answer, Check& check) {
  const Tensor x = check.randn("x", {"batch", "source"});
  const Tensor w = check.randn("w", {"source"});
  const Tensor dy = check.randn("dy", {"batch"});
  const Tensor padding = autograd::arange(x.size(1)) == static_cast<double>(x.size(1) - 1);
  check.compare("y", answer.forward(x, w));
  check.gradient("dw", answer.backward(dy, x, w), w, [=] { return (dy * (x * w).sum({1})).sum(); },
                 {.regions = {{"padding", padding}}});
  check.require("no NaN", all_finite(answer.forward(x, w)), "your y has a NaN");
  if (check.slow_part()) check.at_least("accuracy", answer.forward(x, w).size(0) == 3 ? 1.0 : 0.0, 0.5);
}

Tensor double_forward(const Tensor& x, const Tensor& w) {
  return 2.0 * (x * w).sum({1});
}
Tensor double_backward(const Tensor& dy, const Tensor& x, const Tensor&) {
  return 2.0 * (dy.unsqueeze(1) * x).sum({0});
}
Tensor right_forward(const Tensor& x, const Tensor& w) {
  const Tensor product = x * w;
  for (std::int64_t n = 0; n < x.size(0); ++n) probe("product", product[n]);
  return product.sum({1});
}
Tensor right_backward(const Tensor& dy, const Tensor& x, const Tensor&) {
  const Tensor spread = probe("spread", dy.unsqueeze(1) * x);
  return spread.sum({0});
}

template <Tensor (*forward)(const Tensor&, const Tensor&),
          Tensor (*backward)(const Tensor&, const Tensor&, const Tensor&)>
void run(Check& checker) {
  check({forward, backward}, checker);
}

Tensor mean_backward(const Tensor& dy, const Tensor& x, const Tensor&) {
  return (dy.unsqueeze(1) * x).mean({0});
}
Tensor negative_backward(const Tensor& dy, const Tensor& x, const Tensor& w) {
  return -right_backward(dy, x, w);
}
Tensor negative_mean_backward(const Tensor& dy, const Tensor& x, const Tensor& w) {
  return -mean_backward(dy, x, w);
}
// Right but where there is one row.
Tensor doubled_alone(const Tensor& dy, const Tensor& x, const Tensor& w) {
  return right_backward(dy, x, w) * (x.size(0) == 1 ? 2.0 : 1.0);
}
Tensor zero_backward(const Tensor&, const Tensor&, const Tensor& w) {
  return autograd::zeros_like(w);
}
// One mistake that shows in both functions, and in backward on the way, too.
Tensor minus_forward(const Tensor& x, const Tensor& w) {
  return (x - w).sum({1});
}
Tensor minus_backward(const Tensor& dy, const Tensor& x, const Tensor&) {
  return probe("spread", dy.unsqueeze(1) - x).sum({0});
}
Tensor mean_forward(const Tensor& x, const Tensor& w) {
  return (x * w).mean({1});
}

// An answer with this backward; its forward is right, unless a test says otherwise.
using Backward = Tensor (*)(const Tensor&, const Tensor&, const Tensor&);
Tensor (*forward_under_test)(const Tensor&, const Tensor&) = right_forward;
Backward backward_under_test = nullptr;
judge::Run with(Backward backward) {
  backward_under_test = backward;
  return [](Check& checker) { check({forward_under_test, backward_under_test}, checker); };
}

std::vector<Kind> kinds_of(const std::vector<Clue>& clues) {
  std::vector<Kind> kinds;
  for (const Clue& clue : clues) kinds.push_back(clue.kind);
  return kinds;
}

// The clue of this kind; a test fails where there is none.
Clue clue_in(const std::vector<Clue>& clues, Kind kind) {
  const auto found = std::find_if(clues.begin(), clues.end(), [&](const Clue& clue) { return clue.kind == kind; });
  EXPECT_NE(found, clues.end()) << "no clue of this kind: " << static_cast<int>(kind);
  return found == clues.end() ? Clue{} : *found;
}

std::vector<std::string> axes_of(const judge::FactorSource& source) {
  std::vector<std::string> names;
  for (const judge::Axis& axis : source.axes) names.push_back(axis.name);
  return names;
}

Verdict judge(judge::Run answer) {
  return judge::judge(judge::candidate_here(answer));
}

std::vector<judge::Step> steps_of(judge::Run answer) {
  return judge::steps_of(judge::candidate_here(answer));
}

// The first thing that differs.
Difference differing(judge::Run answer) {
  const Verdict verdict = judge(answer);
  EXPECT_EQ(verdict.outcome, Verdict::Outcome::wrong);
  EXPECT_FALSE(verdict.differences.empty()) << verdict.message;
  return verdict.differences.empty() ? Difference{} : verdict.differences[0];
}

std::vector<Clue> clues_to(judge::Run answer) {
  return differing(answer).clues;
}

}  // namespace

const Axes judge::axes = {{"batch", 3}, {"source", 4}};

const judge::Exercise judge::exercise = {"test",
                                         run<right_forward, right_backward>,
                                         run<right_forward, right_backward>,
                                         {{{"dw_mean"}, run<right_forward, mean_backward>},
                                          {{"y_mean"}, run<mean_forward, right_backward>},
                                          {{"dw_negative"}, run<right_forward, negative_backward>},
                                          {{"dw_zero"}, run<right_forward, zero_backward>},
                                          {{"doubled"}, run<double_forward, double_backward>},
                                          {{"doubled_alone"}, run<right_forward, doubled_alone>},
                                          {{"minus"}, run<minus_forward, minus_backward>},
                                          {{"dw_mean", "y_mean"}, run<mean_forward, mean_backward>},
                                          {{"dw_mean", "dw_negative"}, run<right_forward, negative_mean_backward>}},
                                         {"matmul", "backward"}};

namespace {

TEST(Verdict, PassesWhatIsRightInAnotherWay) {
  const auto loop = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    Tensor dw = autograd::zeros_like(w);
    for (std::int64_t n = 0; n < x.size(0); ++n) dw = dw + dy[n] * x[n];
    return dw;
  };
  const Verdict verdict = judge(with(loop));
  EXPECT_EQ(verdict.outcome, Verdict::Outcome::passed);
  EXPECT_THAT(verdict.right, SizeIs(4));  // the slow part is looked at, too
}

TEST(Verdict, NamesAKnownMistake) {
  const Verdict verdict = judge(run<right_forward, mean_backward>);
  EXPECT_THAT(verdict.named, ElementsAre(ElementsAre("dw_mean")));
}

TEST(Verdict, NamesTwoMistakesAtOnce) {
  const Verdict verdict = judge(run<mean_forward, mean_backward>);
  EXPECT_THAT(verdict.named, ElementsAre(ElementsAre("dw_mean", "y_mean")));
}

TEST(Verdict, NamesAMistakeBesideSomethingElseThatIsWrong) {
  forward_under_test = mean_forward;
  const auto unwritten = [](const Tensor&, const Tensor&, const Tensor&) -> Tensor { todo("dw, please"); };
  const auto unknown = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return right_backward(dy, x, w) + 0.1;
  };
  for (const Backward backward : {+unwritten, +unknown}) {
    const Verdict verdict = judge(with(backward));
    EXPECT_THAT(verdict.named, IsEmpty());
    ASSERT_EQ(verdict.partly_named.size(), 1U);
    EXPECT_THAT(verdict.partly_named[0].mistakes, ElementsAre("y_mean"));
    EXPECT_THAT(verdict.partly_named[0].explains, ElementsAre("y"));
  }
  forward_under_test = right_forward;
}

Tensor off_forward(const Tensor& x, const Tensor& w) {
  return right_forward(x, w) + 0.1;
}

// A mistake, and what it explains.
std::vector<judge::PartlyNamed> parts_of(Tensor (*forward)(const Tensor&, const Tensor&), Backward backward) {
  forward_under_test = forward;
  const Verdict verdict = judge(with(backward));
  forward_under_test = right_forward;
  EXPECT_THAT(verdict.named, IsEmpty());
  return verdict.partly_named;
}

auto part(const std::string& mistake, const std::string& explains) {
  return AllOf(Field(&judge::PartlyNamed::mistakes, ElementsAre(mistake)),
               Field(&judge::PartlyNamed::explains, ElementsAre(explains)));
}

TEST(Verdict, NamesByResult) {
  const auto tripled = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return 3.0 * minus_backward(dy, x, w);
  };
  EXPECT_THAT(parts_of(off_forward, negative_backward), ElementsAre(part("dw_negative", "dw")));
  EXPECT_THAT(parts_of(off_forward, minus_backward), ElementsAre(part("minus", "dw")));       // y is not as with it
  EXPECT_THAT(parts_of(right_forward, minus_backward), ElementsAre(part("minus", "dw")));     // y is right
  EXPECT_THAT(parts_of(right_forward, double_backward), ElementsAre(part("doubled", "dw")));  // in one of its functions
  EXPECT_THAT(parts_of(off_forward, tripled), ElementsAre(part("minus", "spread")));          // on the way
  EXPECT_THAT(parts_of(right_forward, tripled), IsEmpty());  // what is right was not computed with it
  EXPECT_THAT(parts_of(mean_forward, minus_backward), UnorderedElementsAre(part("y_mean", "y"), part("minus", "dw")));
  EXPECT_THAT(parts_of(off_forward, negative_mean_backward),
              ElementsAre(Field(&judge::PartlyNamed::mistakes, ElementsAre("dw_mean", "dw_negative"))));
}

TEST(Verdict, NamesNothingThatFitsOnlyHere) {
  const auto third = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return right_backward(dy, x, w) / 3.0;  // as if averaged over a batch of 3
  };
  EXPECT_THAT(parts_of(off_forward, third), IsEmpty());
}

TEST(Verdict, NamesNothingThatIsNotExactlyIt) {
  const auto nearly = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return mean_backward(dy, x, w) * 1.00001;
  };
  EXPECT_THAT(judge(with(nearly)).named, IsEmpty());
}

TEST(Verdict, ShowsTheWorstEntriesWithTheNumericDerivative) {
  const auto one_wrong = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    const Tensor dw = right_backward(dy, x, w).clone();
    dw.set_({2}, 100.0);
    dw.set_({1}, 50.0);
    return dw;
  };
  const Verdict verdict = judge(with(one_wrong));
  ASSERT_EQ(verdict.differences.size(), 1U);
  const Difference& dw = verdict.differences[0];
  EXPECT_EQ(dw.wrong, 2);
  EXPECT_EQ(dw.total, 4);
  EXPECT_THAT(dw.entries.at(0).index, ElementsAre(2));
  EXPECT_EQ(dw.entries[0].yours, 100.0);
  EXPECT_NEAR(dw.entries[0].numeric.value(), dw.entries[0].expected, 1e-8);
  const Clue clue = clue_in(dw.clues, Kind::right_and_wrong_along);
  EXPECT_EQ(clue.name, "source");
  EXPECT_THAT(clue.right_positions, ElementsAre(0, 3));
  EXPECT_THAT(clue.positions, ElementsAre(1, 2));
}

TEST(Verdict, SaysWhatIsNotWritten) {
  const auto unwritten = [](const Tensor&, const Tensor&, const Tensor&) -> Tensor { todo("dw, please"); };
  const Verdict verdict = judge(with(unwritten));
  EXPECT_EQ(verdict.outcome, Verdict::Outcome::unwritten);
  EXPECT_EQ(verdict.message, "dw, please");
  EXPECT_THAT(verdict.right, ElementsAre("y"));
}

// The x of a run with a batch of one, which a mistake that depends on numbers may be right for.
double first_x_alone() {
  Check alone({{{"batch", 1}, {"source", 4}}});
  return alone.randn("x", {"batch", "source"}).at({0, 0});
}

TEST(Verdict, ALengthAtWhichItIsRightByChanceIsNoNews) {
  static const double first = first_x_alone();
  const auto by_number = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return right_backward(dy, x, w) * (x.size(0) == 1 && x.at({0, 0}) == first ? 1.0 : 2.0);
  };
  const Verdict verdict = judge(with(by_number));
  ASSERT_EQ(verdict.shrunk.size(), 2U);
  EXPECT_FALSE(verdict.shrunk[0].right_at_one);
}

TEST(Verdict, TellsASizeFromNumbersThatComeWithIt) {
  EXPECT_FALSE(judge(run<right_forward, doubled_alone>).depends_on_numbers);
  static const double first = first_x_alone();
  const auto by_number = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return right_backward(dy, x, w) * (x.size(0) == 1 && x.at({0, 0}) == first ? 2.0 : 1.0);
  };
  const Verdict verdict = judge(with(by_number));
  EXPECT_EQ(verdict.setting.sizes[0].size, 1);
  EXPECT_TRUE(verdict.depends_on_numbers);
}

// Of 3 rows of 4.
std::vector<Clue> clues_where_wrong(const std::vector<std::size_t>& wrong) {
  std::vector<double> numbers(12);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i + 1);
  judge::Observation expected;
  expected.value = autograd::from_vector(numbers, {3, 4}, autograd::float64);
  for (const std::size_t i : wrong) numbers[i] = 50.0 - static_cast<double>(i * i);
  judge::Observation yours = expected;
  yours.value = autograd::from_vector(numbers, {3, 4}, autograd::float64);
  return judge::clues_from_values(yours, expected, {judge::axes, {}, {}}).guesses;
}

// Its second row is wrong with the usual numbers, by what they happen to be.
TEST(Verdict, PositionsThatAreWrongByChanceAreNoNews) {
  const auto where_negative = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    const Tensor dw = right_backward(dy, x, w);
    return autograd::where(w < 0.0, dw + 1.0, dw);
  };
  const auto at_the_first = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    const Tensor dw = right_backward(dy, x, w).clone();
    for (const std::int64_t i : {0, 1}) dw.set_({i}, dw.at({i}) + 1.0 + static_cast<double>(i));
    return dw;
  };
  EXPECT_THAT(kinds_of(clues_to(with(where_negative))), Not(Contains(Kind::right_and_wrong_along)));
  const Clue clue = clue_in(clues_to(with(at_the_first)), Kind::right_and_wrong_along);
  EXPECT_THAT(clue.right_positions, ElementsAre(2, 3));
  EXPECT_THAT(clue.positions, ElementsAre(0, 1));
}

// The solution has this value elsewhere, as its y.
TEST(Steps, AValueThatTheSolutionHasOnTheWayToSomethingElseIsNoneOfItsOwn) {
  const auto takes_another = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    const Tensor dw = right_backward(dy, x, w);
    const Tensor stray = x * w;
    return dw + stray.sum();
  };
  std::vector<bool> found;
  for (const judge::Step& step : steps_of(with(takes_another))) {
    if (step.kind == judge::Step::Kind::op && step.name == "mul") found.push_back(step.in_solution);
  }
  ASSERT_GE(found.size(), 3U);  // of y, of dw, and the stray one
  EXPECT_TRUE(found[0]);
  EXPECT_TRUE(found[1]);
  EXPECT_FALSE(found[2]);
}

TEST(Clues, AFewWrongEntriesAreOfNoRow) {
  EXPECT_THAT(clues_where_wrong({4, 6}), IsEmpty());
  EXPECT_THAT(clues_where_wrong({4, 5, 6, 7}),
              ElementsAre(Clue{
                  .kind = Kind::right_and_wrong_along, .name = "batch", .positions = {1}, .right_positions = {0, 2}}));
}

// The factor has nothing to do with the batch: only where there is one row, it happens to be 1.
TEST(Verdict, ALengthIsNoNewsBesideAClueThatPassesItOver) {
  const auto alone = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return right_backward(dy, x, w) * (x.size(0) == 1 ? 1.0 : 1.7);
  };
  Verdict verdict = judge(with(alone));
  ASSERT_EQ(verdict.shrunk.size(), 2U);
  EXPECT_THAT(kinds_of(verdict.differences[0].clues), ElementsAre(Kind::factor));
  EXPECT_NEAR(verdict.differences[0].clues[0].number, 1.7, 1e-12);
  EXPECT_FALSE(verdict.shrunk[0].right_at_one);
}

TEST(Verdict, PassesOnWhatWasThrown) {
  const auto throws = [](const Tensor& dy, const Tensor& x, const Tensor&) { return dy + x.sum({0}); };
  const Verdict verdict = judge(with(throws));
  EXPECT_EQ(verdict.outcome, Verdict::Outcome::wrong);
  ASSERT_TRUE(verdict.thrown);
  EXPECT_EQ(verdict.thrown->id, "shape-mismatch");
}

TEST(Verdict, FindsTheLengthsThatMatter) {
  const auto last_only = [](const Tensor& dy, const Tensor& x, const Tensor&) {
    return dy.select(0, -1) * x.select(0, -1);
  };
  const Verdict verdict = judge(with(last_only));
  ASSERT_EQ(verdict.shrunk.size(), 2U);
  EXPECT_TRUE(verdict.shrunk[0].right_at_one);
  EXPECT_EQ(verdict.shrunk[0].wrong_from, 2);
  EXPECT_FALSE(verdict.shrunk[1].right_at_one);
  ASSERT_TRUE(verdict.smallest.has_value());
  EXPECT_EQ(verdict.smallest->sizes[0].size, 2);
  EXPECT_EQ(verdict.smallest->sizes[1].size, 1);
  EXPECT_EQ(verdict.smallest->differences.at(0).total, 1);
}

TEST(Verdict, FailsWhatIsRightAtTheUsualSizesOnly) {
  const auto fixed_size = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return mean_backward(dy, x, w) * 3.0;
  };
  const Verdict verdict = judge(with(fixed_size));
  EXPECT_EQ(verdict.outcome, Verdict::Outcome::wrong);
  EXPECT_EQ(verdict.setting, (judge::Setting{{{"batch", 4}, {"source", 4}}}));
  ASSERT_EQ(verdict.differences.size(), 1U);
  EXPECT_EQ(verdict.differences[0].name, "dw");
  EXPECT_THAT(steps_of(with(fixed_size)), Contains(testing::Field(&judge::Step::differs, true)));
}

TEST(Verdict, NamesAKnownMistakeThatShowsAtOtherSizesOnly) {
  const Verdict verdict = judge(run<right_forward, doubled_alone>);
  EXPECT_EQ(verdict.setting, (judge::Setting{{{"batch", 1}, {"source", 4}}}));
  EXPECT_THAT(verdict.named, ElementsAre(ElementsAre("doubled_alone")));
}

// Its numbers are those of a mean there; but an answer that takes the mean is wrong at the usual sizes, too.
TEST(Verdict, NamesNoMistakeThatWouldHaveShownAtTheUsualSizes) {
  const auto by_size = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return x.size(1) == 4 ? right_backward(dy, x, w) : mean_backward(dy, x, w);
  };
  const Verdict verdict = judge(with(by_size));
  EXPECT_EQ(verdict.setting, (judge::Setting{{{"batch", 3}, {"source", 5}}}));
  EXPECT_THAT(verdict.named, IsEmpty());
  EXPECT_THAT(verdict.partly_named, IsEmpty());
}

TEST(Verdict, FailsWhatIsRightForCertainNumbersOnly) {
  const auto by_number = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    static const double first = x.at({0, 0});
    return right_backward(dy, x, w) * (x.at({0, 0}) == first ? 1.0 : 2.0);
  };
  const Verdict verdict = judge(with(by_number));
  EXPECT_EQ(verdict.outcome, Verdict::Outcome::wrong);
  EXPECT_EQ(verdict.setting.sizes, judge::axes);
  EXPECT_NE(verdict.setting.seed, judge::usual_seed);
}

TEST(Verdict, FailsWhatKeepsSomethingForOtherNumbersOfTheSameSizes) {
  static Tensor kept;
  kept = {};
  const auto keeps = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    if (!kept.defined() || !(kept.shape() == x.shape())) kept = x.detach().clone();
    return right_backward(dy, kept, w);
  };
  const Verdict verdict = judge(with(keeps));
  EXPECT_EQ(verdict.outcome, Verdict::Outcome::wrong);
  EXPECT_EQ(verdict.setting.sizes, judge::axes);
  EXPECT_EQ(verdict.setting.numbers, judge::Numbers::usual);
}

TEST(Verdict, FailsWhatIsWrongWhereThereIsOneOfSomething) {
  const auto squeezed = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return right_backward(dy, x, w).squeeze();
  };
  const Verdict verdict = judge(with(squeezed));
  EXPECT_EQ(verdict.outcome, Verdict::Outcome::wrong);
  EXPECT_EQ(verdict.setting, (judge::Setting{{{"batch", 3}, {"source", 1}}}));
}

TEST(Verdict, FailsWhatIsWrongForZeros) {
  const auto divides = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return right_backward(dy, x, w) * w / w;
  };
  const Verdict verdict = judge(with(divides));
  EXPECT_EQ(verdict.outcome, Verdict::Outcome::wrong);
  EXPECT_EQ(verdict.setting.sizes, judge::axes);
  EXPECT_EQ(verdict.setting.numbers, judge::Numbers::zeros_and_ties);
}

TEST(Verdict, FailsWhatIsWrongWhereAllNumbersHaveOneSign) {
  const auto counts_on_a_sign = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return right_backward(dy, x, w) * ((w > 0.0).any() && (w < 0.0).any() ? 1.0 : 2.0);
  };
  const Verdict verdict = judge(with(counts_on_a_sign));
  EXPECT_EQ(verdict.outcome, Verdict::Outcome::wrong);
}

TEST(Verdict, FailsWhatIsRightForFewOfSomethingOnly) {
  const auto of_few = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return right_backward(dy, x, w) * (x.size(1) < 7 ? 1.0 : 2.0);
  };
  const Verdict verdict = judge(with(of_few));
  EXPECT_EQ(verdict.setting, (judge::Setting{{{"batch", 3}, {"source", 7}}}));
}

TEST(Verdict, SaysThatItIsWhatWasCalledBefore) {
  static double first;
  const auto begin_anew = [] { first = 0.0; };
  begin_anew();
  const auto keeps = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    if (first == 0.0) first = dy.at({0});
    return right_backward(dy, x, w) * (dy.at({0}) == first ? 1.0 : 2.0);
  };
  judge::Candidate answer = judge::candidate_here(with(keeps));
  answer.begin_anew = begin_anew;
  const Verdict verdict = judge::judge(answer);
  EXPECT_EQ(verdict.outcome, Verdict::Outcome::wrong);
  EXPECT_TRUE(verdict.right_when_first);
  ASSERT_FALSE(verdict.differences.empty());
  EXPECT_THAT(verdict.differences[0].clues, IsEmpty());
}

TEST(Verdict, FailsWhatIsRightForTheFirstCallsOnly) {
  for (int right_calls = 2; right_calls < 18; ++right_calls) {
    static int calls;
    calls = right_calls;
    const auto tires = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
      return right_backward(dy, x, w) * (calls-- > 0 ? 1.0 : 2.0);
    };
    EXPECT_EQ(judge(with(tires)).outcome, Verdict::Outcome::wrong) << right_calls;
  }
}

// At length 1 only the first position is left, which was right from the beginning.
TEST(Verdict, ALengthThatMattersSinceOnlyLaterPositionsAreWrongIsNoNews) {
  const auto last_wrong = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    const Tensor dw = right_backward(dy, x, w).clone();
    if (dw.size(0) > 1) dw.set_({dw.size(0) - 1}, 7.0);
    return dw;
  };
  const Verdict verdict = judge(with(last_wrong));
  ASSERT_EQ(verdict.shrunk.size(), 2U);
  EXPECT_EQ(verdict.shrunk[1].wrong_from, 2);
  EXPECT_FALSE(verdict.shrunk[1].right_at_one);
}

TEST(Verdict, FindsTheFirstWrongIntermediate) {
  const auto wrong_spread = [](const Tensor& dy, const Tensor& x, const Tensor&) {
    return probe("spread", dy.unsqueeze(1) + x).sum({0});
  };
  const Verdict verdict = judge(with(wrong_spread));
  ASSERT_TRUE(verdict.first_probe.has_value());
  EXPECT_EQ(verdict.first_probe->difference.name, "spread");
  EXPECT_EQ(verdict.first_probe->after, "product");
  EXPECT_EQ(verdict.first_probe->times_right, 0);
  EXPECT_THAT(verdict.right_probes, ElementsAre("product"));
}

TEST(Verdict, TakesAnIntermediateOfAnotherShapeWithTheSameNumbersForRight) {
  const auto flat = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    probe("spread", (dy.unsqueeze(1) * x).flatten());
    return mean_backward(dy, x, w) + 0.1;
  };
  const Verdict verdict = judge(with(flat));
  EXPECT_FALSE(verdict.first_probe.has_value());
  EXPECT_THAT(verdict.right_probes, ElementsAre("product", "spread"));
}

TEST(Verdict, DoesNotHoldALoopThatIsTooLongAgainstTheNextCall) {
  // The check's last call of it, for "no NaN", shows nothing: what is shown too often here has no counterpart.
  const auto too_often = [](const Tensor& dy, const Tensor& x, const Tensor&) {
    const Tensor spread = probe("spread", dy.unsqueeze(1) * x);
    probe("spread", spread * 7.0);
    return spread.sum({0}) + 0.1;
  };
  EXPECT_FALSE(judge(with(too_often)).first_probe.has_value());
}

// "product is right, product is the first that is not" would be no help.
TEST(Verdict, CountsHowOftenTheFirstWrongIntermediateWasRight) {
  forward_under_test = [](const Tensor& x, const Tensor& w) {
    probe("product", x[0] * w);
    probe("product", x[1] * w);
    probe("product", x[2] + w);
    return (x + w).sum({1});
  };
  const Verdict verdict = judge(with(right_backward));
  forward_under_test = right_forward;
  ASSERT_TRUE(verdict.first_probe.has_value());
  EXPECT_EQ(verdict.first_probe->difference.name, "product");
  EXPECT_EQ(verdict.first_probe->after, "product");
  EXPECT_EQ(verdict.first_probe->times_right, 2);
}

// What is wrong in later calls may follow from the result that was wrong behind it.
TEST(Verdict, AnIntermediateThatWasRightOnTheWayToAWrongResultIsNotTheFirstWrongOne) {
  const auto wrong_after_it = [](const Tensor& dy, const Tensor& x, const Tensor&) {
    const Tensor spread = probe("spread", dy.unsqueeze(1) * x);
    return spread.sum({0}) + 0.1;
  };
  const auto answer = with(wrong_after_it);
  static const auto wrong_later = [](const Tensor& x, const Tensor& w) {
    static int calls = 0;
    const Tensor product = x * w;
    const bool first_call = ++calls % 2 == 1;  // of the two in each check
    for (std::int64_t n = 0; n < x.size(0); ++n) probe("product", first_call ? product[n] : product[n] + 1.0);
    return product.sum({1}) * 2.0;
  };
  forward_under_test = wrong_later;
  const Verdict verdict = judge(answer);
  forward_under_test = right_forward;
  EXPECT_FALSE(verdict.first_probe.has_value());
  EXPECT_THAT(verdict.right_probes, ElementsAre("product", "spread"));
}

TEST(Verdict, AnotherWayToARightResultIsNotTheFirstWrongIntermediate) {
  forward_under_test = [](const Tensor& x, const Tensor& w) {
    probe("product", x[0] + w);
    return (x * w).sum({1});
  };
  const Verdict verdict = judge(with(double_backward));
  forward_under_test = right_forward;
  EXPECT_THAT(verdict.right, Contains("y"));
  EXPECT_FALSE(verdict.first_probe.has_value());
}

TEST(Verdict, LeavesOutIntermediatesThatComeAfterAllThatIsWrong) {
  forward_under_test = [](const Tensor& x, const Tensor& w) { return (x + w).sum({1}); };
  const Verdict verdict = judge(with(right_backward));
  forward_under_test = right_forward;
  EXPECT_THAT(verdict.right_probes, IsEmpty());
}

TEST(Verdict, NoticesAnInputThatWasChanged) {
  const auto careless = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    const Tensor dw = right_backward(dy, x, w);
    dy.mul_(2.0);
    return dw;
  };
  const Verdict verdict = judge(with(careless));
  ASSERT_EQ(verdict.differences.size(), 1U);
  EXPECT_EQ(verdict.differences[0].kind, Difference::Kind::changed_input);
  EXPECT_EQ(verdict.differences[0].said, "dy");
}

// The numbers are those of a mean, and its question would lead away from the cause.
TEST(Verdict, AChangedInputIsAllThatIsSaidOfTheCause) {
  const auto careless = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    dy.mul_(1.0 / 3.0);
    return right_backward(dy, x, w);
  };
  const Verdict verdict = judge(with(careless));
  ASSERT_EQ(verdict.differences.size(), 2U);
  EXPECT_EQ(verdict.differences[0].kind, Difference::Kind::changed_input);
  EXPECT_EQ(verdict.differences[0].said, "dy");
  EXPECT_THAT(verdict.differences[1].clues, IsEmpty());
  EXPECT_THAT(verdict.named, IsEmpty());
  EXPECT_THAT(verdict.partly_named, IsEmpty());
  EXPECT_THAT(verdict.shrunk, IsEmpty());
}

TEST(Verdict, GuessesAreLeftOutWhereTheCauseIsKnown) {
  const auto first_only = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    const Tensor dw = right_backward(dy, x, w).clone();
    for (std::int64_t j = 1; j < dw.size(0); ++j) dw.set_({j}, static_cast<double>(j));
    return dw;
  };
  EXPECT_THAT(clue_in(clues_to(with(first_only)), Kind::right_and_wrong_along).positions, ElementsAre(1, 2, 3));
  forward_under_test = [](const Tensor& x, const Tensor& w) { return x * w; };  // not summed
  const Verdict verdict = judge(with(first_only));
  forward_under_test = right_forward;
  ASSERT_EQ(verdict.differences.size(), 2U);
  EXPECT_THAT(verdict.differences[0].clues, ElementsAre(Clue{.kind = Kind::sum_is_right, .name = "source"}));
  EXPECT_THAT(kinds_of(verdict.differences[1].clues), Not(Contains(Kind::right_and_wrong_along)));
}

TEST(Verdict, WhatFollowsFromAWrongShapeIsNotHeldAgainstTheAnswer) {
  forward_under_test = [](const Tensor& x, const Tensor& w) {
    return (x * w) * std::numeric_limits<double>::quiet_NaN();
  };
  const Verdict verdict = judge(with(right_backward));
  forward_under_test = right_forward;
  ASSERT_EQ(verdict.differences.size(), 1U);
  EXPECT_EQ(verdict.differences[0].kind, Difference::Kind::shape);
}

// Its first run is right, and so is that of a mistake which shows elsewhere only.
TEST(Verdict, WhatDiffersFromRunToRunIsNotNamedByAMistakeThatIsNoneHere) {
  static bool first;
  first = true;
  const auto keeps = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return right_backward(dy, x, w) * (std::exchange(first, false) ? 1.0 : 2.0);
  };
  const Verdict verdict = judge(with(keeps));
  EXPECT_FALSE(verdict.repeatable);
  EXPECT_THAT(verdict.named, IsEmpty());
}

TEST(Verdict, NoticesAnAnswerThatDiffersFromRunToRun) {
  const auto restless = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    static double calls = 0.0;
    return right_backward(dy, x, w) * (1.0 + 1e-12 * ++calls);
  };
  const Verdict verdict = judge(with(restless));
  EXPECT_FALSE(verdict.repeatable);
  EXPECT_EQ(verdict.outcome, Verdict::Outcome::wrong);
}

TEST(Verdict, NoticesACallOfWhatIsToBeWritten) {
  const auto calls = [](const Tensor& dy, const Tensor& x, const Tensor&) { return matmul(dy, x); };
  const Verdict verdict = judge(with(calls));
  ASSERT_EQ(verdict.differences.size(), 1U);
  EXPECT_EQ(verdict.differences[0].kind, Difference::Kind::forbidden_call);
  EXPECT_EQ(verdict.differences[0].said, "matmul");
}

// By the linker's names: grad() differentiates, Tensor::grad() only reads.
TEST(Exercise, KnowsWhatIsForbiddenAmongWhatIsCalled) {
  EXPECT_THAT(judge::forbidden_calls({"_ZN8autograd6matmulERKNS_6TensorES2_NS_5WhereE"}), ElementsAre("matmul"));
  EXPECT_THAT(judge::forbidden_calls({"_ZNK8autograd6Tensor6matmulERKS0_NS_5WhereE"}), ElementsAre("matmul"));
  EXPECT_THAT(judge::forbidden_calls({"_ZNK8autograd6Tensor8backwardENS_5WhereE"}), ElementsAre("backward"));
  EXPECT_THAT(judge::forbidden_calls({"_ZN8autograd4gradERKNS_6TensorE"}), ElementsAre("backward"));
  EXPECT_THAT(judge::forbidden_calls({"_ZNK8autograd6Tensor4gradEv", "_Z6matmul", "_ZN8autograd3sumERKNS_6TensorE",
                                      "_ZN8autograd", "_ZN8autogradplERKNS_6TensorES2_"}),
              IsEmpty());
}

TEST(Observe, CallsTheAnswerOnceIfItIsToldTo) {
  static int calls = 0;
  const auto counting = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    ++calls;
    return right_backward(dy, x, w);
  };
  judge::observe(with(counting), judge::usual_setting(), {.only_once = true});
  EXPECT_EQ(calls, 1);
  judge::observe(with(counting), judge::usual_setting());
  EXPECT_EQ(calls, 3);  // and once more, to see whether it calls what is not to be called
}

TEST(Verdict, NoticesATensorThatWasNeverWritten) {
  // What lies in freed memory is what was right a moment ago.
  const auto unwritten = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    { const Tensor right = right_backward(dy, x, w); }
    return autograd::empty(w.shape(), autograd::float64);
  };
  EXPECT_TRUE(clue_in(clues_to(with(unwritten)), Kind::nan).everywhere);
}

TEST(Verdict, CountsACallThatNoGradientIsWantedOf) {
  judge::Candidate answer = judge::candidate_here(run<right_forward, right_backward>);
  EXPECT_EQ(judge::judge(answer).outcome, Verdict::Outcome::passed);
  answer.calls = {"matmul"};
  const Verdict verdict = judge::judge(answer);
  EXPECT_EQ(verdict.outcome, Verdict::Outcome::wrong);
  ASSERT_EQ(verdict.differences.size(), 1U);
  EXPECT_EQ(verdict.differences[0].kind, Difference::Kind::forbidden_call);
  EXPECT_EQ(verdict.differences[0].said, "matmul");
}

TEST(Verdict, MissesWhatWasNeverLookedAt) {
  judge::Candidate answer = judge::candidate_here(run<right_forward, right_backward>);
  answer.observe = [run = answer.observe](const judge::Setting& setting, judge::RunOptions options) {
    judge::Record record = run(setting, options);
    record.observations.erase(record.observations.begin() + 1);
    return record;
  };
  const Verdict forged = judge::judge(answer);
  EXPECT_EQ(forged.outcome, Verdict::Outcome::wrong);
  EXPECT_EQ(forged.differences.at(0).name, "dw");
  // Where something else is wrong, a check may have left it out for that.
  answer = judge::candidate_here(run<double_forward, right_backward>);
  answer.observe = [run = answer.observe](const judge::Setting& setting, judge::RunOptions options) {
    judge::Record record = run(setting, options);
    record.observations.erase(record.observations.begin() + 1);
    return record;
  };
  EXPECT_THAT(judge::judge(answer).differences, testing::SizeIs(1));
  answer = judge::candidate_here(run<right_forward, right_backward>);
  // Nor is a property that holds as good as a value that is right.
  answer.observe = [run = answer.observe](const judge::Setting& setting, judge::RunOptions options) {
    judge::Record record = run(setting, options);
    judge::Observation holds;
    holds.kind = judge::Observation::Kind::property;
    holds.name = "dw";
    record.observations.push_back(holds);
    return record;
  };
  EXPECT_EQ(judge::judge(answer).outcome, Verdict::Outcome::wrong);
}

TEST(Clues, ConstantRatioNamesTheAxis) {
  const auto minus_batch = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return right_backward(dy, x, w) * -static_cast<double>(x.size(0));
  };
  const Clue clue = clue_in(clues_to(with(minus_batch)), Kind::factor);
  EXPECT_NEAR(clue.number, -3.0, 1e-12);
  EXPECT_THAT(clue.sources, ElementsAre(judge::FactorSource{{{"batch", 3}}}));
}

// 9 is batch times batch; and no axis, nor a product of two different ones.
TEST(Clues, ASquareIsAFactorTheWrongWayRound) {
  const auto ninth = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return right_backward(dy, x, w) / static_cast<double>(x.size(0) * x.size(0));
  };
  EXPECT_THAT(clue_in(clues_to(with(ninth)), Kind::factor).sources,
              ElementsAre(judge::FactorSource{{{"batch", 3}, {"batch", 3}}}));
}

// It has the length of source by chance, whatever the length is.
TEST(Clues, AnAxisThatTheFactorDoesNotFollowIsNotNamed) {
  const auto four = [](const Tensor& dy, const Tensor& x, const Tensor& w) { return right_backward(dy, x, w) * 4.0; };
  const Clue clue = clue_in(clues_to(with(four)), Kind::factor);
  EXPECT_NEAR(clue.number, 4.0, 1e-12);
  EXPECT_THAT(clue.sources, IsEmpty());
}

// The axes that a factor may come from, of what is reduced over an axis.
std::vector<std::vector<std::string>> sources_of(double factor, const std::string& over, const Axes& sizes) {
  judge::Observation expected;
  expected.over = over;
  expected.value = autograd::tensor({1.0, 2.0, 3.5}, autograd::float64);
  judge::Observation yours = expected;
  yours.value = expected.value * factor;
  std::vector<std::vector<std::string>> found;
  const auto clues = judge::clues_from_values(yours, expected, {sizes, {}, {}}).certain;
  for (const judge::FactorSource& source : clue_in(clues, Kind::factor).sources) found.push_back(axes_of(source));
  return found;
}

TEST(Clues, TheAxisThatIsReducedIsLikelierThanAnotherOfThatLength) {
  const Axes sizes = {{"batch", 2}, {"rows", 4}};
  EXPECT_THAT(sources_of(4.0, "batch", sizes), ElementsAre(ElementsAre("batch", "batch")));
  EXPECT_THAT(sources_of(4.0, "rows", sizes), ElementsAre(ElementsAre("rows")));
  EXPECT_THAT(sources_of(4.0, "", sizes), ElementsAre(ElementsAre("rows")));
  const Axes three = {{"batch", 2}, {"rows", 5}, {"columns", 3}};
  EXPECT_THAT(sources_of(6.0, "", three), ElementsAre(ElementsAre("batch", "columns")));
  EXPECT_THAT(sources_of(6.0, "batch", three), IsEmpty());
}

// The clues of two lists of numbers, or of two numbers, where an axis has length 2.
std::vector<Clue> clues_of_numbers(const std::vector<double>& yours, const std::vector<double>& expected) {
  static const Axes sizes = {{"word", 2}, {"batch", 3}};
  const auto observed = [](const std::vector<double>& values) {
    Check check(judge::usual_setting());
    values.size() == 1 ? check.compare("n", values[0]) : check.compare("n", values);
    return check.record().observations[0];
  };
  return judge::clues_from_values(observed(yours), observed(expected), {sizes, {}, {}}).certain;
}

TEST(Clues, ARatioThatMayBeChanceIsNoFinding) {
  EXPECT_THAT(clues_of_numbers({0.125}, {0.25}), IsEmpty());                             // shares
  EXPECT_THAT(clues_of_numbers({0.0, 0.731 / 2.0, 0.0}, {0.0, 0.731, 0.0}), IsEmpty());  // one of several
  EXPECT_THAT(clues_of_numbers({2.0, 4.0}, {4.0, 8.0}),
              ElementsAre(Clue{.kind = Kind::factor, .number = 0.5}));  // counts
  const Clue half{.kind = Kind::factor, .number = 0.5, .sources = {{{{"word", 2}}}}};
  EXPECT_THAT(clues_of_numbers({0.7310585 / 2.0}, {0.7310585}), ElementsAre(half));
  EXPECT_THAT(clues_of_numbers({0.7310585, 0.5413}, {2 * 0.7310585, 2 * 0.5413}), ElementsAre(half));
  EXPECT_THAT(clues_of_numbers({-0.25}, {0.25}), ElementsAre(Clue{.kind = Kind::factor, .number = -1.0}));
}

TEST(Clues, OneNumberEverywhereIsAFindingWhereSeveralAreExpected) {
  const auto observed = [](const std::vector<double>& values) {
    Check check(judge::usual_setting());
    check.compare("n", autograd::from_vector(values, {3}, autograd::float64));
    return check.record().observations[0];
  };
  const auto kinds = [&](const std::vector<double>& expected) {
    const auto clues = judge::clues_from_values(observed({0.8655, 0.8655, 0.8655}), observed(expected), {{}, {}, {}});
    return kinds_of(clues.guesses);
  };
  EXPECT_THAT(kinds({0.88137, 0.5413, 0.7311}), Contains(Kind::one_number));
  EXPECT_THAT(kinds({0.88137, 0.88137, 0.88137}), Not(Contains(Kind::one_number)));
}

TEST(Clues, DecimalsThatAreMissing) {
  EXPECT_EQ(judge::clue_from_decimals(1.37, 1.367), Kind::two_decimals);
  EXPECT_EQ(judge::clue_from_decimals(1.36, 1.367), Kind::cut_off);
  EXPECT_EQ(judge::clue_from_decimals(1.366, 1.367), Kind::third_decimal);
  EXPECT_FALSE(judge::clue_from_decimals(1.4, 1.367).has_value());
  EXPECT_FALSE(judge::clue_from_decimals(0.0, 0.004).has_value());
}

// Worked out on paper: what is expected stays hidden.
Difference difference_on_paper(const std::vector<double>& yours) {
  const auto record_of = [](const std::vector<double>& values) {
    Check check(judge::usual_setting());
    check.compare("by hand", values, {.hide_expected = true});
    return check.record();
  };
  const Verdict verdict =
      judge::compare_records(record_of(yours), {record_of({0.5, 1.367, 2.25, 4.0}), {}}, judge::usual_setting());
  return verdict.differences.at(0);
}

// The tolerance is relative to the largest number that is finite.
TEST(Verdict, AnInfinityExcusesNoOtherNumber) {
  const auto record_of = [](double second) {
    Check check(judge::usual_setting());
    check.compare("numbers", std::vector<double>{std::numeric_limits<double>::infinity(), second});
    return check.record();
  };
  const auto differences = [&](double second) {
    return judge::compare_records(record_of(second), {record_of(2.0), {}}, judge::usual_setting()).differences;
  };
  EXPECT_THAT(differences(2.0), IsEmpty());
  ASSERT_EQ(differences(3.0).size(), 1U);
  EXPECT_EQ(differences(3.0)[0].wrong, 1);
}

TEST(Clues, HiddenNumbersInTheirOrder) {
  EXPECT_THAT(difference_on_paper({1.5, 1.367, 2.75, 9.0}).clues,
              ElementsAre(Clue{.kind = Kind::not_right, .positions = {0, 2, 3}}));
  EXPECT_THAT(difference_on_paper({1.5, 1.37, 2.25, 9.0}).clues,
              ElementsAre(Clue{.kind = Kind::not_right, .positions = {0, 3}},
                          Clue{.kind = Kind::two_decimals, .positions = {1}}));
  const Difference all = difference_on_paper({1.5, 2.0, 2.75, 9.0});
  EXPECT_THAT(all.clues, IsEmpty());  // that all of them are wrong says it
  EXPECT_EQ(all.kind, Difference::Kind::hidden_numbers);
  EXPECT_EQ(all.wrong, all.total);
  EXPECT_THAT(all.entries, IsEmpty());
}

// A match of two numbers that a mistake gives, where the answer's are these.
bool is_named_by_numbers(judge::Run mistake) {
  return judge(mistake).named_by_numbers;
}

TEST(Verdict, ZerosAndNanAreWeakEvidence) {
  EXPECT_TRUE(is_named_by_numbers(run<right_forward, mean_backward>));
  EXPECT_FALSE(is_named_by_numbers(run<right_forward, zero_backward>));
}

TEST(Clues, WhatCancelsIsNoDroppedPath) {
  const auto cancels = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return right_backward(dy, x, w) * 1e-17;
  };
  EXPECT_THAT(clues_to(with(cancels)), ElementsAre(Clue{.kind = Kind::zero_up_to_rounding}));
  EXPECT_THAT(clues_of_numbers({0.0}, {0.731}), IsEmpty());  // one number is 0 for many reasons
}

TEST(Clues, SignZeroAndNan) {
  const auto negative = [](const Tensor& dy, const Tensor& x, const Tensor& w) { return -right_backward(dy, x, w); };
  EXPECT_EQ(clue_in(clues_to(with(negative)), Kind::factor).number, -1.0);
  const auto zero = [](const Tensor&, const Tensor&, const Tensor& w) { return autograd::zeros_like(w); };
  EXPECT_THAT(clues_to(with(zero)), ElementsAre(Clue{.kind = Kind::zero}));
  const auto nan = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return right_backward(dy, x, w) * std::numeric_limits<double>::quiet_NaN();
  };
  EXPECT_THAT(clues_to(with(nan)), ElementsAre(Clue{.kind = Kind::nan, .everywhere = true}));
}

TEST(Clues, InfinityAndNanHaveCausesOfTheirOwn) {
  const auto log_of_zero = [](const Tensor&, const Tensor&, const Tensor& w) { return log(w * 0.0); };
  EXPECT_THAT(clues_to(with(log_of_zero)), ElementsAre(Clue{.kind = Kind::infinity, .everywhere = true}));
  const auto some_nan = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    const Tensor dw = right_backward(dy, x, w).clone();
    dw.set_({1}, std::numeric_limits<double>::quiet_NaN());
    return dw;
  };
  EXPECT_FALSE(clue_in(clues_to(with(some_nan)), Kind::nan).everywhere);
}

TEST(Clues, AFactorOrATermThatHasAName) {
  const auto missing_w = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return right_backward(dy, x, w) * w;
  };
  EXPECT_EQ(clue_in(clues_to(with(missing_w)), Kind::factor_too_many).name, "w");
  const auto plus_w = [](const Tensor& dy, const Tensor& x, const Tensor& w) { return right_backward(dy, x, w) - w; };
  EXPECT_EQ(clue_in(clues_to(with(plus_w)), Kind::term_missing).name, "w");
  const auto w_itself = [](const Tensor&, const Tensor&, const Tensor& w) { return w * 1.0; };
  EXPECT_EQ(clue_in(clues_to(with(w_itself)), Kind::another).name, "w");
}

TEST(Clues, ZerosAreNoFactor) {
  judge::Observation expected;
  expected.value = autograd::tensor({0.0, 0.0, -1.25}, autograd::float64);
  judge::Observation yours = expected;
  yours.value = autograd::zeros({3}, autograd::float64);
  const Tensor other = autograd::tensor({2.0, -1.5, 0.0}, autograd::float64);
  const std::vector<judge::Check::Input> inputs = {{"other", other, other}};
  EXPECT_THAT(judge::clues_from_values(yours, expected, {{}, inputs, {}}).certain, IsEmpty());
}

TEST(Clues, AFactorBetweenTwoOfWhichOneIsAnotherIsChance) {
  judge::Observation expected;
  expected.value = autograd::tensor({1.0, 2.0, 3.5}, autograd::float64);
  judge::Observation yours = expected;
  yours.value = expected.value * -2.0;
  const std::vector<judge::Check::Input> inputs = {{"other", yours.value, yours.value}};
  EXPECT_THAT(judge::clues_from_values(yours, expected, {{}, inputs, {}}).certain,
              ElementsAre(Clue{.kind = Kind::another, .name = "other"}));
}

TEST(Clues, NearlyRightIsAllThatIsSaid) {
  const auto single = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return right_backward(dy, x, w).to(autograd::float32).to(autograd::float64);
  };
  const Verdict verdict = judge(with(single));
  ASSERT_EQ(verdict.differences.size(), 1U);
  EXPECT_THAT(verdict.differences[0].clues, ElementsAre(Clue{.kind = Kind::nearly_right, .number = 7.0}));
}

TEST(Clues, NearlyRightIsNotSaidBesideWhatIsFarOff) {
  forward_under_test = [](const Tensor& x, const Tensor& w) { return right_forward(x, w) * 2.5; };
  const auto single = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return right_backward(dy, x, w).to(autograd::float32).to(autograd::float64);
  };
  const Verdict verdict = judge(with(single));
  forward_under_test = right_forward;
  ASSERT_EQ(verdict.differences.size(), 2U);
  EXPECT_THAT(kinds_of(verdict.differences[1].clues), Not(Contains(Kind::nearly_right)));
}

TEST(Clues, OnlyInARegion) {
  const auto padded = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    const Tensor dw = right_backward(dy, x, w).clone();
    dw.set_({3}, 0.0);
    return dw;
  };
  EXPECT_EQ(clue_in(clues_to(with(padded)), Kind::wrong_only_in).name, "padding");
}

TEST(Clues, ShapesAreNamed) {
  const auto unsummed = [](const Tensor& dy, const Tensor& x, const Tensor&) { return dy.unsqueeze(1) * x; };
  const Difference difference = differing(with(unsummed));
  EXPECT_EQ(difference.kind, Difference::Kind::shape);
  EXPECT_THAT(difference.your_shape.sizes, ElementsAre(3, 4));
  EXPECT_THAT(difference.your_shape.axes, ElementsAre("batch", "source"));
  EXPECT_THAT(difference.expected_shape.axes, ElementsAre("source"));
  EXPECT_EQ(clue_in(difference.clues, Kind::sum_is_right).name, "batch");
}

Difference of_shapes(const Tensor& yours, const Tensor& expected, const Axes& sizes) {
  judge::Observation a;
  judge::Observation b;
  a.value = yours;
  b.value = expected;
  Difference difference;
  judge::describe_kind(a, b, {sizes, {}, {}}, difference);
  difference.clues = judge::clues_from_shapes(a, b, {sizes, {}, {}});
  return difference;
}

// 5 and 4 are one apart: whatever axis has the length 5 by chance has nothing to do with it.
TEST(Clues, OneTooManyIsNotAnotherAxis) {
  const Axes sizes = {{"steps", 4}, {"state", 5}, {"batch", 3}};
  const Tensor expected = autograd::randn({3, 4}, autograd::float64);
  const Tensor column = autograd::randn({3, 1}, autograd::float64);
  const Difference wider = of_shapes(autograd::cat({expected, column}, 1), expected, sizes);
  EXPECT_THAT(wider.your_shape.axes, IsEmpty());
  EXPECT_THAT(wider.clues, ElementsAre(Clue{.kind = Kind::too_many_along, .name = "steps", .number = 1.0}));
  EXPECT_THAT(of_shapes(expected.narrow(1, 1, 3), expected, sizes).clues,
              ElementsAre(Clue{.kind = Kind::too_few_along, .name = "steps", .number = 1.0, .at_the_beginning = true}));
  const Difference turned = of_shapes(expected.transpose(0, 1).contiguous(), expected, sizes);
  EXPECT_THAT(turned.your_shape.axes, ElementsAre("steps", "batch"));
  EXPECT_THAT(turned.clues, ElementsAre(Clue{.kind = Kind::transposed_is_right}));
}

TEST(Clues, AForeignAxisIsNotNamed) {
  const Axes sizes = {{"batch", 3}, {"steps", 5}, {"state", 6}};
  const auto axes_named = [&](autograd::Shape yours) {
    const Difference difference =
        of_shapes(autograd::randn(yours, autograd::float64), autograd::randn({3, 5}, autograd::float64), sizes);
    EXPECT_THAT(difference.expected_shape.axes, ElementsAre("batch", "steps"));
    return difference.your_shape.axes;
  };
  EXPECT_THAT(axes_named({3, 6}), IsEmpty());
  EXPECT_THAT(axes_named({3, 3}), IsEmpty());
  EXPECT_THAT(axes_named({6}), IsEmpty());
  EXPECT_THAT(axes_named({5, 3}), ElementsAre("steps", "batch"));
  EXPECT_THAT(axes_named({5}), ElementsAre("steps"));
  EXPECT_THAT(axes_named({3, 5, 6}), ElementsAre("batch", "steps", "state"));
}

TEST(Clues, TwoDimsInEachOthersPlace) {
  const Axes sizes = {{"steps", 4}, {"batch", 3}, {"words", 2}};
  const Tensor expected = autograd::randn({3, 4, 2}, autograd::float64);
  EXPECT_THAT(of_shapes(expected.transpose(0, 1).contiguous(), expected, sizes).clues,
              ElementsAre(Clue{.kind = Kind::exchanged_is_right, .positions = {0, 1}}));
}

TEST(Clues, DtypesAreCompared) {
  const auto single = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    return right_backward(dy, x, w).to(autograd::float32);
  };
  const Difference difference = differing(with(single));
  EXPECT_EQ(difference.kind, Difference::Kind::dtype);
  EXPECT_EQ(difference.yours, "float32");
  EXPECT_EQ(difference.expected, "float64");
}

TEST(Steps, GoWithoutOpsWhereWantingGradientsIsAnError) {
  const auto in_place = [](const Tensor& dy, const Tensor& x, const Tensor& w) {
    const Tensor dw = autograd::zeros_like(w);
    for (std::int64_t n = 0; n < x.size(0); ++n) dw.narrow(0, 0, w.size(0)).add_(dy[n] * x[n]);
    probe("spread", dy.unsqueeze(1) * x);
    return dw;
  };
  EXPECT_EQ(judge(with(in_place)).outcome, Verdict::Outcome::passed);
  for (const judge::Step& step : steps_of(with(in_place))) EXPECT_FALSE(step.differs) << step.name;
}

TEST(Steps, OneCallOfMatmulIsOneStep) {
  const auto multiplies = [](const Tensor& dy, const Tensor& x, const Tensor&) {
    const Tensor deep = x.unsqueeze(0);  // a step of its own
    const Tensor with_a_matrix = matmul(deep, x.t());
    const Tensor with_a_row = matmul(deep, x[0]);
    return matmul(dy, x) + 0.0 * with_a_matrix.sum() + 0.0 * with_a_row.sum();
  };
  const std::vector<judge::Step> steps = steps_of(with(multiplies));
  std::string names;
  for (const judge::Step& step : steps) {
    const bool of_a_product = step.name != "mul" && step.name != "sum" && step.name != "add" && step.name != "select";
    if (step.kind == judge::Step::Kind::op && of_a_product) names += step.name + step.shape + " ";
  }
  EXPECT_EQ(names, "unsqueeze[1, 3, 4] permute[4, 3] matmul[1, 3, 3] matmul[1, 3] matmul[4] ");
}

// What hands a NaN on need not be wrong: it may be masked later. And an infinity that fills a mask is meant.
TEST(Steps, SayWhichOpMakesWhatIsNotFinite) {
  const auto odd = [](const Tensor&, const Tensor& x, const Tensor& w) {
    const Tensor nan = (x - x.detach()).log() * 0.0;
    const Tensor masked = nan.t()[0].masked_fill(nan.t()[0].detach() > 0.0, -INFINITY);
    const Tensor filled = w.masked_fill(w.detach() > -INFINITY, INFINITY).sum();
    const Tensor total = masked.sum();
    return w + (total + filled);
  };
  using judge::NotFinite;
  std::vector<std::pair<std::string, NotFinite>> made;
  for (const judge::Step& step : steps_of(with(odd))) {
    if (step.not_finite != NotFinite::none) made.emplace_back(step.name, step.not_finite);
  }
  EXPECT_THAT(made, ElementsAre(Pair("log", NotFinite::infinity), Pair("mul", NotFinite::nan),
                                Pair("sum", NotFinite::nan_handed_on), Pair("add", NotFinite::nan_handed_on),
                                Pair("add", NotFinite::nan_handed_on)));
}

TEST(Steps, EndWhereTheAnswerThrewWithEachCallOnce) {
  const auto throws = [](const Tensor& dy, const Tensor& x, const Tensor&) { return dy + x.sum({0}); };
  const std::vector<judge::Step> steps = steps_of(with(throws));
  EXPECT_EQ(std::count_if(steps.begin(), steps.end(),
                          [](const judge::Step& step) { return step.name == "sum" && step.shape == "[4]"; }),
            1);
  const auto thrown = std::find_if(steps.begin(), steps.end(),
                                   [](const judge::Step& step) { return step.kind == judge::Step::Kind::threw; });
  ASSERT_NE(thrown, steps.end());
  EXPECT_EQ(std::next(thrown), steps.end());  // after all that was looked at before it
  EXPECT_EQ(std::prev(thrown)->name, "y");
  EXPECT_TRUE(thrown->differs);
  EXPECT_EQ(thrown->thrown.id, "shape-mismatch");
  EXPECT_EQ(std::filesystem::path(thrown->file).filename(), "judge_test.cpp");
}

// Not with what is an error only where gradients are wanted.
TEST(Steps, EndWithWhatTheCheckSawThrown) {
  const auto in_place = [](const Tensor& dy, const Tensor& x, const Tensor&) {
    x.mul_(2.0);
    return dy + x.sum({0});
  };
  EXPECT_EQ(steps_of(with(in_place)).back().thrown.id, "shape-mismatch");
}

TEST(Steps, StopAtTheFirstDifference) {
  const auto wrong_spread = [](const Tensor& dy, const Tensor& x, const Tensor&) {
    return probe("spread", dy.unsqueeze(1) + x).sum({0});
  };
  const std::vector<judge::Step> steps = steps_of(with(wrong_spread));
  const auto probe_step =
      std::find_if(steps.begin(), steps.end(), [](const judge::Step& step) { return step.name == "spread"; });
  ASSERT_NE(probe_step, steps.end());
  EXPECT_TRUE(probe_step->differs);
  const auto before = std::prev(probe_step);
  EXPECT_EQ(before->name, "add");
  EXPECT_FALSE(before->in_solution);
  EXPECT_EQ(std::filesystem::path(before->file).filename(), "judge_test.cpp");
  EXPECT_EQ(steps.back().name, "dw");
  EXPECT_TRUE(steps.back().differs);
}

}  // namespace
