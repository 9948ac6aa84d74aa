// Verdicts: as the judge writes them, and what is said of them.
#include "judge/verdict.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "judge/verdict_json.h"
#include "runner/check/steps.h"
#include "runner/report/verdict_sentences.h"
#include "runner/show/show_report.h"
#include "tests/support/golden.h"

namespace course_verdict_test {

using namespace learn;
using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Kind = Clue::Kind;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Verdict wrong_verdict() {
  Verdict verdict;
  verdict.setting = verdict.usual = {{{"batch", 4}, {"out", 2}}};
  verdict.outcome = Verdict::Outcome::wrong;
  verdict.right = {"dx", "dw"};
  verdict.right_probes = {"d_alpha"};
  verdict.named = {{"bias_mean"}};
  Difference db{.name = "db", .wrong = 2, .total = 2};
  db.clues = {{.kind = Kind::factor, .number = 0.25, .sources = {{{{"batch", 4}}}}}};
  db.entries = {{{0}, 0.25, 1.0, 1.0000001}, {{1}, nan, infinity, std::nullopt}};
  verdict.differences = {db};
  verdict.first_probe = {{.name = "d_e", .wrong = 1, .total = 1}, "d_alpha", 0};
  verdict.shrunk = {{"batch", 4, true, 2}, {"out", 2, false, 1}};
  verdict.smallest = {{{"batch", 2}, {"out", 1}}, {{.name = "db", .wrong = 1, .total = 1}}};
  return verdict;
}

// Of which no known mistake is the cause.
Verdict unnamed_verdict() {
  Verdict verdict = wrong_verdict();
  verdict.named.clear();
  return verdict;
}

Exercise exercise() {
  Exercise exercise;
  exercise.id = "19_linear_layer";
  exercise.source = ExerciseSource::parse(
      "//= title: Linear layer\n//= answer: f\n"
      "//= mistake bias_mean\n//= question: Yours is 1/{batch}: why, with {batch} rows and {other}?\n//= because: a "
      "mean divides by {batch}.\n"
      "//= mistake sign\n//= question: Which sign?\n//= because: minus.\n"
      "//= mistake premise\n//= premise: Your dx is right.\n//= question: Yours is 4 times too large. What is "
      "summed?\n//= because: "
      "a mean.\n"
      "x\n//~ bias_mean | y\nz\n//~ sign | y\n//~ premise | y\n",
      "exercise.cpp");
  return exercise;
}

Report report_of(const Verdict& verdict) {
  Report report;
  report.id = "19_linear_layer";
  report.outcome = Report::Outcome::wrong;
  report.verdict = verdict;
  return report;
}

std::string shown(const Verdict& verdict, bool verbose = false) {
  return show_report(Style{}, exercise(), report_of(verdict), "19_linear_layer.cpp", {.verbose = verbose});
}

std::string explained(const Verdict& verdict) {
  return explain_report(Style{}, exercise(), report_of(verdict), "19_linear_layer.cpp");
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// ---- as JSON ---------------------------------------------------------------------------------------------------------

// One clue and one difference of each kind.
std::vector<Clue> all_clues() {
  std::vector<Clue> clues;
  for (int kind = 0; kind <= static_cast<int>(Kind::not_right); ++kind) {
    clues.push_back({.kind = static_cast<Kind>(kind), .name = "w", .number = 3.0, .positions = {0, 2}});
    clues.back().right_positions = {1};
  }
  return clues;
}

std::vector<Difference> all_differences() {
  std::vector<Difference> differences;
  for (int kind = 0; kind <= static_cast<int>(Difference::Kind::missing); ++kind) {
    Difference difference{.name = "db", .kind = static_cast<Difference::Kind>(kind), .wrong = 1, .total = 6};
    difference.your_shape = {{3, 4}, {}};
    difference.expected_shape = {{4}, {"source"}};
    difference.yours = "float32";
    difference.expected = "float64";
    difference.said = "dy";
    differences.push_back(difference);
  }
  return differences;
}

TEST(Verdict, SurvivesBeingWritten) {
  Verdict verdict = wrong_verdict();
  verdict.setting.numbers = judge::Numbers::negative;
  verdict.partly_named = {{{"bias_mean", "sign"}, {"db"}}};
  verdict.thrown = {"shape-mismatch", "[shape-mismatch] matmul: no", "transpose", "19_linear_layer.cpp", 10};
  verdict.differences = all_differences();
  verdict.differences[0].clues = all_clues();
  verdict.differences[0].entries = wrong_verdict().differences[0].entries;
  verdict.differences[0].entries.push_back({{0}, -1e300, 1.0, std::nullopt});
  const json written = json::parse(json(verdict).dump());
  const Verdict read = read_verdict(written);
  EXPECT_EQ(json(read), written);
  EXPECT_EQ(read.setting, verdict.setting);
  EXPECT_EQ(read.differences[0].clues, verdict.differences[0].clues);
  for (std::size_t i = 0; i < read.differences.size(); ++i)
    EXPECT_EQ(read.differences[i].kind, verdict.differences[i].kind);
  EXPECT_TRUE(std::isnan(read.differences[0].entries[1].yours));
  EXPECT_TRUE(std::isinf(read.differences[0].entries[1].expected));
  EXPECT_EQ(read.differences[0].entries[0].numeric, 1.0000001);
  EXPECT_EQ(read.differences[0].entries[2].yours, -1e300);
  EXPECT_FALSE(read.differences[0].entries[1].numeric.has_value());
  EXPECT_EQ(read.first_probe->difference.name, "d_e");
  EXPECT_EQ(read.thrown->line, 10);
}

TEST(Verdict, WhatIsNoneThrows) {
  EXPECT_THROW(read_verdict(json::parse("{}")), std::runtime_error);
  EXPECT_THROW(read_verdict(json::parse(R"({"outcome": 3})")), std::runtime_error);
  const json right = wrong_verdict();
  for (const std::string number : {"1e300", "-1e300", "2.5", "18446744073709551615", "\"4\""}) {
    for (const char* const place : {"/setting/sizes/0/size", "/shrunk/0/size", "/differences/0/entries/0/index/0"}) {
      json odd = right;
      odd[json::json_pointer(place)] = json::parse(number);
      EXPECT_THROW(read_verdict(odd), std::runtime_error) << place << " " << number;
    }
  }
  for (const char* const place : {"/outcome", "/differences/0/kind", "/differences/0/clues/0/kind", "/more"}) {
    json odd = right;
    odd[json::json_pointer(place)] = "nonsense";
    EXPECT_THROW(read_verdict(odd), std::runtime_error) << place;
  }
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
  report["verdict"] = nullptr;
  EXPECT_THROW(read_report(report), std::runtime_error);
  report["outcome"] = "crashed";
  EXPECT_THROW(read_report(report), std::runtime_error);
  report["problem"] =
      json::parse(R"({"sentence": "s", "advice": "", "place": {"file": "a.cpp", "line": 3, "column": 1}})");
  EXPECT_EQ(read_report(report).problem->place.line, 3);
  report["problem"]["place"]["line"] = 3e9;
  EXPECT_THROW(read_report(report), std::runtime_error);
}

// ---- what is said ----------------------------------------------------------------------------------------------------

TEST(Steps, TheFirstThatIsNotFiniteIsInTheFileAndNotInTheSolution) {
  using judge::NotFinite;
  const auto op = [](const std::string& file, int line, NotFinite not_finite, bool in_solution = false) {
    return Step{.file = "somewhere/" + file, .line = line, .not_finite = not_finite, .in_solution = in_solution};
  };
  const std::vector<Step> steps = {op("29.cpp", 13, NotFinite::none), op("check.cpp", 3, NotFinite::nan),
                                   op("29.cpp", 14, NotFinite::infinity, true), op("29.cpp", 15, NotFinite::nan)};
  EXPECT_EQ(first_not_finite(steps, "29.cpp")->line, 15);
  EXPECT_EQ(first_not_finite(steps, "30.cpp"), nullptr);
}

TEST(Verdict, PlaceholdersAreLengths) {
  EXPECT_EQ(fill_in("1/{batch} of {batch}{out}, {other}, {", {{"batch", 4}, {"out", 2}}), "1/4 of 42, {other}, {");
}

TEST(Verdict, AQuestionBesideAnotherComesWithoutItsPremise) {
  Verdict verdict = wrong_verdict();
  const MistakeText mistake = exercise().source.mistakes[2];
  const auto question = [&] { return questions(exercise(), verdict).at(0); };
  verdict.named = {{"premise"}};
  EXPECT_EQ(question(), mistake.premise + " " + mistake.question);
  verdict.named = {{"premise", "sign"}};
  EXPECT_EQ(question(), mistake.question);
  verdict.named = {};
  verdict.partly_named = {{{"premise"}, {"db"}}};
  EXPECT_EQ(question(), mistake.question);
}

TEST(Verdict, EachKnownMistakeAsksOnce) {
  Verdict verdict = wrong_verdict();
  for (const auto& named : std::vector<std::vector<std::vector<std::string>>>{
           {{"bias_mean"}, {"sign"}}, {{"bias_mean", "sign"}}, {{"bias_mean", "sign"}, {"sign", "bias_mean"}}}) {
    verdict.named = named;
    EXPECT_THAT(questions(exercise(), verdict), SizeIs(2));
  }
  verdict.named = {};
  verdict.partly_named = {{{"bias_mean", "sign"}, {"db", "dw"}}};
  EXPECT_THAT(questions(exercise(), verdict), SizeIs(2));
  EXPECT_THAT(sentences_of_clues(verdict, 2), IsEmpty());  // what a mistake explains needs none
}

TEST(Verdict, OfSeveralLengthsOneOfWhichMakesItRight) {
  Verdict verdict = unnamed_verdict();
  EXPECT_THAT(sentences_about_sizes(verdict), SizeIs(1));
  verdict.shrunk[1].right_at_one = true;
  EXPECT_THAT(sentences_about_sizes(verdict), IsEmpty());  // nothing is left to be wrong
  verdict.shrunk.push_back({"in", 5, false, 1});
  EXPECT_THAT(sentences_about_sizes(verdict), SizeIs(2));
}

TEST(Verdict, WhatMayFollowFromAChangedInputIsSaidSo) {
  Verdict verdict = unnamed_verdict();
  EXPECT_THAT(sentences_about_runs(verdict), IsEmpty());
  verdict.differences.insert(verdict.differences.begin(),
                             {.name = "'dy' left as it was", .kind = Difference::Kind::changed_input, .said = "dy"});
  EXPECT_THAT(sentences_about_runs(verdict), SizeIs(1));
  verdict.differences.pop_back();
  EXPECT_THAT(sentences_about_runs(verdict), IsEmpty());
}

TEST(Verdict, NoClueFollowsFromMemoryThatWasNeverWritten) {
  Verdict verdict = unnamed_verdict();
  EXPECT_THAT(sentences_of_clues(verdict, 2), SizeIs(1));
  verdict.differences[0].entries[0].yours = -5.314e303;
  EXPECT_THAT(sentences_of_clues(verdict, 2), IsEmpty());
  EXPECT_THAT(sentences_about_runs(verdict), SizeIs(1));
}

TEST(Verdict, AClueThatHoldsOfSeveralIsSaidOnce) {
  Verdict verdict = unnamed_verdict();
  verdict.differences.push_back(verdict.differences[0]);
  verdict.differences[1].name = "db by the engine";
  EXPECT_THAT(sentences_of_clues(verdict, 2), SizeIs(1));
}

TEST(Verdict, BesideANanNothingElseIsSaid) {
  EXPECT_THAT(clues_of({.clues = {{.kind = Kind::nan}, {.kind = Kind::transposed}}}), SizeIs(1));
  EXPECT_THAT(clues_of({.clues = {{.kind = Kind::not_zero}, {.kind = Kind::transposed}}}), SizeIs(2));
}

TEST(Verdict, AnIntermediateThatWasRightBeforeIsNotRightOnTheWay) {
  Verdict verdict = unnamed_verdict();
  verdict.right_probes = {"d_e", "d_alpha"};
  EXPECT_THAT(right_on_the_way(verdict), ElementsAre("d_alpha"));
}

TEST(ShowReport, StepIsOfferedWhereThereAreSteps) {
  const Report report = report_of(wrong_verdict());
  Exercise of_words = exercise();
  of_words.source.has_steps = false;
  EXPECT_EQ(count_of(show_report(Style{}, exercise(), report, ""), "learn step 19"), 1U);
  EXPECT_EQ(count_of(show_report(Style{}, of_words, report, ""), "learn step"), 0U);
}

TEST(ShowReport, NotAllOfManyDifferences) {
  Verdict verdict = wrong_verdict();
  for (int i = 0; i < 6; ++i) verdict.differences.push_back(verdict.differences[0]);
  EXPECT_EQ(count_of(shown(verdict), "✗ db"), 3U);
  EXPECT_EQ(count_of(shown(verdict, true), "✗ db"), 7U);
}

TEST(ShowReport, AsManyDigitsAsItTakes) {
  Verdict verdict = wrong_verdict();
  verdict.differences[0].entries = {{{}, 1.00000001, 1.0, std::nullopt}};
  EXPECT_EQ(count_of(shown(verdict), "1.00000001"), 1U);
}

// Verdicts of which there is something to say, each with the change that brings it about.
struct Case {
  const char* title;
  std::function<void(Verdict&)> change;
};

const std::vector<Case>& cases() {
  static const auto elsewhere = [](Axes sizes) { return [sizes](Verdict& verdict) { verdict.setting.sizes = sizes; }; };
  static const std::vector<Case> all{
      {"where batch is longer", elsewhere({{"batch", 5}, {"out", 2}})},
      {"and by its numbers",
       [](Verdict& verdict) {
         verdict.setting.sizes[0].size = 5;
         verdict.depends_on_numbers = true;
       }},
      {"where there is one of each", elsewhere({{"batch", 1}, {"out", 1}})},
      {"other numbers", [](Verdict& verdict) { verdict.setting.seed = 1; }},
      {"negative numbers", [](Verdict& verdict) { verdict.setting.numbers = judge::Numbers::negative; }},
      {"when something was called before",
       [](Verdict& verdict) {
         verdict.setting.seed = 1;
         verdict.right_when_first = true;
       }},
      {"two runs differ", [](Verdict& verdict) { verdict.repeatable = false; }},
      {"never written", [](Verdict& verdict) { verdict.differences[0].entries[0].yours = -5.314e303; }},
      {"right the first time",
       [](Verdict& verdict) {
         verdict.first_probe->after = "d_e";
         verdict.first_probe->times_right = 1;
       }},
      {"right twice", [](Verdict& verdict) { verdict.first_probe->times_right = 2; }},
      {"a known mistake", [](Verdict& verdict) { verdict.named = {{"sign"}}; }},
      {"one of two",
       [](Verdict& verdict) {
         verdict.named = {{"sign"}, {"bias_mean"}};
       }},
      {"two at once",
       [](Verdict& verdict) {
         verdict.named = {{"sign", "bias_mean"}};
       }},
      {"by an effect alone",
       [](Verdict& verdict) {
         verdict.named = {{"sign"}};
         verdict.named_by_numbers = false;
       }},
      {"by how it ends",
       [](Verdict& verdict) {
         verdict.named = {{"sign"}};
         verdict.thrown = {.id = "bad-dim", .message = "[bad-dim] sum: no"};
       }},
      {"a part",
       [](Verdict& verdict) {
         verdict.partly_named = {{{"sign"}, {"dx", "dw"}}};
       }},
  };
  return all;
}

// The words, one verdict after the other; and whole reports, with everything that is asked and explained.
TEST(Verdict, IsSaidInTheseWords) {
  std::string text;
  const auto add = [&](const std::string& sentence) {
    if (!sentence.empty()) text += "  " + sentence + "\n";
  };
  for (const Case& one : cases()) {
    Verdict verdict = unnamed_verdict();
    one.change(verdict);
    text += fmt::format("{}\n", one.title);
    add(sentence_about_elsewhere(verdict));
    for (const std::string& sentence : sentences_about_runs(verdict)) add(sentence);
    if (verdict.first_probe->times_right > 0) add(sentences_about_probes(verdict).at(0));
    if (!verdict.named.empty()) add(sentence_about_named(verdict));
    if (!verdict.named.empty()) add(sentence_before_named(verdict, true));
    for (const PartlyNamed& part : verdict.partly_named) add(sentence_about_part(part));
  }
  text += "differences\n";
  for (const Difference& difference : all_differences()) add(summary_of(difference));
  const std::string many = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32";
  for (const auto& [yours, expected] : {std::pair("0 0 0 0 0 A " + many, "0 0 0 0 0 B " + many),
                                        {many, many + " 33"},
                                        {"A " + many, many},
                                        {"##↵ #·↵ " + many, "##↵ ·#↵ " + many},
                                        {"|#\n" + many, "#\n" + many}}) {
    add(summary_of({.name = "words", .kind = Difference::Kind::text, .yours = yours, .expected = expected}));
  }
  text += "clues\n";
  std::vector<Clue> clues = all_clues();
  clues.push_back({.kind = Kind::factor, .number = -1.0});
  clues.push_back({.kind = Kind::factor, .number = 1.0 / 9.0, .sources = {{{{"batch", 3}, {"batch", 3}}}}});
  clues.push_back({.kind = Kind::factor, .number = 0.75, .sources = {{{{"batch", 3}, {"out", 4}}, true}}});
  clues.push_back({.kind = Kind::factor_missing, .name = "dy", .is_expected = true});
  clues.push_back({.kind = Kind::too_few_along, .name = "steps", .number = 1.0, .at_the_beginning = true});
  for (const Clue& clue : clues) add(clues_of({.clues = {clue}}).at(0));
  text += shown(wrong_verdict()) + shown(unnamed_verdict()) + explained(wrong_verdict());
  Verdict threw = unnamed_verdict();
  threw.differences.clear();
  threw.first_probe.reset();
  threw.thrown = {"shape-mismatch", "[shape-mismatch] matmul: no", "transpose", "19_linear_layer.cpp", 10};
  text += shown(threw);
  EXPECT_TRUE(fixtures::is_golden("course_verdict", text));
}

}  // namespace course_verdict_test
