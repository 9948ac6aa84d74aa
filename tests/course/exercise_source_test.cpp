// The one file of an exercise: what is made of its marks, and what is said of those that are wrong.
#include "runner/course/exercise_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace course_exercise_source_test {

using learn::ExerciseSource;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* whole = R"(//= title: Doubling
//= part: B
//= fast track
//= difficulty: 2
//= minutes: 25
//= after: 06, 07
//= answer: twice, half
//= seconds: 60
//= unnamed pair: squared + thrice
//= mistake squared
//=   question: Is that right for {rows} rows,
//=     and for one?
//=   because: x * x.
//= mistake thrice
//=   question: How often?
//=   because: once too often.
#include "given.h"

int twice(int x) {
  //[
  //- todo("twice");
  const int sum = x + x;
  //~ squared | const int sum = x * x;
  return sum;
  //~ thrice 2 | const int sum = x + x;
  //~ thrice | return sum + x;
  //]
}
)";

std::string error_of(const std::string& text) {
  try {
    ExerciseSource::parse(text, "exercise.cpp");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

const std::string head = "//= title: T\n//= answer: f\n";

TEST(ExerciseSource, ReadsWhatIsAboutTheExercise) {
  const auto source = ExerciseSource::parse(whole, "exercise.cpp");
  EXPECT_EQ(source.title, "Doubling");
  EXPECT_EQ(source.part, "B");
  EXPECT_TRUE(source.fast_track);
  EXPECT_EQ(source.difficulty, 2);
  EXPECT_EQ(source.minutes, 25);
  EXPECT_THAT(source.after, ElementsAre("06", "07"));
  EXPECT_EQ(source.seconds, 60);
  EXPECT_TRUE(source.combine);
  EXPECT_TRUE(source.has_steps);
  EXPECT_THAT(source.answer, ElementsAre("twice", "half"));
  EXPECT_THAT(source.unnamed_pairs, ElementsAre("squared + thrice"));
  ASSERT_EQ(source.mistakes.size(), 2u);
  EXPECT_EQ(source.mistakes[0].question, "Is that right for {rows} rows, and for one?");
  EXPECT_EQ(source.mistakes[1].because, "once too often.");
}

TEST(ExerciseSource, KnowsWhereThereAreNoSteps) {
  EXPECT_FALSE(ExerciseSource::parse(head + "//= no steps\n", "exercise.cpp").has_steps);
}

TEST(ExerciseSource, StubSolutionAndMistakes) {
  const auto source = ExerciseSource::parse(whole, "exercise.cpp");
  EXPECT_EQ(source.stub(), "#include \"given.h\"\n\nint twice(int x) {\n  todo(\"twice\");\n}\n");
  EXPECT_EQ(source.solution(),
            "#include \"given.h\"\n\nint twice(int x) {\n  const int sum = x + x;\n  return sum;\n}\n");
  EXPECT_THAT(*source.with_mistakes({"squared"}), HasSubstr("  const int sum = x * x;\n  return sum;\n"));
  EXPECT_THAT(*source.with_mistakes({"thrice"}), HasSubstr("{\n  const int sum = x + x;\n  return sum + x;\n}"));
}

TEST(ExerciseSource, TwoMistakesInOneLineAreNoPair) {
  const auto source = ExerciseSource::parse(whole, "exercise.cpp");
  EXPECT_EQ(source.with_mistakes({"squared", "thrice"}), std::nullopt);
  ASSERT_EQ(source.mistake_sets().size(), 2u);
  EXPECT_THAT(source.mistake_sets()[0].names, ElementsAre("squared"));
  EXPECT_THAT(source.mistake_sets()[1].names, ElementsAre("thrice"));
}

TEST(ExerciseSource, MistakesElsewhereArePairs) {
  const auto source = ExerciseSource::parse(
      head +
          "//= mistake a\n//= question: q\n//= because: b\n//= mistake c\n//= question: q\n//= because: b\n"
          "x\n//~ a | y\nz\n//~ c |\n",
      "exercise.cpp");
  EXPECT_EQ(source.mistake_sets().size(), 3u);
  EXPECT_EQ(*source.with_mistakes({"a", "c"}), "y\n");
}

TEST(ExerciseSource, MistakesInSeveralFunctionsAreMadeInEachAlone) {
  const auto source = ExerciseSource::parse(head +
                                                "//= mistake a\n//=   question: q\n//=   because: b\n"
                                                "int f() {\n  return 1;\n  //~ a | return 2;\n}\n"
                                                "int g() {\n  return 3;\n  //~ a | return 4;\n}\n",
                                            "exercise.cpp");
  EXPECT_EQ(source.mistake_sets().size(), 3u);
  const std::string file = source.answers_file("07_x");
  EXPECT_THAT(file, HasSubstr("{{\"a\"}, mistake_0::run_check},\n    {{\"a\"}, mistake_1::run_check, \"f\"},"));
  EXPECT_THAT(file, HasSubstr("namespace mistake_1 {\nint f() {\n  return 2;\n}\nint g() {\n  return 3;"));
  EXPECT_THAT(file, HasSubstr("namespace mistake_2 {\nint f() {\n  return 1;\n}\nint g() {\n  return 4;"));
}

TEST(ExerciseSource, AnswersFileHasThemAllAndTheirTable) {
  const std::string file = ExerciseSource::parse(whole, "exercise.cpp").answers_file("07_x");
  EXPECT_THAT(file, HasSubstr("namespace solution {"));
  EXPECT_THAT(file, HasSubstr("namespace mistake_1 {"));
  EXPECT_THAT(file, HasSubstr("{{\"squared\"}, mistake_0::run_check}"));
  EXPECT_THAT(file, HasSubstr("Answer{.twice = &solution::twice, .half = &solution::half, }"));
  EXPECT_THAT(file, Not(HasSubstr("&::twice")));
  EXPECT_THAT(file, HasSubstr("\"07_x\""));
}

TEST(ExerciseSource, LearnersFileKnowsOfNoOtherAnswer) {
  const std::string file = ExerciseSource::parse(whole, "exercise.cpp").learner_file("07_x");
  EXPECT_THAT(file, HasSubstr("Answer{.twice = &::twice, .half = &::half, }"));
  EXPECT_THAT(file, HasSubstr("\"07_x\", run_learner, nullptr"));
  EXPECT_THAT(file, Not(HasSubstr("solution")));
  EXPECT_THAT(file, Not(HasSubstr("squared")));
}

TEST(ExerciseSource, EqualMutantsMayShareAReason) {
  const auto source = ExerciseSource::parse(
      head +
          "//= equal mutant: a <= b\n//= equal mutant: x: y\n//=   because: both\n//=     are.\n//= equal mutant: c\n"
          "//=   because: d.\n//= mistake m\n//=   question: q\n//=   because: e\nx\n//~ m | y\n",
      "exercise.cpp");
  ASSERT_EQ(source.equal_mutants.size(), 2u);
  EXPECT_THAT(source.equal_mutants[0].codes, ElementsAre("a <= b", "x: y"));
  EXPECT_EQ(source.equal_mutants[0].because, "both are.");
  EXPECT_THAT(source.equal_mutants[1].codes, ElementsAre("c"));
  EXPECT_EQ(source.equal_mutants[1].because, "d.");
  EXPECT_EQ(source.mistakes[0].because, "e");
  EXPECT_THAT(error_of(head + "//= equal mutant: a\n"), HasSubstr("equal mutant: a needs a because"));
}

TEST(ExerciseSource, LinesOfTheSolution) {
  const auto lines =
      ExerciseSource::parse(head + "int f() {\n//[\n//- todo();\nreturn 1;\n//]\n}\n", "e").solution_lines();
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_FALSE(lines[0].written);
  EXPECT_TRUE(lines[1].written);
  EXPECT_EQ(lines[1].text, "return 1;");
  EXPECT_EQ(lines[1].number, 6u);
}

TEST(ExerciseSource, WhatIsWrongIsSaidWithItsLine) {
  EXPECT_THAT(error_of("//= answer: f\n"), HasSubstr("no //= title"));
  EXPECT_THAT(error_of("//= title: T\n"), HasSubstr("no //= answer"));
  EXPECT_THAT(error_of(head + "//= tilte: x\n"), HasSubstr("exercise.cpp:3: not understood: //= tilte: x"));
  EXPECT_THAT(error_of(head + "//[\n//[\n"), HasSubstr("exercise.cpp:4: //[ inside //["));
  EXPECT_THAT(error_of(head + "//]\n"), HasSubstr("exercise.cpp:3: //] without its //["));
  EXPECT_THAT(error_of(head + "//[\n"), HasSubstr("//[ without its //]"));
  EXPECT_THAT(error_of(head + "a\n//~ m 0 | b\n"), HasSubstr("//~ m 0 changes no line"));
  EXPECT_THAT(error_of(head + "x\n//~ a y\n"), HasSubstr("exercise.cpp:4: //~ needs a |"));
  EXPECT_THAT(error_of(head + "x\n//~ | y\n"), HasSubstr("exercise.cpp:4: //~ needs a mistake's name"));
  EXPECT_THAT(error_of(head + "//~ a | y\n"), HasSubstr("//~ has no line above it"));
  EXPECT_THAT(error_of(head + "x\n//~ a | y\n"), HasSubstr("//~ a has no //= mistake a"));
  EXPECT_THAT(error_of(head + "//= mistake a\n//= question: q\n"), HasSubstr("a needs a question and a because"));
  EXPECT_THAT(error_of(head + "//= mistake a\n//= question: q\n//= because: b\n"), HasSubstr("a changes no line"));
  EXPECT_THAT(
      error_of(head + "//= mistake a\n//= question: q\n//= because: b\nf();\n//~ a | g();\nh();\n//~ a 2 | i();\n"),
      HasSubstr("a changes a line twice"));
  for (const std::string seconds : {"soon", "", "10 minutes", "1e1", "-1", "0", "99999999999"}) {
    EXPECT_THAT(error_of(head + "//= seconds: " + seconds + "\n"),
                HasSubstr("exercise.cpp:3: //= seconds: '" + seconds))
        << seconds;
  }
}

}  // namespace course_exercise_source_test
