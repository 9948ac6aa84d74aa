// `learn mine`: the learner's answers as one program. The folder is that of somebody who has written the solutions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "runner/mine/own_parts.h"
#include "runner/system/process.h"
#include "runner/text/lines.h"
#include "tests/exercises/runner/solved_desk.h"
#include "tests/support/golden.h"
#include "tests/support/pattern.h"
#include "tests/support/temporary_folder.h"

namespace course_mine_test {

using namespace learn;

using Mistakes = std::map<std::string, std::string>;  // by exercise

// One folder for all tests: what is compiled is not compiled again.
class MineTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { folder = new fixtures::TemporaryFolder(); }
  static void TearDownTestSuite() { delete folder; }

  static std::string path() { return *folder / "desk"; }
  static std::string answer(const std::string& exercise) {
    return Desk(path()).answer(load_exercise(find_exercise(exercise)));
  }

  static void solve(const std::function<bool(const Exercise&)>& is_passed) {
    std::filesystem::remove(Desk(path()).progress());
    make_solved_desk(path(), is_passed);
  }

  // Writes solutions with known mistakes in them ("": none). These count as not passed.
  static void solve_with(const Mistakes& mistakes) {
    solve([&](const Exercise& each) { return mistakes.count(each.id) == 0; });
    for (const auto& [exercise, mistake] : mistakes) {
      const std::vector<std::string> names = mistake.empty() ? std::vector<std::string>{} : std::vector{mistake};
      write_file(answer(exercise), *load_exercise(exercise).source.with_mistakes(names));
    }
  }

  static std::vector<OwnPart> parts(const std::vector<std::string>& with = {}) {
    const Desk desk(path());
    Progress progress = Progress::read(desk);
    return own_parts(desk, progress, with);
  }
  static auto count_yours(const std::vector<OwnPart>& all) {
    return std::count_if(all.begin(), all.end(), [](const OwnPart& one) { return !one.answer.empty(); });
  }

  static Finished mine(const std::vector<std::string>& with = {}, bool quick = true) {
    std::vector<std::string> command = {LEARN, "--dir", path(), "mine"};
    if (quick) command.push_back("--quick");
    for (const std::string& exercise : with) command.insert(command.end(), {"--with", exercise.substr(0, 2)});
    // What is freed is overwritten: who reads it all the same is seen.
    return run_process(
        command, {.seconds = 600.0, .environment = {"LC_ALL=C.UTF-8", "LEARN_NAME=./learn", "MALLOC_PERTURB_=165"}});
  }

  static inline fixtures::TemporaryFolder* folder = nullptr;
};

// Without what another processor may round in another way: numbers, pictures, translations.
std::string words_of(const Finished& run) {
  const std::string number = R"([+-]?\d+\.\d+(?:e-\d+)?|\d+ %)";
  const std::string changing = R"(·|░|▒|▓|█|->  |^ +step +\d)";
  std::string words;
  for (const std::string& line : lines_in(run.output)) {
    if (fixtures::matches(line, changing).empty()) words += fixtures::replace(line, number, "#") + "\n";
  }
  return words;
}

// Also an answer that has changed since it passed, and is right: the decoder by itself, one sentence after the other.
TEST_F(MineTest, AllOfItIsYours) {
  solve([](const Exercise&) { return true; });
  const std::string name = "double free_running_accuracy(";
  std::string changed = read_file(answer("41"));
  changed.replace(changed.find(name), name.size(), "static double of_one(");
  write_file(answer("41"), changed + R"(
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
)");
  EXPECT_EQ(count_yours(parts()), 33);
  const Finished run = mine();
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_GT(std::filesystem::file_size(path() + "/my_translator.svg"), 1000U);
  EXPECT_TRUE(fixtures::is_golden("course_mine_all", words_of(run)));
}

TEST_F(MineTest, WhatIsNotDoneIsTheLibrarys) {
  solve([](const Exercise& exercise) { return std::stoi(exercise.number()) % 2 == 0; });
  for (const OwnPart& part : parts()) {
    EXPECT_EQ(part.answer.empty(), std::stoi(part.exercise.number()) % 2 == 1) << part.exercise.id;
  }
  EXPECT_EQ(mine().exit_code, 0);
  solve([](const Exercise&) { return false; });
  EXPECT_EQ(count_yours(parts()), 0);
  EXPECT_EQ(mine().exit_code, 0);
}

// Each stage of the comparison names the answers that it is about.
TEST_F(MineTest, AWrongAnswerIsUsedIfAskedForAndNamed) {
  const Mistakes mistakes = {
      {"07_order_and_accumulation", "overwritten"}, {"08_twice_backward", "ascent"},
      {"11_elementwise", "mul_without_dy"},         {"21_log_sum_exp", "one_path_of_the_maximum"},
      {"20_sgd_and_clipping", "clip_always"},       {"39_many_steps", "U_mean"}};
  solve_with(mistakes);
  EXPECT_EQ(count_yours(parts()), 33 - 6);
  std::vector<std::string> with;
  for (const auto& [exercise, mistake] : mistakes) with.push_back(exercise);
  EXPECT_EQ(count_yours(parts(with)), 33);
  const Finished run = mine(with);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(fixtures::is_golden("course_mine_mistakes", words_of(run)));
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

// The first line that is not printed, behind those before it; "..." stands for any. "" if all are.
std::string not_printed(const std::vector<std::string>& lines, const std::string& output) {
  std::size_t from = 0;
  const std::string printed = "\n" + output;
  for (const std::string& line : lines) {
    if (line.ends_with("...")) continue;
    const std::size_t found = printed.find("\n" + line + "\n", from);
    if (found == std::string::npos) return line;
    from = found + 1;
  }
  return "";
}

TEST_F(MineTest, PrintsWhatTheCoursePageShows) {
  solve_with({{"29_gru_backward", "reset_path_dropped"}});
  const auto blocks = blocks_of("Your own code at work");
  ASSERT_EQ(blocks.size(), 2U);
  const Finished with = mine({"29"});
  EXPECT_EQ(with.exit_code, 1);
  EXPECT_EQ(not_printed(blocks[1], with.output), "") << with.output;
}

TEST_F(MineTest, TrainsToTheEndAsTheCoursePageShows) {
  if (std::getenv("TRAIN_TO_THE_END") == nullptr) GTEST_SKIP() << "it takes a minute and more: .ci/nightly";
  solve_with({{"29_gru_backward", "reset_path_dropped"}});
  const Finished whole = mine({}, false);
  EXPECT_EQ(whole.exit_code, 0);
  EXPECT_EQ(not_printed(blocks_of("Your own code at work").at(0), whole.output), "") << whole.output;
}

// A wrong shape, an exception, a crash and what does not compile: each names whose it is.
TEST_F(MineTest, ErrorsNameTheirExercise) {
  std::string said;
  const auto fails = [&](const std::string& exercise, int exit_code) {
    const Finished run = mine({exercise});
    EXPECT_EQ(run.exit_code, exit_code) << run.output;
    const std::string words = words_of(run);
    said += words.substr(words.find("A translator"));
  };
  solve_with({{"14_moving_data", "transpose_ignored"}});
  fails("14", 1);

  // Where nothing is compared any more, an exception ends the program.
  solve_with({{"41_teacher_forcing", ""}});
  std::string throwing = read_file(answer("41"));
  const std::string first_line = "Tensor now = state;\n  std::int64_t right";
  throwing.insert(throwing.find(first_line), "throw std::runtime_error(\"enough\");\n  ");
  write_file(answer("41"), throwing);
  fails("41", 1);

  solve([](const Exercise& exercise) { return exercise.number() != "19"; });
  fails("19", 1);  // the stub
  const std::string beginning =
      "#include \"given.h\"\n"
      "LinearGradients linear_backward(const Tensor& dy, const Tensor&, const Tensor&) {\n";
  write_file(answer("19"), beginning + "  return {Tensor(*static_cast<Tensor*>(nullptr)), dy, dy};\n}\n");
  fails("19", 128 + 11);
  write_file(answer("19"), beginning + "  return dy\n}\n");
  const Finished does_not_compile = mine({"19"});
  EXPECT_EQ(does_not_compile.exit_code, 1);
  EXPECT_TRUE(fixtures::is_golden("course_mine_errors", said + words_of(does_not_compile)));
}

TEST_F(MineTest, WhatWasChangedSinceItPassedIsCheckedAgain) {
  solve([](const Exercise&) { return true; });
  write_file(answer("19"),
             "#include \"given.h\"\nLinearGradients linear_backward(const Tensor&, const Tensor&, const Tensor&) {\n"
             "  todo(\"again\");\n}\n");
  EXPECT_EQ(count_yours(parts()), 32);
}

TEST_F(MineTest, RefusesWhatHasNoPart) {
  solve([](const Exercise&) { return true; });
  EXPECT_THROW(parts({"40"}), std::runtime_error);
}

TEST_F(MineTest, IsOfferedWhenTheLastPartIsPassed) {
  solve([](const Exercise& exercise) { return exercise.number() != "41"; });
  EXPECT_TRUE(offer_of_mine(Progress::read(Desk(path()))).empty());
  solve([](const Exercise&) { return true; });
  EXPECT_FALSE(offer_of_mine(Progress::read(Desk(path()))).empty());
}

}  // namespace course_mine_test
