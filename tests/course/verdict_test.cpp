// Verdicts as the check program writes them, and how they are shown.
#include "runner/report/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "runner/check/steps.h"
#include "runner/show/show_report.h"

namespace course_verdict_test {

using namespace learn;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

json wrong_verdict() {
  return json::parse(R"({
    "outcome": "wrong", "message": "", "stopped_before": "", "shown": [], "partly_named": [], "right": ["dx", "dw"], "right_probes": ["d_alpha"], "named": [["bias_mean"]],
    "repeatable": true,
    "right_when_first": false,
    "differences": [{"name": "db", "summary": "2 of 2 entries differ", "clues": ["yours is 1/4 of it"],
                     "entries": [{"index": [0], "yours": 0.25, "expected": 1.0, "numeric": 1.0000001},
                                 {"index": [1], "yours": "nan", "expected": "inf"}]}],
    "first_probe": {"name": "d_e", "summary": "differs", "clues": [], "entries": [], "after": "d_alpha", "times_right": 0},
    "shrunk": [{"axis": "batch", "size": 4, "right_at_one": true, "wrong_from": 2},
               {"axis": "out", "size": 2, "right_at_one": false, "wrong_from": 1}],
    "axes": {"batch": 4, "out": 2}})");
}

Exercise exercise() {
  Exercise exercise;
  exercise.id = "25_linear_layer";
  exercise.source = ExerciseSource::parse(
      "//= title: Linear layer\n//= answer: f\n"
      "//= mistake bias_mean\n//= question: Yours is 1/{batch}: why, with {batch} rows and {other}?\n//= because: a "
      "mean divides by {batch}.\n"
      "//= mistake sign\n//= question: Which sign?\n//= because: minus.\n"
      "//= mistake premise\n//= question: Your dx is right. Yours is 4 times too large. What is summed?\n//= because: "
      "a mean.\n"
      "x\n//~ bias_mean | y\nz\n//~ sign | y\n//~ premise | y\n",
      "exercise.cpp");
  return exercise;
}

Report report_of(const json& verdict) {
  Report report;
  report.id = "25_linear_layer";
  report.outcome = Report::Outcome::wrong;
  report.verdict = read_verdict(verdict);
  return report;
}

std::string shown(const json& verdict, bool verbose = false) {
  return show_report(Style{}, exercise(), report_of(verdict), "25_linear_layer.cpp", {.verbose = verbose});
}

TEST(Verdict, StepIsOfferedWhereThereAreSteps) {
  Exercise of_words = exercise();
  of_words.source.has_steps = false;
  const Report report = report_of(wrong_verdict());
  EXPECT_THAT(show_report(Style{}, exercise(), report, ""), HasSubstr("learn step 25"));
  EXPECT_THAT(show_report(Style{}, of_words, report, ""), HasSubstr("learn hint 25 helps\n"));
}

TEST(Verdict, SaysAtWhichSizesOnlyItIsWrong) {
  json verdict = wrong_verdict();
  EXPECT_THAT(shown(verdict), Not(HasSubstr("usual")));
  verdict["elsewhere"] = {{"usual", {{"batch", 3}, {"out", 2}}}, {"other_numbers", false}, {"numbers", ""}};
  EXPECT_EQ(read_verdict(to_json(read_verdict(verdict))).elsewhere->usual.at("batch"), 3);
  EXPECT_THAT(shown(verdict), HasSubstr("Right at the usual sizes, where batch is 3; wrong where batch is 4."));
  EXPECT_THAT(shown(verdict), HasSubstr("What in your code depends on"));
  verdict["elsewhere"]["other_numbers"] = true;
  EXPECT_THAT(shown(verdict), HasSubstr("Right for the usual inputs, wrong for others. Here batch is 4, but"));
  verdict["elsewhere"]["other_numbers"] = false;
  verdict["axes"]["batch"] = 1;
  EXPECT_THAT(shown(verdict), HasSubstr("What does your code do where"));
  verdict["elsewhere"]["usual"]["batch"] = 1;
  EXPECT_THAT(shown(verdict), HasSubstr("Right for the usual inputs, wrong for others of the same sizes"));
  verdict["elsewhere"]["numbers"] = "all numbers are negative";
  EXPECT_THAT(shown(verdict), HasSubstr("Right for the usual inputs, wrong where all numbers are negative:"));
  verdict["right_when_first"] = true;
  EXPECT_THAT(shown(verdict), HasSubstr("what does your code keep from one call to the next?"));
}

TEST(Verdict, AGuessIsSaidAsAGuess) {
  json verdict = wrong_verdict();
  EXPECT_THAT(shown(verdict), HasSubstr("exactly those one gets when a known mistake is made."));
  verdict["named_by_numbers"] = false;
  EXPECT_EQ(to_json(read_verdict(verdict)), verdict);
  EXPECT_THAT(shown(verdict), HasSubstr("A known mistake has just this effect. Others may, too."));
  verdict["named"] = json::parse(R"([["bias_mean", "sign"]])");
  EXPECT_THAT(shown(verdict), HasSubstr("Two known mistakes together have just this effect."));
}

// What a question says is right was so of an answer with this mistake alone.
TEST(Verdict, AQuestionBesideAnotherComesWithoutItsPremise) {
  json verdict = wrong_verdict();
  verdict["named"] = json::parse(R"([["premise"]])");
  EXPECT_THAT(shown(verdict), HasSubstr("? Your dx is right. Yours is 4 times too large. What is summed?"));
  verdict["named"] = json::parse(R"([["premise", "sign"]])");
  EXPECT_THAT(shown(verdict),
              AllOf(HasSubstr("? Yours is 4 times too large. What is summed?"), Not(HasSubstr("Your dx is right"))));
  verdict["named"] = json::array();
  verdict["partly_named"] = json::parse(R"([{"mistakes": ["premise"], "explains": ["db"]}])");
  EXPECT_THAT(shown(verdict),
              AllOf(HasSubstr("? Yours is 4 times too large. What is summed?"), Not(HasSubstr("Your dx is right"))));
  verdict = wrong_verdict();
  verdict["named"] = json::parse(R"([["premise"]])");
  verdict["only_in"] = "linear_backward";
  EXPECT_THAT(shown(verdict), Not(HasSubstr("Your dx is right")));
}

TEST(ShowReport, MistakesThatGiveTheSameAreAChoice) {
  json verdict = wrong_verdict();
  verdict["named"] = json::parse(R"([["bias_mean"], ["sign"]])");
  EXPECT_THAT(shown(verdict), AllOf(HasSubstr("when one of two known mistakes is made."), HasSubstr("? Yours is 1/4"),
                                    HasSubstr("? Which sign?")));
}

TEST(ShowReport, WhatMayFollowFromAChangedInputIsSaidSo) {
  const std::string sentence = "what your code has changed in place";
  json verdict = wrong_verdict();
  verdict["named"] = json::array();
  json changed = verdict["differences"][0];
  changed["name"] = "'dy' left as it was";
  verdict["differences"].insert(verdict["differences"].begin(), changed);
  EXPECT_THAT(shown(verdict), HasSubstr(sentence));
  verdict["differences"].erase(1);
  EXPECT_THAT(shown(verdict), Not(HasSubstr(sentence)));
}

// What hands a NaN on need not be wrong: it may be masked later.
TEST(Steps, TheFirstNanIsThatOfAnOpWhichComputes) {
  const auto op = [](const std::string& name, int line) {
    Step step;
    step.kind = "op";
    step.name = name;
    step.file = "29.cpp";
    step.line = line;
    step.value = "[nan, 1]";
    return step;
  };
  EXPECT_EQ(first_not_finite({op("select", 13), op("where", 13), op("mul", 15)}, "29.cpp")->line, 15);
  EXPECT_EQ(first_not_finite({op("select", 13), op("where", 13)}, "29.cpp"), nullptr);
}

TEST(Verdict, OfSeveralLengthsNoneIsAskedAbout) {
  json verdict = wrong_verdict();
  verdict["named"] = json::array();
  EXPECT_THAT(shown(verdict), HasSubstr("wrong from 2 on: what does your code do along batch?"));
  verdict["shrunk"][1]["right_at_one"] = true;
  verdict["shrunk"].push_back({{"axis", "in"}, {"size", 5}, {"right_at_one", false}, {"wrong_from", 1}});
  EXPECT_THAT(shown(verdict), AllOf(HasSubstr("Right when batch has length 1, wrong from 2 on."),
                                    Not(HasSubstr("what does your code do along"))));
}

TEST(Verdict, IsReadWithNumbersThatJsonDoesNotHave) {
  const Verdict verdict = read_verdict(wrong_verdict());
  ASSERT_EQ(verdict.differences.size(), 1u);
  EXPECT_TRUE(std::isnan(verdict.differences[0].entries[1].yours));
  EXPECT_TRUE(std::isinf(verdict.differences[0].entries[1].expected));
  EXPECT_FALSE(verdict.differences[0].entries[1].numeric.has_value());
  EXPECT_EQ(verdict.axes.at("batch"), 4);
  EXPECT_EQ(verdict.first_probe->name, "d_e");
}

TEST(Verdict, SurvivesBeingKept) {
  EXPECT_EQ(to_json(read_verdict(wrong_verdict())), wrong_verdict());
}

TEST(Verdict, SaysInWhichFunction) {
  json verdict = wrong_verdict();
  verdict["only_in"] = "linear_backward";
  EXPECT_EQ(read_verdict(verdict).only_in, "linear_backward");
  EXPECT_EQ(to_json(read_verdict(verdict)), verdict);
}

TEST(Verdict, WhatIsNoneThrows) {
  EXPECT_ANY_THROW(read_verdict(json::parse("{}")));
  EXPECT_ANY_THROW(read_verdict(json::parse(R"({"outcome": 3})")));
  for (const std::string number : {"1e300", "-1e300", "2.5", "18446744073709551615", "\"4\""}) {
    json odd = wrong_verdict();
    odd["axes"]["batch"] = json::parse(number);
    EXPECT_THROW(read_verdict(odd), std::runtime_error) << number;
    odd = wrong_verdict();
    odd["shrunk"][0]["size"] = json::parse(number);
    EXPECT_THROW(read_verdict(odd), std::runtime_error) << number;
    odd = wrong_verdict();
    odd["differences"][0]["entries"][0]["index"] = {json::parse(number)};
    EXPECT_THROW(read_verdict(odd), std::runtime_error) << number;
  }
}

TEST(Verdict, PlaceholdersAreLengths) {
  EXPECT_EQ(fill_in("1/{batch} of {batch}{out}, {other}, {", {{"batch", 4}, {"out", 2}}), "1/4 of 42, {other}, {");
}

TEST(Report, SurvivesBeingKept) {
  Report report = report_of(wrong_verdict());
  report.problem = Problem{"a sentence", "advice", {"a.cpp", 3, 4}};
  report.thrown_at = {"a.cpp", 7, 0};
  report.printed = "hello";
  report.warnings = {{"w", "", {"a.cpp", 1, 0}}};
  const Report read = read_report(to_json(report));
  EXPECT_EQ(to_json(read), to_json(report));
  EXPECT_EQ(read.problem->place.column, 4);
  EXPECT_EQ(read.thrown_at.line, 7);
}

TEST(Report, SaysWhatItsOutcomeIsAbout) {
  json report = to_json(report_of(wrong_verdict()));
  report.erase("verdict");
  EXPECT_THROW(read_report(report), std::runtime_error);
  report["outcome"] = "crashed";
  EXPECT_THROW(read_report(report), std::runtime_error);
  report["problem"] = {{"sentence", "s"}, {"advice", ""}, {"file", "a.cpp"}, {"line", 3}, {"column", 1}};
  EXPECT_EQ(read_report(report).problem->place.line, 3);
  report["problem"]["line"] = 3e9;
  EXPECT_THROW(read_report(report), std::runtime_error);
}

TEST(ShowReport, ANamedMistakeAsksAndDoesNotTell) {
  const std::string text = shown(wrong_verdict());
  EXPECT_THAT(text, HasSubstr("? Yours is 1/4: why, with 4 rows and {other}?"));
  EXPECT_THAT(text, HasSubstr("exactly those one gets when a known mistake is made"));
  EXPECT_THAT(text, Not(HasSubstr("a mean divides")));
  EXPECT_THAT(text, Not(HasSubstr("bias_mean")));
  EXPECT_THAT(text, HasSubstr("learn why 25 explains"));
}

TEST(ShowReport, AnAnswerThatThrewHasNoNumbers) {
  json verdict = wrong_verdict();
  verdict["message"] = "[bad-dim] sum: no";
  verdict["named"] = json::parse(R"([["bias_mean"], ["sign"]])");
  EXPECT_THAT(shown(verdict),
              AllOf(HasSubstr("Your code ends exactly as it does when one of two known mistakes is made."),
                    Not(HasSubstr("Your numbers"))));
  EXPECT_THAT(explain_report(Style{}, exercise(), report_of(verdict), "25_linear_layer.cpp"),
              AllOf(HasSubstr("Your code ends exactly as it does when this is done:"),
                    HasSubstr("It also ends as it does when this is done:"), Not(HasSubstr("Your numbers"))));
}

TEST(ShowReport, TwoAtOnceInAPartAskBoth) {
  json verdict = wrong_verdict();
  verdict["named"] = json::array();
  verdict["partly_named"] = json::parse(R"([{"mistakes": ["bias_mean", "sign"], "explains": ["db", "dw"]}])");
  EXPECT_EQ(to_json(read_verdict(verdict)), verdict);
  EXPECT_THAT(shown(verdict), AllOf(HasSubstr("For db, dw, your numbers are exactly those one gets when two known "),
                                    HasSubstr("? Yours is 1/4"), HasSubstr("? Which sign?")));
  EXPECT_THAT(explain_report(Style{}, exercise(), report_of(verdict), "25_linear_layer.cpp"),
              AllOf(HasSubstr("because a mean divides by 4."), HasSubstr("because minus.")));
}

TEST(ShowReport, TwoAtOnceAskBoth) {
  json verdict = wrong_verdict();
  verdict["named"] = json::parse(R"([["bias_mean", "sign"]])");
  const std::string text = shown(verdict);
  EXPECT_THAT(text, HasSubstr("two known mistakes are made at once"));
  EXPECT_THAT(text, HasSubstr("? Yours is 1/4"));
  EXPECT_THAT(text, HasSubstr("? Which sign?"));
}

TEST(ShowReport, WithoutANameTheCluesSpeak) {
  json verdict = wrong_verdict();
  verdict["named"] = json::array();
  const std::string text = shown(verdict);
  EXPECT_THAT(text, HasSubstr("d_alpha is right, d_e is the first intermediate value that is not right."));
  EXPECT_THAT(text, HasSubstr("db: yours is 1/4 of it."));
  EXPECT_THAT(text, HasSubstr("Right when batch has length 1, wrong from 2 on"));
  EXPECT_THAT(text, Not(HasSubstr("when out has length 1")));
}

TEST(ShowReport, AnIntermediateThatWasRightBefore) {
  json verdict = wrong_verdict();
  verdict["named"] = json::array();
  verdict["right_probes"] = {"d_e", "d_alpha"};
  verdict["first_probe"]["after"] = "d_e";
  verdict["first_probe"]["times_right"] = 1;
  EXPECT_THAT(shown(verdict), HasSubstr("• d_e is right the first time, and wrong the second.\n"));
  const std::string why = explain_report(Style{}, exercise(), report_of(verdict), "25_linear_layer.cpp");
  EXPECT_THAT(why, HasSubstr("  d_e is right the first time, and wrong the second:\n"));
  EXPECT_THAT(why, HasSubstr("right on the way: d_alpha\n"));
  verdict["first_probe"]["after"] = "d_alpha";
  verdict["first_probe"]["times_right"] = 2;
  EXPECT_THAT(shown(verdict),
              HasSubstr("• d_e is right the first 2 times, and wrong the next; d_alpha, before that, is "));
}

TEST(ShowReport, WhatIsRightOnTheWayIsSaidWhereNothingOnTheWayIsWrong) {
  json verdict = wrong_verdict();
  verdict["named"] = json::array();
  EXPECT_THAT(shown(verdict), Not(HasSubstr("right on the way")));
  verdict.erase("first_probe");
  EXPECT_THAT(shown(verdict), HasSubstr("✓ right on the way: d_alpha"));
}

TEST(ShowReport, AClueThatHoldsOfSeveralIsSaidOnce) {
  json verdict = wrong_verdict();
  verdict["named"] = json::array();
  verdict["differences"].push_back(verdict["differences"][0]);
  verdict["differences"][1]["name"] = "db by the engine";
  const std::string text = shown(verdict);
  EXPECT_THAT(text, HasSubstr("db, db by the engine: yours is 1/4 of it."));
  EXPECT_THAT(text, Not(HasSubstr("• db: ")));
}

TEST(ShowReport, TheTableHasAllColumns) {
  const std::string text = shown(wrong_verdict());
  EXPECT_THAT(text, HasSubstr("      at   yours  expected  numeric\n"));
  EXPECT_THAT(text, HasSubstr("      [0]   0.25         1        1\n"));
  EXPECT_THAT(text, HasSubstr("      [1]    NaN       inf\n"));
}

TEST(ShowReport, AsManyDigitsAsItTakes) {
  json verdict = wrong_verdict();
  verdict["differences"][0]["entries"] = {{{"index", json::array()}, {"yours", 1.00000001}, {"expected", 1.0}}};
  EXPECT_THAT(shown(verdict), HasSubstr("1.00000001"));
}

TEST(ShowReport, NotAllOfManyDifferences) {
  json verdict = wrong_verdict();
  for (int i = 0; i < 6; ++i) verdict["differences"].push_back(verdict["differences"][0]);
  EXPECT_THAT(shown(verdict), HasSubstr("and 4 more"));
  EXPECT_THAT(shown(verdict, true), Not(HasSubstr("more:")));
}

TEST(ShowReport, MemoryThatWasNeverWrittenIsRecognised) {
  json verdict = wrong_verdict();
  verdict["named"] = json::array();
  verdict["differences"][0]["entries"][0]["yours"] = -5.314e303;
  EXPECT_THAT(shown(verdict), HasSubstr("never written"));
}

TEST(ShowReport, DifferentEachTime) {
  json verdict = wrong_verdict();
  verdict["named"] = json::array();
  verdict["repeatable"] = false;
  EXPECT_THAT(shown(verdict), HasSubstr("Two runs on the same inputs gave different numbers"));
}

TEST(ExplainReport, TellsTheNameTheReasonAndTheDoubt) {
  const std::string text = explain_report(Style{}, exercise(), report_of(wrong_verdict()), "25_linear_layer.cpp");
  EXPECT_THAT(text, HasSubstr("bias_mean"));
  EXPECT_THAT(text, HasSubstr("because a mean divides by 4."));
  EXPECT_THAT(text, HasSubstr("That is no proof"));
  EXPECT_THAT(text, HasSubstr("right on the way: d_alpha"));
  EXPECT_THAT(text, HasSubstr("The sizes in this check: batch = 4, out = 2."));
}

TEST(ShowReport, AnErrorOfTheEnginesNamesItsLineAndAdvice) {
  json verdict = wrong_verdict();
  verdict["named"] = json::array();
  verdict["differences"] = json::array();
  verdict["message"] =
      "[shape-mismatch] matmul: no\n  at: 25_linear_layer.cpp:10\n  try: transpose\n  more: docs/errors.md";
  const std::string text = shown(verdict);
  EXPECT_THAT(text, HasSubstr("25_linear_layer.cpp:10: error: [shape-mismatch] matmul: no\n"));
  EXPECT_THAT(text, HasSubstr("Try: transpose"));
  EXPECT_THAT(text, HasSubstr("More: docs/errors.md"));
}

}  // namespace course_verdict_test
