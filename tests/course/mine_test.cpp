// `learn mine`: the learner's answers as one program. The folder is that of somebody who has written the solutions.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "runner/mine/own_parts.h"
#include "runner/system/process.h"
#include "tests/course/solved_desk.h"
#include "tests/support/temporary_folder.h"

namespace course_mine_test {

using namespace learn;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

bool all(const Exercise&) {
  return true;
}

// One folder for all tests: what is compiled is not compiled again.
class MineTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { folder = new fixtures::TemporaryFolder(); }
  static void TearDownTestSuite() { delete folder; }

  static std::string desk() { return *folder / "desk"; }

  static void solve(const std::function<bool(const Exercise&)>& is_passed) {
    std::filesystem::remove(Desk(desk()).progress());
    make_solved_desk(desk(), is_passed);
  }

  // Writes the solution with a known mistake in it. It counts as not passed.
  static void make_mistake(const std::string& exercise, const std::string& mistake) {
    solve([&](const Exercise& each) { return each.id != exercise; });
    const Exercise broken = load_exercise(exercise);
    write_file(Desk(desk()).answer(broken), *broken.source.with_mistakes({mistake}));
  }

  static Finished mine(std::vector<std::string> arguments, bool quick = true) {
    arguments.insert(arguments.begin(), {LEARN, "--dir", desk(), "mine"});
    if (quick) arguments.push_back("--quick");
    // What is freed is overwritten: who reads it all the same is seen.
    return run_process(
        arguments, {.seconds = 600.0, .environment = {"LC_ALL=C.UTF-8", "LEARN_NAME=./learn", "MALLOC_PERTURB_=165"}});
  }

  static inline fixtures::TemporaryFolder* folder = nullptr;
};

TEST_F(MineTest, AllOfItIsYours) {
  solve(all);
  const Finished run = mine({});
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_THAT(run.output,
              AllOf(HasSubstr("● 06  sums and products of numbers"), HasSubstr("● yours: 33 of 33"),
                    HasSubstr("  the loss and its 34198 gradients agree with the library's"),
                    HasSubstr("a tenth of the training"), HasSubstr("step  50 of 50"), HasSubstr("written \\ read"),
                    HasSubstr("other parts do their work: 19, 20, 21."), HasSubstr("All of this is yours."),
                    Not(HasSubstr("wrong in the whole")), Not(HasSubstr("does not fall"))));
  for (const char* const picture : {"my_dates.svg", "my_sentences.svg"}) {
    EXPECT_THAT(read_file(desk() + "/" + picture), HasSubstr("</svg>"));
  }
}

TEST_F(MineTest, WhatIsNotDoneIsTheLibrarys) {
  solve([](const Exercise& exercise) { return std::stoi(exercise.number()) % 2 == 0; });
  const Finished half = mine({});
  EXPECT_EQ(half.exit_code, 0) << half.output;
  EXPECT_THAT(half.output, AllOf(HasSubstr("● 06"), HasSubstr("○ 07"), HasSubstr("○ 31"), HasSubstr("● 40"),
                                 HasSubstr("yours: 18 of 33"), Not(HasSubstr("wrong in the whole")),
                                 Not(HasSubstr("All of this is yours."))));
  solve([](const Exercise&) { return false; });
  const Finished none = mine({});
  EXPECT_EQ(none.exit_code, 0) << none.output;
  EXPECT_THAT(none.output, HasSubstr("yours: 0 of 33"));
}

TEST_F(MineTest, AWrongAnswerIsUsedOnlyIfAskedFor) {
  make_mistake("31_gru_backward", "reset_path_dropped");
  const Finished without = mine({});
  EXPECT_EQ(without.exit_code, 0) << without.output;
  EXPECT_THAT(without.output, AllOf(HasSubstr("○ 31"), HasSubstr("yours: 32 of 33")));

  const Finished with = mine({"--with", "31"});
  EXPECT_EQ(with.exit_code, 1);
  EXPECT_THAT(with.output,
              AllOf(HasSubstr("GRU backward by hand  (not passed)"), HasSubstr("Something is wrong in the whole."),
                    HasSubstr("the gradient differs: encoder, to the right: weight_hh"),
                    HasSubstr("It is right with the library's part in place of your 31 GRU backward by hand"),
                    HasSubstr("`./learn check 31`"), Not(HasSubstr("in place of your 30")),
                    Not(HasSubstr("in place of your 32")), Not(HasSubstr("All of this is yours."))));
}

// The blocks of a section of docs/course.md.
std::vector<std::vector<std::string>> blocks_of(const std::string& section) {
  const std::vector<std::string> page = lines_of(BACKSTEP_SOURCE "/docs/course.md");
  std::vector<std::vector<std::string>> blocks;
  bool inside = false;
  for (auto line = std::find(page.begin(), page.end(), "## " + section) + 1; line->rfind("## ", 0) != 0; ++line) {
    if (line->rfind("```", 0) == 0) {
      inside = !inside;
      if (inside) blocks.emplace_back();
    } else if (inside) {
      blocks.back().push_back(*line);
    }
  }
  return blocks;
}

// The time that something took is not the same again.
std::string without_seconds(const std::string& text) {
  return std::regex_replace(text, std::regex(R"(in \d+ s)"), "in .. s");
}

// The first line that is not printed, behind those before it; "..." stands for any. "" if all are.
std::string not_printed(const std::vector<std::string>& lines, const std::string& output) {
  std::size_t from = 0;
  const std::string printed = "\n" + without_seconds(output);
  for (const std::string& line : lines) {
    if (line.ends_with("...")) continue;
    const std::size_t found = printed.find("\n" + without_seconds(line) + "\n", from);
    if (found == std::string::npos) return line;
    from = found + 1;
  }
  return "";
}

TEST_F(MineTest, PrintsWhatTheCoursePageShows) {
  make_mistake("31_gru_backward", "reset_path_dropped");
  const auto blocks = blocks_of("Your own code at work");
  ASSERT_EQ(blocks.size(), 2U);
  const Finished whole = mine({}, false);
  EXPECT_EQ(not_printed(blocks[0], whole.output), "") << whole.output;
  const Finished with = mine({"--with", "31"});
  EXPECT_EQ(not_printed(blocks[1], with.output), "") << with.output;
}

// Where nothing is compared any more, an exception ends the program.
TEST_F(MineTest, AnExceptionBehindTheTrainingNamesItsExercise) {
  solve([](const Exercise& exercise) { return exercise.number() != "40"; });
  const Exercise exercise = load_exercise("40_teacher_forcing");
  std::string answer = *exercise.source.with_mistakes({});
  const std::string first_line = "Tensor now = state;\n  std::int64_t right";
  answer.insert(answer.find(first_line), "throw std::runtime_error(\"enough\");\n  ");
  write_file(Desk(desk()).answer(exercise), answer);
  const Finished run = mine({"--with", "40"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.output, HasSubstr("The program ended in your 40 Teacher forcing: enough"));
}

// The check of 40 lets it pass, and the whole takes it as well.
TEST_F(MineTest, TheDecoderByItselfMayTakeOneSentenceAfterTheOther) {
  solve([](const Exercise& exercise) { return exercise.number() != "40"; });
  const Exercise exercise = load_exercise("40_teacher_forcing");
  std::string answer = *exercise.source.with_mistakes({});
  const std::string name = "double free_running_accuracy(";
  answer.replace(answer.find(name), name.size(), "static double of_one(");
  answer += R"(
double free_running_accuracy(const Decoder& decoder, const Tensor& state, const Tensor& out) {
  double right = 0.0;
  double all = 0.0;
  for (std::int64_t b = 0; b < out.size(0); ++b) {
    const Tensor its = out.narrow(0, b, 1);
    const double words = (its != padding).to(autograd::float64).sum().item();
    right += words * of_one(decoder, state.narrow(0, b, 1), its);
    all += words;
  }
  return right / all;
}
)";
  write_file(Desk(desk()).answer(exercise), answer);
  const Finished run = mine({"--with", "40"});
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_THAT(run.output, AllOf(HasSubstr("● 40"), HasSubstr("of all words are right")));
}

TEST_F(MineTest, EveryStageNamesItsPart) {
  struct Case {
    const char *exercise, *mistake, *says;
  };
  for (const Case& one : {Case{"07_order_and_accumulation", "overwritten", "the network's weights"},
                          Case{"09_twice_backward", "ascent", "the losses of three steps of training"},
                          Case{"12_elementwise", "mul_without_dy", "the gradient differs: source embedding"},
                          Case{"19_log_sum_exp", "max_path_added", "the gradient differs"},
                          Case{"26_sgd_and_clipping", "clip_always", "the losses of four steps of training"},
                          Case{"39_many_steps", "U_mean", "the gradient differs: attention: U"}}) {
    make_mistake(one.exercise, one.mistake);
    const std::string number = std::string(one.exercise).substr(0, 2);
    const Finished run = mine({"--with", number});
    EXPECT_EQ(run.exit_code, 1) << one.exercise;
    EXPECT_THAT(run.output, AllOf(HasSubstr(one.says), HasSubstr("in place of your " + number))) << one.exercise;
  }
}

// An exception, a wrong shape and a crash each name whose they are.
TEST_F(MineTest, ErrorsNameTheirExercise) {
  make_mistake("16_moving_data", "transpose_ignored");
  EXPECT_THAT(mine({"--with", "16"}).output, AllOf(HasSubstr("from exercise 16: a gradient has the shape"),
                                                   HasSubstr("place of your 16 Moving data")));
  solve([](const Exercise& exercise) { return exercise.number() != "25"; });
  const std::string answer = desk() + "/25_linear_layer.cpp";
  const std::string beginning =
      "#include \"given.h\"\n"
      "LinearGradients linear_backward(const Tensor& dy, const Tensor&, const Tensor&) {\n";
  EXPECT_THAT(mine({"--with", "25"}).output, HasSubstr("from exercise 25: this is still to be written"));
  write_file(answer, beginning + "  return {Tensor(*static_cast<Tensor*>(nullptr)), dy, dy};\n}\n");
  EXPECT_THAT(mine({"--with", "25"}).output, HasSubstr("The program crashed in your 25 Linear layer."));
  write_file(answer, beginning + "  return dy\n}\n");
  EXPECT_THAT(mine({"--with", "25"}).output, HasSubstr("your 25 does not compile: `./learn check 25` says why"));
}

TEST_F(MineTest, WhatWasChangedSinceItPassedIsCheckedAgain) {
  solve(all);
  write_file(desk() + "/25_linear_layer.cpp",
             "#include \"given.h\"\nLinearGradients linear_backward(const Tensor&, const Tensor&, const Tensor&) {\n"
             "  todo(\"again\");\n}\n");
  EXPECT_THAT(mine({}).output, AllOf(HasSubstr("○ 25"), HasSubstr("(changed since, and not right now)")));
}

TEST_F(MineTest, SaysWhatHasNoPart) {
  solve(all);
  const Finished run = mine({"--with", "37"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.output, HasSubstr("--with 37: nothing of that exercise is a part of the whole"));
}

TEST_F(MineTest, IsOfferedWhenTheLastPartIsPassed) {
  solve([](const Exercise& exercise) { return exercise.number() != "40"; });
  EXPECT_EQ(offer_of_mine(Progress::read(Desk(desk()))), "");
  solve(all);
  EXPECT_THAT(offer_of_mine(Progress::read(Desk(desk()))), HasSubstr("`learn mine`"));
}

}  // namespace course_mine_test
