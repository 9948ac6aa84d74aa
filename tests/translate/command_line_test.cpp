#include "examples/translate/commands/command_line.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/support/expect.h"
#include "tests/translate/run_fixtures.h"

namespace translate_command_line_test {

struct Outcome {
  int code;
  std::string output;
  std::string errors;
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

// Checks that the program ended with this code and one line that mentions all these parts.
testing::AssertionResult refuses(const std::vector<std::string>& arguments, int code,
                                 const std::vector<std::string>& parts) {
  const Outcome outcome = run(arguments);
  if (outcome.code != code) return testing::AssertionFailure() << "code " << outcome.code << ": " << outcome.errors;
  const auto lines = std::count(outcome.errors.begin(), outcome.errors.end(), '\n');
  if (lines != 1 || !outcome.errors.starts_with("translate: ")) {
    return testing::AssertionFailure() << "not one line: " << outcome.errors;
  }
  return fixtures::mentions(outcome.errors, parts);
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

  fixtures::TemporaryFolder folder_;
};

// ---- subcommands ---------------------------------------------------------------------------------------------

TEST_F(CommandLine, TrainsAndUsesAModel) {
  const Outcome trained = run(training());
  ASSERT_EQ(trained.code, 0) << trained.errors;
  EXPECT_TRUE(fixtures::mentions(trained.errors, {"12 pairs", "epoch 1/1", "perplexity", "best.safetensors"}));
  EXPECT_EQ(trained.output, "");

  const Outcome measured = run({"eval", path("run"), "--out", path("kept")});
  EXPECT_EQ(measured.code, 0) << measured.errors;
  EXPECT_TRUE(
      fixtures::mentions(measured.output, {"test, greedy, 12 sentences", "perplexity", "BLEU", "short (< 10)"}));
  const std::string kept = fixtures::content_of(path("kept/test.translated"));
  EXPECT_EQ(std::count(kept.begin(), kept.end(), '\n'), 12);

  fixtures::write(path("text"), "the dog sleeps\n\nthe wug sleeps\n");
  const Outcome translated = run({"translate", path("run"), path("text")});
  EXPECT_EQ(translated.code, 0) << translated.errors;
  EXPECT_EQ(std::count(translated.output.begin(), translated.output.end(), '\n'), 3);
  EXPECT_TRUE(fixtures::mentions(translated.errors, {"not known: wug"}));
  const Outcome several = run({"translate", path("run"), path("text"), "--beam", "3", "--n-best", "2"});
  EXPECT_TRUE(fixtures::mentions(several.output, {"1\t-", "3\t-"})) << several.output;

  const Outcome aligned = run({"align", path("run"), "--links"});
  EXPECT_EQ(aligned.code, 0) << aligned.errors;
  EXPECT_EQ(std::count(aligned.output.begin(), aligned.output.end(), '\n'), 5);
  EXPECT_EQ(std::count(aligned.output.begin(), aligned.output.end(), '-'), 15);
  const Outcome drawn = run({"align", path("run"), "--sentences", "1", "--out", path("pictures")});
  EXPECT_TRUE(fixtures::mentions(drawn.output, {"hund schläft !", "alignment-1.svg"}));
  EXPECT_TRUE(std::filesystem::exists(path("pictures/alignment-1.svg")));
  fixtures::write(path("pairs"), "the dog sleeps\thund schläft\n");
  const Outcome forced = run({"align", path("run"), path("pairs"), "--links"});
  EXPECT_EQ(std::count(forced.output.begin(), forced.output.end(), '-'), 2) << forced.output;
}

TEST_F(CommandLine, ResumesWithTheOptionsOfTheRun) {
  ASSERT_EQ(run(training()).code, 0);
  EXPECT_EQ(run({"train", "--out", path("run"), "--resume"}).code, 0);
  const Outcome more = run({"train", "--out", path("run"), "--resume", "--epochs", "2"});
  EXPECT_EQ(more.code, 0) << more.errors;
  EXPECT_TRUE(fixtures::mentions(more.errors, {"going on after update 3", "epoch 2/2"}));
  std::filesystem::rename(path("data"), path("moved"));
  EXPECT_TRUE(refuses({"train", "--out", path("run"), "--resume"}, 1, {path("data")}));
  EXPECT_EQ(run({"train", "--out", path("run"), "--resume", "--data", path("moved")}).code, 0);
}

TEST_F(CommandLine, HelpIsNoError) {
  for (const char* command : {"train", "translate", "eval", "align", "experiment"}) {
    const Outcome help = run({command, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_TRUE(fixtures::mentions(help.output, {command, "--"}));
  }
  EXPECT_EQ(run({"--help"}).code, 0);
}

// ---- mistakes ------------------------------------------------------------------------------------------------

TEST_F(CommandLine, MistakesInOptionsAreOneLineAndLeaveNothing) {
  EXPECT_TRUE(refuses({}, 2, {"subcommands", "--help"}));
  EXPECT_TRUE(refuses({"trian"}, 2, {"trian"}));
  EXPECT_TRUE(refuses(training({"--dimension", "4"}), 2, {"--dimension"}));
  EXPECT_TRUE(refuses(training({"--lr", "fast"}), 2, {"--lr", "fast"}));
  EXPECT_TRUE(refuses(training({"--attention", "magic"}), 2, {"magic", "additive, concat, dot"}));
  EXPECT_TRUE(refuses(training({"--model", "magic"}), 2, {"attention, vanilla, transformer"}));
  EXPECT_TRUE(refuses(training({"--cell", "rnn"}), 2, {"gru, lstm"}));
  EXPECT_TRUE(refuses(training({"--output", "rnn"}), 2, {"linear, state_and_context, maxout"}));
  EXPECT_TRUE(refuses(training({"--layers", "0"}), 2, {"--layers", "from 1 to 64"}));
  EXPECT_TRUE(refuses(training({"--dropout", "1"}), 2, {"--dropout"}));
  EXPECT_TRUE(refuses(training({"--clip", "0"}), 2, {"--clip", "greater than 0"}));
  for (const char* lr : {"-1", "0", "inf", "nan"}) {
    EXPECT_TRUE(refuses(training({"--lr", lr}), 2, {"--lr", "a finite number greater than 0"}));
  }
  EXPECT_TRUE(refuses(training({"--teacher-forcing", "1.5"}), 2, {"--teacher-forcing", "from 0 to 1"}));
  EXPECT_TRUE(refuses(training({"--save-every", "0"}), 2, {"--save-every"}));
  EXPECT_TRUE(refuses(training({"--model", "vanilla", "--attention", "dot"}), 2, {"--attention", "vanilla"}));
  EXPECT_TRUE(refuses(training({"--model", "transformer", "--heads", "3"}), 2, {"--heads"}));
  EXPECT_TRUE(refuses(training({"--resume", "--force"}), 2, {"--resume", "--force"}));
  EXPECT_FALSE(std::filesystem::exists(path("run")));
}

TEST_F(CommandLine, NumbersAreReadAsTheyAre) {
  const std::vector<const char*> numbers = {"layers",        "dim",       "epochs",    "batch",
                                            "min-frequency", "max-words", "save-every"};
  for (const std::string name : numbers) {
    for (const char* text : {"99999999999999999999", "", "1.5", "-99999999999999999999", "3x"}) {
      EXPECT_TRUE(refuses(training({"--" + name, text}), 2, {"--" + name, "a whole number"})) << text;
    }
  }
  EXPECT_TRUE(refuses(training({"--seed", "-1"}), 2, {"--seed", "from 0"}));
  EXPECT_TRUE(refuses({"experiment", "length", "--seed", "-1", "--quick"}, 2, {"--seed", "from 0"}));
  EXPECT_TRUE(refuses(training({"--lr", ""}), 2, {"--lr", "a number"}));
  EXPECT_TRUE(refuses(training({"--layers", "65"}), 2, {"--layers", "from 1 to 64"}));
  EXPECT_TRUE(refuses(training({"--dim", "100000"}), 2, {"--dim", "16384"}));
  EXPECT_TRUE(refuses(training({"--coverage-loss", "1e38"}), 2, {"--coverage-loss", "from 0 to"}));
  const std::string run_folder = path("run");
  EXPECT_TRUE(refuses({"train", "--out", run_folder, "--pairs", "100000000"}, 2, {"--pairs", "10000000"}));
  EXPECT_TRUE(refuses({"train", "--out", run_folder, "--clauses", "100000"}, 2, {"--clauses", "1000"}));
  EXPECT_FALSE(std::filesystem::exists(run_folder));
}

TEST_F(CommandLine, OptionsThatDoNothingAreRefused) {
  for (const char* flag : {"--no-agreement", "--documents"}) {
    EXPECT_TRUE(refuses(training({flag}), 2, {flag, "with --data"}));
  }
  for (const char* name : {"--pairs", "--clauses", "--data-seed"}) {
    EXPECT_TRUE(refuses(training({name, "7"}), 2, {name, "with --data"}));
  }
  EXPECT_TRUE(
      refuses({"train", "--out", path("run"), "--min-frequency", "3"}, 2, {"--min-frequency", "without --data"}));
  for (const char* name : {"--source-language", "--target-language"}) {
    EXPECT_TRUE(refuses({"train", "--out", path("run"), name, "fr"}, 2, {name, "without --data"}));
  }
  EXPECT_TRUE(refuses(training({"--coverage-loss", "1"}), 2, {"--coverage-loss", "--attention coverage"}));
}

TEST_F(CommandLine, AVariableThatIsNotSetIsNoFolder) {
  EXPECT_TRUE(refuses({"train", "--data", "", "--out", path("run")}, 2, {"--data", "empty"}));
  EXPECT_EQ(run({"train", "--out", path("run"), "--data="}).code, 2);
  EXPECT_TRUE(refuses({"train", "--out", ""}, 2, {"--out", "empty"}));
  EXPECT_TRUE(refuses({"eval", path("run"), "--data", ""}, 2, {"--data", "empty"}));
  EXPECT_TRUE(refuses({"experiment", "length", "--data", ""}, 2, {"--data", "empty"}));
}

TEST_F(CommandLine, WordsThatAreAllRareAreRefused) {
  EXPECT_TRUE(refuses(training({"--min-frequency", "13"}), 2, {"--min-frequency is 13", "no word of train.en"}));
  EXPECT_FALSE(std::filesystem::exists(path("run")));
  EXPECT_TRUE(fixtures::mentions(run(training({"--min-frequency", "2"})).errors, {"4 and 4 words known"}));
}

TEST_F(CommandLine, VeryLongPairsAreLeftOutOfTraining) {
  std::string source = fixtures::content_of(path("data/train.en"));
  std::string target = fixtures::content_of(path("data/train.de"));
  for (int i = 0; i < 251; ++i) source += "dog ";
  fixtures::write(path("data/train.en"), source + "\n");
  fixtures::write(path("data/train.de"), target + "hund\n");
  const std::string note = "1 pair is left out: more than 250 words (the first one: line 13 of train)";
  EXPECT_TRUE(fixtures::mentions(run(training()).errors, {note, "12 pairs"}));
  const Outcome all = run(training({"--force", "--max-words", "0"}));
  EXPECT_TRUE(fixtures::mentions(all.errors, {"13 pairs"}));
  EXPECT_FALSE(fixtures::mentions(all.errors, {"left out"}));
  EXPECT_TRUE(refuses(training({"--force", "--max-words", "2"}), 1, {"13 pairs are left out", "--max-words"}));
}

TEST_F(CommandLine, AFinishedTrainingSaysHowToGoOn) {
  ASSERT_EQ(run(training()).code, 0);
  EXPECT_TRUE(fixtures::mentions(run({"train", "--out", path("run"), "--resume"}).errors,
                                 {"Nothing was left to do", "--epochs 2", "Trained: 3 updates"}));
}

TEST_F(CommandLine, TextsMayComeFromPipesAndBeAwkward) {
  ASSERT_EQ(run(training()).code, 0);
  const std::string program = std::string("'") + TRANSLATE + "'";
  const std::string folder = path("run");
  const auto shell = [](const std::string& command) { return WEXITSTATUS(std::system(command.c_str())); };
  const std::string to = " > " + path("out") + " 2> " + path("errors");
  for (const char* file : {"-", "/dev/stdin", ""}) {
    EXPECT_EQ(shell(fmt::format("echo the dog sleeps | {} translate {} {} {}", program, folder, file, to)), 0) << file;
    const std::string translations = fixtures::content_of(path("out"));
    EXPECT_EQ(std::count(translations.begin(), translations.end(), '\n'), 1) << file;
  }
  fixtures::write(path("pairs"), "the dog\tder hund\nthe dog\t\n");
  EXPECT_TRUE(
      refuses({"align", path("run"), path("pairs"), "--out", path("pictures")}, 1, {"line 2", "after the tab"}));
  fixtures::write(path("pairs"), "\tder hund\n");
  EXPECT_TRUE(refuses({"align", path("run"), path("pairs")}, 1, {"line 1", "before the tab"}));
  std::string long_line = "dog";
  for (int i = 0; i < 2000; ++i) long_line += " dog";
  fixtures::write(path("long"), "the dog\n" + long_line + "\n");
  EXPECT_TRUE(refuses({"translate", path("run"), path("long")}, 1, {"line 2", "2001 words"}));
  fixtures::write(path("escape"), "the \x1b]0;x\x07 dog\n");
  EXPECT_TRUE(fixtures::mentions(run({"translate", path("run"), path("escape")}).errors, {"not known", "␛", "␇"}));
}

TEST_F(CommandLine, SettingsOfTheSearchAreChecked) {
  ASSERT_EQ(run(training()).code, 0);
  const std::string text = path("data/train.en");
  EXPECT_TRUE(refuses({"translate", path("run"), text, "--length-penalty", "-1"}, 2, {"--length-penalty", "from 0"}));
  EXPECT_TRUE(refuses({"translate", path("run"), text, "--length-penalty", "nan"}, 2, {"--length-penalty"}));
  EXPECT_TRUE(refuses({"translate", path("run"), text, "--max-length", "10001"}, 2, {"--max-length", "10000"}));
  const Outcome outcome = run({"eval", path("run"), "--out", text});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.output, "");  // before anything is measured
}

TEST_F(CommandLine, GoesOnWhenNobodyCanBeTold) {
  const auto shell = [this](const std::string& name, const std::string& streams) {
    std::string command = std::string("'") + TRANSLATE + "'";
    for (const std::string& argument : training({"--force"})) command += " '" + argument + "'";
    return WEXITSTATUS(std::system(fmt::format("{} --out '{}' {}", command, path(name), streams).c_str()));
  };
  EXPECT_EQ(shell("told", "2> /dev/null"), 0);
  const std::string expected = fixtures::content_of(path("told/checkpoint.safetensors"));
  EXPECT_NE(expected, "");
  for (const char* streams : {"2> /dev/full", "2>&-", "<&- >&- 2>&-", ">&-"}) {
    EXPECT_EQ(shell("untold", streams), 0) << streams;
    EXPECT_TRUE(fixtures::content_of(path("untold/checkpoint.safetensors")) == expected) << streams;
  }
  const std::string translating = fmt::format("'{}' translate '{}' '{}' >&- 2> '{}'", TRANSLATE, path("told"),
                                              path("data/train.en"), path("errors"));
  EXPECT_EQ(WEXITSTATUS(std::system(translating.c_str())), 1);
  EXPECT_TRUE(fixtures::mentions(fixtures::content_of(path("errors")), {"translate: "}));
}

// A file that outgrows its limit raises SIGXFSZ, which would end the program without a word.
TEST_F(CommandLine, AFileThatMayNotGrowIsAnErrorAndNothingIsLost) {
  ASSERT_EQ(run(training()).code, 0);
  std::filesystem::copy(path("run"), path("undisturbed"));
  const auto go_on = [this](const std::string& before, const std::string& name) {
    const int status = std::system(fmt::format("{} '{}' train --out '{}' --resume --epochs 2 2> '{}'", before,
                                               TRANSLATE, path(name), path("errors"))
                                       .c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  const std::string before = fixtures::content_of(path("run/checkpoint.safetensors"));
  EXPECT_EQ(go_on("ulimit -f 8;", "run"), 1);  // 8 blocks of 512 bytes
  EXPECT_TRUE(
      fixtures::mentions(fixtures::content_of(path("errors")),
                         {"was not written: after 4096 bytes: File too large", "files here end at 4096 bytes"}));
  EXPECT_TRUE(fixtures::content_of(path("run/checkpoint.safetensors")) == before);
  EXPECT_EQ(go_on("", "run"), 0);
  EXPECT_EQ(go_on("", "undisturbed"), 0);
  EXPECT_TRUE(fixtures::content_of(path("run/checkpoint.safetensors")) ==
              fixtures::content_of(path("undisturbed/checkpoint.safetensors")));
}

TEST_F(CommandLine, MistakesWithFilesAreOneLine) {
  EXPECT_TRUE(refuses({"translate", path("none")}, 1, {"no folder", path("none")}));
  EXPECT_TRUE(refuses({"eval", path("data")}, 1, {"no trained model"}));
  EXPECT_TRUE(refuses({"align", path("data/train.en")}, 1, {"not a folder"}));
  EXPECT_TRUE(refuses({"train", "--data", path("none"), "--out", path("run")}, 1, {path("none")}));
  EXPECT_TRUE(refuses({"train", "--out", path("data/train.en/run")}, 1, {"--out"}));
  EXPECT_TRUE(refuses({"train", "--resume", "--out", path("data")}, 1, {"checkpoint.safetensors"}));
  ASSERT_EQ(run(training()).code, 0);
  EXPECT_TRUE(refuses(training(), 1, {"already", "--resume", "--force"}));
  EXPECT_TRUE(refuses(training({"--resume", "--dim", "8"}), 2, {"--dim 8 (4 there)"}));
  EXPECT_TRUE(refuses({"translate", path("run"), path("none")}, 1, {path("none")}));
  EXPECT_TRUE(refuses({"translate", path("run"), path("data/train.en"), "--beam", "0"}, 2, {"--beam"}));
  EXPECT_TRUE(refuses({"translate", path("run"), path("data/train.en"), "--n-best", "2"}, 2, {"--n-best"}));
  EXPECT_TRUE(refuses({"eval", path("run"), "--text", "test2099"}, 2, {"test2099", "val, test"}));
  EXPECT_TRUE(refuses({"align", path("run"), "--sentences", "0"}, 2, {"--sentences"}));
  fixtures::write(path("latin1"), "caf\xe9\n");
  EXPECT_TRUE(refuses({"translate", path("run"), path("latin1")}, 1, {"UTF-8"}));
}

TEST_F(CommandLine, OtherDataAreRefused) {
  ASSERT_EQ(run(training()).code, 0);
  fixtures::write(path("data/val.de"), fixtures::content_of(path("data/train.en")));
  EXPECT_TRUE(refuses({"train", "--out", path("run"), "--resume"}, 1, {"other data", path("data")}));
}

TEST_F(CommandLine, AFileOfAnotherProgramIsNoModel) {
  ASSERT_EQ(run(training()).code, 0);
  fixtures::write(path("run/best.safetensors"), "not a model");
  EXPECT_TRUE(refuses({"eval", path("run")}, 1, {"best.safetensors"}));
  std::filesystem::copy_file(path("run/checkpoint.safetensors"), path("run/best.safetensors"),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_TRUE(refuses({"eval", path("run")}, 1, {"not a trained model", "checkpoint"}));
}

TEST_F(CommandLine, AModelWithoutAttentionHasNothingToAlign) {
  ASSERT_EQ(run(training({"--model", "vanilla"})).code, 0);
  EXPECT_EQ(run({"eval", path("run")}).code, 0);
  EXPECT_TRUE(refuses({"align", path("run")}, 2, {"no attention"}));
}

TEST_F(CommandLine, NaNSaysWhereItBegan) {
  const Outcome outcome = run(training({"--lr", "1e30"}));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(fixtures::mentions(outcome.errors, {"translate: the loss is nan at epoch 1, update 2", "Where it began"}))
      << outcome.errors;
}

}  // namespace translate_command_line_test
