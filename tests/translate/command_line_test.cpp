// What the program says is held word for word by tests/golden/translate_command_line.txt.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "examples/translate/commands/commands.h"
#include "tests/support/expect.h"
#include "tests/support/golden.h"
#include "tests/translate/run_fixtures.h"

namespace translate_command_line_test {

struct Outcome {
  int code;
  std::string output;
  std::string errors;

  std::ptrdiff_t lines() const { return std::count(output.begin(), output.end(), '\n'); }
};

Outcome run(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "translate");
  std::vector<const char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.code = translate::run_command_line(static_cast<int>(pointers.size()), pointers.data());
  outcome.output = testing::internal::GetCapturedStdout();
  outcome.errors = testing::internal::GetCapturedStderr();
  return outcome;
}

class CommandLine : public testing::Test {
 protected:
  // Twelve pairs of three words; one word, "wug", occurs only once.
  static void write_data(const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    std::string source;
    std::string target;
    for (int i = 0; i < 12; ++i) {
      source += fmt::format("the {} sleeps\n", i == 5 ? "wug" : i % 2 == 0 ? "dog" : "cat");
      target += fmt::format("{} schläft !\n", i == 5 ? "wug" : i % 2 == 0 ? "hund" : "katze");
    }
    for (const char* name : {"train", "val", "test"}) {
      fixtures::write(folder / fmt::format("{}.en", name), source);
      fixtures::write(folder / fmt::format("{}.de", name), target);
    }
  }

  void SetUp() override { write_data(folder_.path() / "data"); }

  std::string path(const std::string& name) const { return folder_ / name; }
  // A training that takes next to no time.
  std::vector<std::string> training(std::vector<std::string> more = {}) const {
    std::vector<std::string> all = {"train", "--data",   path("data"), "--out",   path("run"), "--dim",
                                    "4",     "--epochs", "1",          "--batch", "4"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  // The program ends with this code and one line, which is kept for the golden text.
  void refuses(const std::vector<std::string>& arguments, int code) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, code) << outcome.errors;
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
    EXPECT_TRUE(outcome.errors.starts_with("translate: ")) << outcome.errors;
    std::string said = outcome.errors;
    if (said.ends_with("--help lists the options\n")) return;  // CLI11's words
    const std::string folder = folder_.path().string();
    for (std::size_t at = said.find(folder); at != std::string::npos; at = said.find(folder)) {
      said.replace(at, folder.size(), "FOLDER");
    }
    said_ += said;
  }

  fixtures::TemporaryFolder folder_;
  std::string said_;
};

// ---- subcommands ---------------------------------------------------------------------------------------------

TEST_F(CommandLine, TrainsAndUsesAModel) {
  const Outcome trained = run(training());
  ASSERT_EQ(trained.code, 0) << trained.errors;
  EXPECT_EQ(trained.output, "");

  const Outcome measured = run({"eval", path("run"), "--out", path("kept")});
  EXPECT_EQ(measured.code, 0) << measured.errors;
  EXPECT_GT(measured.lines(), 10);
  const std::string kept = fixtures::content_of(path("kept/test.translated"));
  EXPECT_EQ(std::count(kept.begin(), kept.end(), '\n'), 12);

  fixtures::write(path("text"), "the dog sleeps\n\nthe wug sleeps\n");
  const Outcome translated = run({"translate", path("run"), path("text"), "--beam", "3"});
  EXPECT_EQ(translated.code, 0) << translated.errors;
  EXPECT_EQ(translated.lines(), 3);
  EXPECT_EQ(translated.errors, "not known: wug\n");

  const Outcome aligned = run({"align", path("run")});
  EXPECT_EQ(aligned.code, 0) << aligned.errors;
  EXPECT_EQ(std::count(aligned.output.begin(), aligned.output.end(), '-'), 15);  // five sentences, three links each
  EXPECT_EQ(run({"align", path("run"), "--sentences", "1", "--out", path("pictures")}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(path("pictures/alignment-1.svg")));
  fixtures::write(path("pairs"), "the dog sleeps\thund schläft\n");
  EXPECT_EQ(run({"align", path("run"), path("pairs")}).code, 0);
}

TEST_F(CommandLine, ResumesWithTheOptionsOfTheRun) {
  ASSERT_EQ(run(training()).code, 0);
  const std::string before = fixtures::content_of(path("run/checkpoint.safetensors"));
  EXPECT_EQ(run({"train", "--out", path("run"), "--resume"}).code, 0);
  EXPECT_TRUE(fixtures::content_of(path("run/checkpoint.safetensors")) == before);  // nothing was left to do
  EXPECT_EQ(run({"train", "--out", path("run"), "--resume", "--epochs", "2"}).code, 0);
  EXPECT_FALSE(fixtures::content_of(path("run/checkpoint.safetensors")) == before);
  std::filesystem::rename(path("data"), path("moved"));
  refuses({"train", "--out", path("run"), "--resume"}, 1);
  EXPECT_EQ(run({"train", "--out", path("run"), "--resume", "--data", path("moved")}).code, 0);
  EXPECT_EQ(run({"eval", path("run"), "--data", path("moved")}).code, 0);
}

TEST_F(CommandLine, SeveralRunsTranslateTogether) {
  ASSERT_EQ(run(training()).code, 0);
  ASSERT_EQ(run(training({"--out", path("second"), "--seed", "2"})).code, 0);
  ASSERT_EQ(run(training({"--out", path("third"), "--model", "transformer", "--heads", "2"})).code, 0);
  const Outcome alone = run({"eval", path("run")});
  EXPECT_EQ(run({"eval", path("run"), "--with", path("run")}).output, alone.output);
  const Outcome three = run({"eval", path("run"), "--with", path("second"), "--with", path("third"), "--beam", "2"});
  EXPECT_EQ(three.code, 0) << three.errors;
  for (const char* other : {"second", "third"}) {
    EXPECT_NE(run({"eval", path("run"), "--with", path(other), "--beam", "2"}).output, three.output);
  }
  const Outcome translated =
      run({"translate", path("run"), "--with", path("second"), "--with", path("third"), path("data/test.en")});
  EXPECT_EQ(translated.code, 0) << translated.errors;
  EXPECT_EQ(translated.lines(), 12);
  ASSERT_EQ(run(training({"--out", path("pieces"), "--bpe", "5"})).code, 0);
  const Outcome refused = run({"eval", path("run"), "--with", path("second"), "--with", path("pieces")});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(fixtures::mentions(refused.errors, {path("run"), path("pieces")}));
}

TEST_F(CommandLine, HelpIsNoError) {
  for (const char* command : {"train", "translate", "eval", "align", "experiment"}) {
    const Outcome help = run({command, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_GT(help.lines(), 3);
  }
  EXPECT_EQ(run({"--help"}).code, 0);
  EXPECT_EQ(run({"experiment"}).lines(), 7);
}

// ---- mistakes ------------------------------------------------------------------------------------------------

TEST_F(CommandLine, MistakesAreOneLine) {
  refuses({}, 2);
  refuses({"trian"}, 2);
  const std::vector<std::vector<std::string>> options = {{"--dimension", "4"},
                                                         {"--lr", "fast"},
                                                         {"--lr", "nan"},
                                                         {"--lr", "-1"},
                                                         {"--clip", "0"},
                                                         {"--attention", "magic"},
                                                         {"--model", "magic"},
                                                         {"--layers", "0"},
                                                         {"--layers", "65"},
                                                         {"--layers", "1.5"},
                                                         {"--layers", "99999999999999999999"},
                                                         {"--dropout", "1"},
                                                         {"--teacher-forcing", "1.5"},
                                                         {"--save-every", "0"},
                                                         {"--seed", "-1"},
                                                         {"--model", "vanilla", "--attention", "dot"},
                                                         {"--model", "transformer", "--heads", "3"},
                                                         {"--coverage-loss", "1"},
                                                         {"--pairs", "7"},
                                                         {"--recipe", "cake"},
                                                         {"--tying", "target"},
                                                         {"--conditional", "--input-feeding"},
                                                         {"--recipe", "lium-gru", "--resume"},
                                                         {"--resume", "--force"}};
  for (const std::vector<std::string>& wrong : options) refuses(training(wrong), 2);
  refuses({"train", "--out", path("run"), "--min-frequency", "3"}, 2);  // does nothing without --data
  refuses({"train", "--data", "", "--out", path("run")}, 2);            // a variable that is not set
  EXPECT_FALSE(std::filesystem::exists(path("run")));
  refuses(training({"--min-frequency", "13"}), 2);
  refuses({"translate", path("none")}, 1);
  refuses({"eval", path("data")}, 1);
  refuses({"train", "--data", path("none"), "--out", path("run")}, 1);
  refuses({"train", "--out", path("data/train.en/run")}, 1);
  refuses({"train", "--resume", "--out", path("data")}, 1);
  ASSERT_EQ(run(training()).code, 0);
  refuses(training(), 1);
  refuses(training({"--resume", "--dim", "8"}), 2);
  refuses({"translate", path("run"), path("none")}, 1);
  refuses({"translate", path("run"), path("data/train.en"), "--beam", "0"}, 2);
  refuses({"eval", path("run"), "--with", path("none")}, 1);
  ASSERT_EQ(run(training({"--out", path("rare"), "--min-frequency", "1"})).code, 0);
  refuses({"eval", path("run"), "--with", path("rare")}, 2);
  refuses({"align", path("run"), "--sentences", "0"}, 2);
  fixtures::write(path("latin1"), "caf\xe9\n");
  refuses({"translate", path("run"), path("latin1")}, 1);
  fixtures::write(path("pairs"), "the dog\tder hund\nthe dog\t\n");
  refuses({"align", path("run"), path("pairs")}, 1);
  std::string long_line = "dog";
  for (int i = 0; i < 2000; ++i) long_line += " dog";
  fixtures::write(path("long"), "the dog\n" + long_line + "\n");
  refuses({"translate", path("run"), path("long")}, 1);
  fixtures::write(path("data/val.de"), fixtures::content_of(path("data/train.en")));
  refuses({"train", "--out", path("run"), "--resume"}, 1);
  std::filesystem::copy_file(path("run/checkpoint.safetensors"), path("run/best.safetensors"),
                             std::filesystem::copy_options::overwrite_existing);
  refuses({"eval", path("run")}, 1);
  EXPECT_TRUE(fixtures::is_golden("translate_command_line", said_));
}

TEST_F(CommandLine, ATerminalIsSafe) {
  ASSERT_EQ(run(training()).code, 0);
  fixtures::write(path("escape"), "the \x1b]0;x\x07 dog\n");
  const Outcome outcome = run({"translate", path("run"), path("escape")});
  EXPECT_EQ((outcome.output + outcome.errors).find_first_of("\x1b\x07"), std::string::npos);
}

TEST_F(CommandLine, AModelWithoutAttentionHasNothingToAlign) {
  ASSERT_EQ(run(training({"--model", "vanilla"})).code, 0);
  EXPECT_EQ(run({"eval", path("run")}).code, 0);
  refuses({"align", path("run")}, 2);
}

TEST_F(CommandLine, NaNIsAnErrorAfterWhichOneCanGoOn) {
  EXPECT_EQ(run(training({"--lr", "1e30"})).code, 1);
  EXPECT_EQ(run({"train", "--out", path("run"), "--resume", "--lr", "0.001"}).code, 0);
}

// ---- the program itself ----------------------------------------------------------------------------------------

TEST_F(CommandLine, TextsMayComeFromPipes) {
  ASSERT_EQ(run(training()).code, 0);
  for (const char* file : {"-", "/dev/stdin", ""}) {
    const std::string command = fmt::format("echo the dog sleeps | '{}' translate '{}' {} > '{}' 2> /dev/null",
                                            TRANSLATE, path("run"), file, path("out"));
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 0) << file;
    const std::string translations = fixtures::content_of(path("out"));
    EXPECT_EQ(std::count(translations.begin(), translations.end(), '\n'), 1) << file;
  }
}

TEST_F(CommandLine, GoesOnWhenNobodyCanBeTold) {
  const auto shell = [this](const std::string& name, const std::string& streams) {
    std::string command = std::string("'") + TRANSLATE + "'";
    for (const std::string& argument : training({"--force"})) command += " '" + argument + "'";
    return WEXITSTATUS(std::system(fmt::format("{} --out '{}' {}", command, path(name), streams).c_str()));
  };
  EXPECT_EQ(shell("told", "2> /dev/null"), 0);
  EXPECT_EQ(shell("untold", "2> /dev/full"), 0);
  EXPECT_TRUE(fixtures::content_of(path("untold/checkpoint.safetensors")) ==
              fixtures::content_of(path("told/checkpoint.safetensors")));
  const std::string translating =
      fmt::format("'{}' translate '{}' '{}' > /dev/full 2> /dev/null", TRANSLATE, path("told"), path("data/train.en"));
  EXPECT_EQ(WEXITSTATUS(std::system(translating.c_str())), 1);
}

// A file that outgrows its limit raises SIGXFSZ, which would end the program without a word.
TEST_F(CommandLine, AFileThatMayNotGrowIsAnErrorAndNothingIsLost) {
  ASSERT_EQ(run(training()).code, 0);
  std::filesystem::copy(path("run"), path("undisturbed"));
  const auto go_on = [this](const std::string& before, const std::string& name) {
    const int status = std::system(
        fmt::format("{} '{}' train --out '{}' --resume --epochs 2 2> /dev/null", before, TRANSLATE, path(name))
            .c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  const std::string before = fixtures::content_of(path("run/checkpoint.safetensors"));
  EXPECT_EQ(go_on("ulimit -f 8;", "run"), 1);  // 8 blocks of 512 bytes
  EXPECT_TRUE(fixtures::content_of(path("run/checkpoint.safetensors")) == before);
  EXPECT_EQ(go_on("", "run"), 0);
  EXPECT_EQ(go_on("", "undisturbed"), 0);
  EXPECT_TRUE(fixtures::content_of(path("run/checkpoint.safetensors")) ==
              fixtures::content_of(path("undisturbed/checkpoint.safetensors")));
}

}  // namespace translate_command_line_test
