// The one file of an exercise: what is made of its marks, and what is said of those that are wrong.
#include "runner/lessons/exercise_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/golden.h"

namespace course_exercise_source_test {

using learn::ExerciseSource;
using learn::Mistakes;
using testing::ElementsAre;

constexpr const char* whole = R"(//= title: Doubling
//= part: B
//= fast track
//= difficulty: 2
//= minutes: 25
//= after: 06, 07
//= answer: twice, half
//= seconds: 60
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
  EXPECT_EQ(*source.with_mistakes({"squared"}),
            "#include \"given.h\"\n\nint twice(int x) {\n  const int sum = x * x;\n  return sum;\n}\n");
  EXPECT_EQ(*source.with_mistakes({"thrice"}),
            "#include \"given.h\"\n\nint twice(int x) {\n  const int sum = x + x;\n  return sum + x;\n}\n");
}

TEST(ExerciseSource, TwoMistakesInOneLineAreNoPair) {
  const auto source = ExerciseSource::parse(whole, "exercise.cpp");
  EXPECT_EQ(source.with_mistakes({"squared", "thrice"}), std::nullopt);
  ASSERT_EQ(source.mistake_sets(Mistakes::and_pairs).size(), 2u);
  EXPECT_THAT(source.mistake_sets(Mistakes::and_pairs)[0], ElementsAre("squared"));
  EXPECT_THAT(source.mistake_sets(Mistakes::and_pairs)[1], ElementsAre("thrice"));
}

TEST(ExerciseSource, MistakesElsewhereArePairs) {
  const auto source = ExerciseSource::parse(
      head +
          "//= mistake a\n//= question: q\n//= because: b\n//= mistake c\n//= question: q\n//= because: b\n"
          "x\n//~ a | y\nz\n//~ c |\n",
      "exercise.cpp");
  EXPECT_EQ(source.mistake_sets(Mistakes::and_pairs).size(), 3u);
  EXPECT_EQ(source.mistake_sets(Mistakes::single).size(), 2u);
  EXPECT_EQ(*source.with_mistakes({"a", "c"}), "y\n");
}

const std::string with_a_variant =
    head + "//= mistake a\n//= question: q\n//= because: b\nx\n//~ a | y\n//~ a.other | w\n";

TEST(ExerciseSource, AVariantIsMadeAlone) {
  const auto source = ExerciseSource::parse(with_a_variant, "exercise.cpp");
  ASSERT_EQ(source.mistake_sets(Mistakes::and_pairs).size(), 2u);
  EXPECT_EQ(*source.with_mistakes(source.mistake_sets(Mistakes::and_pairs)[1]), "w\n");
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

// What is wrong, with its line; and the files that are made of an exercise, of which the learner's knows no other
// answer.
TEST(ExerciseSource, WhatIsWrittenAndSaid) {
  const std::string mistake = head + "//= mistake a\n//= question: q\n";
  std::vector<std::string> faulty{"//= answer: f\n",
                                  "//= title: T\n",
                                  head + "//= tilte: x\n",
                                  head + "//[\n//[\n",
                                  head + "//]\n",
                                  head + "//[\n",
                                  head + "a\n//~ m 0 | b\n",
                                  head + "x\n//~ a y\n",
                                  head + "x\n//~ | y\n",
                                  head + "//~ a | y\n",
                                  head + "x\n//~ a | y\n",
                                  mistake,
                                  mistake + "//= because: b\n",
                                  mistake + "//= because: b\nf();\n//~ a | g();\nh();\n//~ a 2 | i();\n",
                                  mistake + "//= because: b\n//~ b.other | g();\n",
                                  head + "//= equal mutant: a\n"};
  for (const char* const seconds : {"soon", "", "10 minutes", "1e1", "-1", "0", "99999999999"}) {
    faulty.push_back(head + "//= seconds: " + seconds + "\n");
  }
  std::string said;
  for (const std::string& text : faulty) {
    const std::string error = error_of(text);
    EXPECT_NE(error, "") << text;
    said += error + "\n";
  }
  const auto source = ExerciseSource::parse(whole, "exercise.cpp");
  EXPECT_TRUE(fixtures::is_golden(
      "course_exercise_source",
      said + "\n" + source.answers_file("07_x", Mistakes::and_pairs) + "\n" + source.learner_file("07_x") + "\n" +
          ExerciseSource::parse(with_a_variant, "exercise.cpp").answers_file("08_x", Mistakes::and_pairs)));
}

}  // namespace course_exercise_source_test
