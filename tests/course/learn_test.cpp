// The program `learn` itself, started as a learner starts it, on two small exercises (exercises/).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <thread>

#include "runner/course/settings.h"
#include "runner/system/files.h"
#include "runner/system/process.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/terminal.h"

namespace course_learn_test {

using namespace learn;
using nlohmann::json;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

constexpr const char* twice = R"(#include "given.h"

double twice(double x) {{
  return {};
}}
)";

std::string twice_as(const std::string& expression) {
  return fmt::format(fmt::runtime(twice), expression);
}

// A course of our own: the exercises here, compiled into a cache that the next test finds again.
class LearnTest : public testing::Test {
 protected:
  LearnTest() { use(COURSE_TESTS "/exercises"); }

  // The settings of this build, with other exercises.
  void use(const std::string& exercises) {
    json settings = json::parse(read_file(BACKSTEP_BUILD "/exercises/runner/settings.json"));
    settings["exercises"] = exercises;
    settings["cache"] = COURSE_CACHE;
    write_file(folder / "settings.json", settings.dump());
  }

  ProcessOptions options(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> environment{"LEARN_SETTINGS=" + folder / "settings.json", "COLUMNS=100", "LC_ALL=C.UTF-8"};
    environment.insert(environment.end(), more.begin(), more.end());
    return {.seconds = 120.0, .environment = std::move(environment)};
  }

  // In the desk, unless it says otherwise.
  Finished learn(std::vector<std::string> arguments, const std::vector<std::string>& environment = {}) const {
    arguments.insert(arguments.begin(), LEARN);
    ProcessOptions with = options(environment);
    if (exists(desk)) with.folder = desk;
    return run_process(arguments, with);
  }

  std::string started() const { return learn({"start", desk}).output; }
  void write(const std::string& text) const { write_file(answer, text); }
  // Goes through the steps of a row_sums() with this body; the commands are words.
  Finished step_row_sums(const std::string& body, const std::string& commands) const {
    started();
    write_file(desk + "/02_row_sums.cpp",
               "#include \"given.h\"\n\nTensor row_sums(const Tensor& x) {\n" + body + "}\n");
    return run_process({"/bin/sh", "-c", "printf '%s\\n' " + commands + " | " LEARN " step 2 --dir " + desk},
                       options());
  }
  std::string state() const { return desk + "/.learn/state.json"; }

  fixtures::TemporaryFolder folder;
  const std::string desk = folder / "desk";
  const std::string answer = desk + "/01_twice.cpp";
};

TEST_F(LearnTest, FromTheFirstFailureToAllPassed) {
  const std::string first = started();
  EXPECT_THAT(first, AllOf(HasSubstr("2 exercises are in " + desk), HasSubstr("01 · Twice"), HasSubstr("0 of 2 passed"),
                           HasSubstr("Two times a number, for tests."), HasSubstr("not written yet"),
                           HasSubstr("to be written: twice: x times two")));
  for (const char* const file : {"01_twice.cpp", "02_row_sums.md", "compile_commands.json", "learn", "README.md",
                                 ".gitignore", ".vscode/tasks.json", ".learn/base/01_twice.cpp"}) {
    EXPECT_TRUE(exists(desk + "/" + file)) << file;
  }
  EXPECT_THAT(read_file(desk + "/01_twice.md"), HasSubstr("](" COURSE_TESTS "/docs/README.md)"));

  write(twice_as("x * x"));
  const Finished wrong = learn({"check", "1"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.output,
              AllOf(HasSubstr("not right yet"), HasSubstr("twice 3"),
                    HasSubstr("? Is that also right for a number other than 2?"), Not(HasSubstr("squared"))));
  EXPECT_THAT(learn({"why"}).output, AllOf(HasSubstr("squared"), HasSubstr("because x * x is 2 x for 2 and 0 only.")));
  EXPECT_THAT(learn({"hint", "1"}).output, AllOf(HasSubstr("? Is that also right"), HasSubstr("Hint 1 of 4")));
  EXPECT_THAT(learn({"hint", "1"}).output, AllOf(HasSubstr("Hint 2 of 4"), HasSubstr("Adding.")));
  EXPECT_THAT(learn({"hint", "1", "4"}).output, HasSubstr("return x + x;"));
  EXPECT_EQ(learn({"solution", "1"}).exit_code, 1);
  EXPECT_THAT(learn({"list"}).output, AllOf(HasSubstr("01   Twice"), HasSubstr("tried"), HasSubstr("★ Row sums")));

  write(twice_as("x + x"));
  const Finished passed = learn({});
  EXPECT_EQ(passed.exit_code, 0);
  EXPECT_THAT(passed.output, HasSubstr("✓ passed  01 Twice"));
  EXPECT_THAT(learn({"list"}).output, HasSubstr("02 ★ Row sums  ●●○ 20 min  ○ open"));
  EXPECT_THAT(learn({"solution", "1"}).output, HasSubstr("the solution"));
  EXPECT_THAT(learn({}).output, AllOf(HasSubstr("02 · Row sums"), HasSubstr("1 of 2 passed")));

  write_file(desk + "/02_row_sums.cpp",
             "#include \"given.h\"\n\nTensor row_sums(const Tensor& x) {\n  return x.sum({1});\n}\n");
  EXPECT_THAT(learn({"check", "row"}).output, HasSubstr("✓ passed"));
  EXPECT_THAT(learn({}).output, HasSubstr("All of them are passed."));
  EXPECT_THAT(learn({"check", "--all"}).output, HasSubstr("2 of 2 passed"));
}

TEST_F(LearnTest, WhatAnExerciseAsksForIsSaidBeforeIt) {
  started();
  EXPECT_THAT(
      read_file(desk + "/02_row_sums.md"),
      HasSubstr("difficulty ●●○ · about 20 minutes · best after 01 · what is given: [given.h](given/02_row_sums.h)"));
  EXPECT_EQ(read_file(desk + "/given/02_row_sums.h"), read_file(COURSE_TESTS "/exercises/02_row_sums/given.h"));
  EXPECT_THAT(learn({"read", "2"}).output,
              AllOf(HasSubstr("about 20 minutes"), HasSubstr("What is given: " + desk + "/given/02_row_sums.h")));
}

TEST_F(LearnTest, TheFastTrackGoesOnIntoTheRest) {
  learn({"start", desk, "--fast"});
  EXPECT_THAT(learn({}).output, AllOf(HasSubstr("0 of 1 passed"), HasSubstr("02 · Row sums")));
  write_file(desk + "/02_row_sums.cpp",
             "#include \"given.h\"\n\nTensor row_sums(const Tensor& x) {\n  return x.sum({1});\n}\n");
  const std::string offer = "You are through the fast track. The course has 1 more exercise,";
  EXPECT_THAT(learn({"check", "2"}).output, AllOf(HasSubstr(offer), HasSubstr("next: 01 Twice")));
  EXPECT_THAT(learn({}).output, AllOf(HasSubstr("1 of 2 passed"), HasSubstr(offer), HasSubstr("01 · Twice")));
  learn({"--no-fast"});
  EXPECT_THAT(learn({}).output, Not(HasSubstr(offer)));
  EXPECT_THAT(learn({"reset", "2"}).output, HasSubstr("02_row_sums"));
  EXPECT_THAT(learn({"--fast"}).output, HasSubstr("0 of 1 passed"));
  EXPECT_THAT(learn({}).output, HasSubstr("02 · Row sums"));
}

TEST_F(LearnTest, WhatNobodyWroteInWasNotTried) {
  started();
  learn({"check", "--all"});
  learn({});
  EXPECT_THAT(learn({"list"}).output, Not(HasSubstr("tried")));
  write(twice_as("x * x"));
  learn({"check", "1"});
  EXPECT_THAT(learn({"list"}).output, HasSubstr("tried, 1 check"));
}

// Where nobody may write beside the course, what is compiled goes into one's own cache.
TEST_F(LearnTest, AnInstallationThatCannotBeWritten) {
  json settings = json::parse(read_file(folder / "settings.json"));
  settings.erase("cache");
  write_file(folder / "installed/exercises", "no folder, so that root cannot write into it");
  settings["build"] = folder / "installed";
  settings["early_libraries"] = settings["libraries"];  // of the build itself
  write_file(folder / "settings.json", settings.dump());
  started();
  write(twice_as("x + x"));
  EXPECT_THAT(learn({"check", "1"}, {"XDG_CACHE_HOME=" + folder / "mine"}).output, HasSubstr("✓ passed"));
  EXPECT_TRUE(exists(folder / "mine/backstep"));
}

TEST_F(LearnTest, StartNeverOverwrites) {
  started();
  write("mine");
  fs::remove(desk + "/02_row_sums.cpp");
  const std::string again = learn({"start", desk}).output;
  EXPECT_THAT(again, ContainsRegex("What\\s+lay\\s+there\\s+before"));  // wrapped, by the length of the folder's name
  EXPECT_EQ(read_file(answer), "mine");
  EXPECT_TRUE(exists(desk + "/02_row_sums.cpp"));
  EXPECT_THAT(learn({"start", desk}).output, HasSubstr("has all 2 exercises already; nothing was changed"));
}

// The launcher names the clone, which may have been moved.
TEST_F(LearnTest, StartBringsTheLauncherUpToDate) {
  started();
  const std::string launcher = read_file(desk + "/learn");
  write_file(desk + "/learn", "from the old place");
  write_file(desk + "/.learn/base/learn", "from the old place");
  started();
  EXPECT_EQ(read_file(desk + "/learn"), launcher);
  EXPECT_EQ(::access((desk + "/learn").c_str(), X_OK), 0);
  write_file(desk + "/learn", "my own");
  started();
  EXPECT_EQ(read_file(desk + "/learn"), "my own");
}

TEST_F(LearnTest, StartRefusesTheClone) {
  const Finished refused = learn({"start", std::string(BACKSTEP_SOURCE) + "/my-exercises"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.output, HasSubstr("is inside Backstep's own folder"));
  EXPECT_FALSE(exists(std::string(BACKSTEP_SOURCE) + "/my-exercises"));
}

// However deep in the engine it lies. The compiler only notes what it was asked for.
TEST_F(LearnTest, ChecksAreCompiledAgainWhenAHeaderChanges) {
  const std::string header = folder / "project/autograd/tensor/tensor.h";
  for (const char* const part : {"nn", "exercises/course"}) fs::create_directories(folder.path() / "project" / part);
  write_file(header, "// old\n");
  write_file(folder / "compiler", fmt::format(R"(#!/bin/sh
echo "$*" >> {}
while [ $# -gt 1 ]; do
  [ "$1" = -o ] && : > "$2"
  shift
done
)",
                                              folder / "log"));
  fs::permissions(folder / "compiler", fs::perms::owner_all);
  json settings = json::parse(read_file(folder / "settings.json"));
  for (const char* const name : {"project", "cache", "compiler"}) settings[name] = folder / name;
  write_file(folder / "settings.json", settings.dump());
  started();
  const auto times_compiled = [&] {
    learn({"check", "1"});
    const std::vector<std::string> commands = lines_of(folder / "log");
    return std::count_if(commands.begin(), commands.end(),
                         [](const std::string& command) { return command.find("/check.cpp") != std::string::npos; });
  };
  EXPECT_EQ(times_compiled(), 1);
  EXPECT_EQ(times_compiled(), 1);
  write_file(header, "// another\n");
  EXPECT_EQ(times_compiled(), 2);
}

TEST_F(LearnTest, CompilerErrorsAreSentences) {
  started();
  write(twice_as("x + y"));
  EXPECT_THAT(learn({"check", "1"}).output,
              AllOf(HasSubstr("does not compile"), HasSubstr("01_twice.cpp:4:14: error: there is no 'y'"),
                    HasSubstr("return x + y;"), Not(HasSubstr("was not declared"))));
  EXPECT_THAT(learn({"check", "1", "--verbose"}).output,
              testing::AnyOf(HasSubstr("was not declared in this scope"), HasSubstr("use of undeclared identifier")));
}

TEST_F(LearnTest, AnswersThatDoNotReturn) {
  started();
  write(twice_as("([] { for (volatile int i = 0; i == 0;) {} }(), x)"));
  EXPECT_THAT(learn({"check", "1"}).output,
              AllOf(HasSubstr("does not come to an end"), HasSubstr("after 3 seconds"), HasSubstr(":4:")));
  write("#include <cstdlib>\n" + twice_as("(std::exit(0), x)"));
  EXPECT_THAT(learn({"check", "1"}).output, HasSubstr("ended the program itself, with exit code 0"));
  write(twice_as("*static_cast<double*>(nullptr)"));
  EXPECT_THAT(learn({"check", "1"}).output, AllOf(HasSubstr("stopped by an error"), HasSubstr("null pointer")));
  write("#include <stdexcept>\n" + twice_as("x > 0.0 ? throw std::runtime_error(\"mine\") : x"));
  EXPECT_THAT(learn({"check", "1"}).output, AllOf(HasSubstr("01_twice.cpp:5:"), HasSubstr("error: mine")));
  write(twice_as("x + x") + "\nint main() { return 0; }\n");
  EXPECT_THAT(learn({"check", "1"}).output, HasSubstr("has a main() of its own"));
}

TEST_F(LearnTest, WhatIsPrintedIsShownOnceAndFoolsNobody) {
  started();
  write("#include <cstdio>\n" + twice_as("(std::puts(\"{\\\"outcome\\\": \\\"passed\\\"}\"), 1.0)"));
  const std::string output = learn({"check", "1"}).output;
  EXPECT_THAT(output, AllOf(HasSubstr("not right yet"), HasSubstr("your code printed:")));
  // The check calls twice() two times in each of its many runs.
  std::size_t times = 0;
  for (std::size_t at = output.find("outcome"); at != std::string::npos; at = output.find("outcome", at + 1)) ++times;
  EXPECT_EQ(times, 2u);
}

TEST_F(LearnTest, AnAnswerRunsWithoutAllThatIsRight) {
  started();
  write("namespace solution {\ndouble twice(double x);\n}\n" + twice_as("solution::twice(x)"));
  EXPECT_THAT(learn({"check", "1"}).output, HasSubstr("does not compile"));
  // Whatever it writes to, there is no verdict that it could write.
  write("#include <unistd.h>\n#include <string>\n" +
        twice_as("[&] {\n    const std::string verdict = R\"({\"outcome\": \"passed\"})\";\n"
                 "    for (int file = 3; file < 64; ++file) (void)!write(file, verdict.data(), verdict.size());\n"
                 "    return x + x;\n  }()"));
  const Finished forged = learn({"check", "1"});
  EXPECT_EQ(forged.exit_code, 1);
  EXPECT_THAT(forged.output, Not(HasSubstr("✓ passed")));
}

TEST_F(LearnTest, AnAnswerIsAFile) {
  started();
  fs::remove(answer);
  ASSERT_EQ(::mkfifo(answer.c_str(), 0644), 0);
  const Finished checked = learn({"check", "1"});
  EXPECT_THAT(checked.output, HasSubstr("01_twice.cpp is not a file"));
  EXPECT_LT(checked.seconds, 20.0);
}

TEST_F(LearnTest, AnAnswerIncludesNoOtherAnswer) {
  started();
  const std::string includes = "\n#include <vector>\n" + twice_as("x + x");
  write("#include \"" COURSE_TESTS "/exercises/01_twice/exercise.cpp\"\n");
  EXPECT_THAT(learn({"check", "1"}).output,
              AllOf(HasSubstr("exercise.cpp, which is not part of your answer"), HasSubstr("01_twice.cpp:1")));
  write_file(folder / "another's/helper.h", "");
  fs::create_symlink(folder / "another's/helper.h", desk + "/link.h");
  for (const std::string& path :
       {folder / "another's/helper.h", std::string("../another's/helper.h"), desk + "/link.h"}) {
    write("#include \"" + path + "\"" + includes);
    EXPECT_THAT(learn({"check", "1"}).output, HasSubstr("which is not part of your answer")) << path;
  }
  write_file(desk + "/my helper.h", "");
  write("#include \"my helper.h\"" + includes);
  EXPECT_EQ(learn({"check", "1"}).exit_code, 0);
}

TEST_F(LearnTest, StepStopsAtTheFirstDifference) {
  const Finished stepped =
      step_row_sums("  const Tensor sums = x.mean({1});\n  return probe(\"sums\", sums);\n", "p l n n q");
  EXPECT_EQ(stepped.exit_code, 1);
  EXPECT_THAT(stepped.output, AllOf(HasSubstr("stopping at the first difference, step 2 of 3"), HasSubstr("yours [3]"),
                                    HasSubstr("expected [3]"), HasSubstr(">    4 │   const Tensor sums = x.mean({1});"),
                                    HasSubstr("the solution has this value nowhere")));
}

TEST_F(LearnTest, StepStopsWhereTheAnswerThrew) {
  const Finished stepped = step_row_sums("  const Tensor sums = x.sum({1});\n  return sums + x;\n", "l q");
  EXPECT_EQ(stepped.exit_code, 1);
  EXPECT_THAT(stepped.output, AllOf(HasSubstr("stopping where your code throws, step 2 of 2"),
                                    HasSubstr("02_row_sums.cpp:5: error: [shape-mismatch] add"),
                                    HasSubstr("    5 │   return sums + x;"), HasSubstr("   1  · line 4    sum"),
                                    HasSubstr(">   2  ✗ line 5    an exception")));
}

TEST_F(LearnTest, ASizeWrittenAsANumberIsFound) {
  started();
  const auto row_sums = [](const std::string& value) {
    return "#include \"given.h\"\n\nTensor row_sums(const Tensor& x) {\n  return " + value + ";\n}\n";
  };
  write_file(desk + "/02_row_sums.cpp", row_sums("x.mean({1}) * 4.0"));
  EXPECT_THAT(learn({"check", "2"}).output,
              AllOf(HasSubstr("Right at the usual sizes, where columns is 4; wrong where columns is 5."),
                    HasSubstr("3 of 3 entries differ")));
  const Finished steps = run_process({"/bin/sh", "-c", "printf 'q\\n' | " LEARN " step 2 --dir " + desk}, options());
  EXPECT_THAT(steps.output, HasSubstr("stopping at the first difference"));
}

TEST_F(LearnTest, ResetKeepsWhatWasWritten) {
  started();
  write("my work");
  EXPECT_THAT(learn({"reset", "1"}).output, HasSubstr(".learn/attic/01_twice.1.cpp"));
  EXPECT_EQ(read_file(desk + "/.learn/attic/01_twice.1.cpp"), "my work");
  EXPECT_THAT(read_file(answer), HasSubstr("todo("));
  write("more work");
  learn({"reset", "1"});
  EXPECT_EQ(read_file(desk + "/.learn/attic/01_twice.2.cpp"), "more work");
}

TEST_F(LearnTest, WhatWasKeptComesBack) {
  started();
  EXPECT_THAT(learn({"reset", "1", "--undo"}).output, HasSubstr("nothing of 01_twice.cpp was put aside"));
  write("my work");
  learn({"reset", "1"});
  EXPECT_THAT(learn({"reset", "1", "--undo"}).output, HasSubstr(".learn/attic/01_twice.1.cpp"));
  EXPECT_EQ(read_file(answer), "my work");
  write("another");
  EXPECT_THAT(learn({"reset", "1", "--undo"}).output, HasSubstr("is kept as"));
  EXPECT_EQ(read_file(answer), "my work");
  EXPECT_EQ(read_file(desk + "/.learn/attic/01_twice.2.cpp"), "another");
}

TEST_F(LearnTest, GivingUpIsNoted) {
  started();
  EXPECT_THAT(learn({"solution", "1", "--give-up"}).output, HasSubstr("return x + x;"));
  EXPECT_THAT(learn({"list"}).output, HasSubstr("solution shown"));
  write(twice_as("x + x"));
  learn({"check", "1"});
  EXPECT_THAT(learn({"list"}).output, HasSubstr("passed, after its solution was shown"));
}

TEST_F(LearnTest, UpdateBringsWhatIsNewAndKeepsWhatWasWritten) {
  fs::copy(COURSE_TESTS "/exercises", folder / "exercises", fs::copy_options::recursive);
  use(folder / "exercises");
  started();
  write("// mine\n" + read_file(answer));
  const std::string source = folder / "exercises/01_twice/exercise.cpp";
  const std::string changed = read_file(source) + "// a new last line\n";
  write_file(source, changed);
  fs::copy(folder / "exercises/02_row_sums", folder / "exercises/03_new", fs::copy_options::recursive);
  const Finished updated = learn({"update"});
  EXPECT_EQ(updated.exit_code, 0);
  EXPECT_THAT(updated.output, AllOf(HasSubstr("merged    01_twice.cpp"), HasSubstr("new       03_new.cpp")));
  EXPECT_THAT(read_file(answer), AllOf(HasSubstr("// mine"), HasSubstr("// a new last line")));
  EXPECT_THAT(learn({"update"}).output, HasSubstr("Everything is as the course has it"));
}

TEST_F(LearnTest, ADamagedRecordIsNotFatal) {
  started();
  write_file(state(), "{\"exercises\": ");
  const Finished finished = learn({"list"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.output,
              AllOf(HasSubstr("record of your progress was damaged"), HasSubstr(".learn/attic/state.1.json")));
}

// Also for root, for whom no folder is read-only.
TEST_F(LearnTest, ACheckWorksWhereProgressCannotBeKept) {
  started();
  fs::remove(desk + "/.learn/lock");
  fs::create_directory(desk + "/.learn/lock");
  write(twice_as("x + x"));
  const Finished finished = learn({"check", "1"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.output, AllOf(HasSubstr("✓ passed"), HasSubstr("Progress is not kept")));
}

TEST_F(LearnTest, AFileOutsideOfAnyDesk) {
  fs::create_directory(folder / "loose");
  write_file(folder / "loose/01_twice.cpp", twice_as("x + x"));
  const Finished finished = learn({"check", folder / "loose/01_twice.cpp"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.output, AllOf(HasSubstr("✓ passed"), HasSubstr("progress is not kept")));
}

// Starts learn and leaves it running.
pid_t begin(const std::vector<std::string>& arguments, const ProcessOptions& options) {
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  for (const std::string& variable : options.environment) ::putenv(const_cast<char*>(variable.c_str()));
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::freopen("/dev/null", "w", stdout);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

// The folders in which a process runs answers. Other tests have theirs beside them.
std::size_t runs_of(pid_t pid) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(COURSE_CACHE "/runs")) {
    if (entry.path().filename().string().starts_with(fmt::format("{}.", pid))) ++count;
  }
  return count;
}

TEST_F(LearnTest, KilledInTheMiddleOfACheck) {
  started();
  write(twice_as("x + x"));
  learn({"check", "1"});
  write(twice_as("([] { for (volatile int i = 0; i == 0;) {} }(), x)"));
  const pid_t pid = begin({LEARN, "check", "1", "--dir", desk}, options());
  for (int i = 0; i < 200 && runs_of(pid) == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  EXPECT_EQ(runs_of(pid), 1U);
  write(twice_as("x + x + x"));
  EXPECT_THAT(learn({"check", "1"}).output, AllOf(HasSubstr("? How often is x in there?"), Not(HasSubstr("damaged"))));
  EXPECT_EQ(runs_of(pid), 0U);  // and what was left behind is cleared away
  EXPECT_THAT(learn({"list"}).output, HasSubstr("passed"));
}

TEST_F(LearnTest, TwoAtOnceDoNotHarmEachOther) {
  started();
  write(twice_as("x + x"));
  std::array<Finished, 3> finished;
  std::vector<std::thread> threads;
  for (Finished& one : finished) threads.emplace_back([&] { one = learn({"check", "1"}); });
  for (std::thread& thread : threads) thread.join();
  for (const Finished& one : finished) EXPECT_THAT(one.output, HasSubstr("✓ passed")) << one.output;
  EXPECT_TRUE(json::parse(read_file(state())).at("exercises").at("01_twice").at("passed"));
}

TEST_F(LearnTest, Grades) {
  started();
  fs::create_directory(folder / "answers");
  write_file(folder / "answers/01_twice.cpp", twice_as("x + x"));
  write_file(
      folder / "answers/02_row_sums.cpp",
      "#include \"given.h\"\nTensor row_sums(const Tensor& x) { for (volatile int i = 0; i == 0;) {} return x; }\n");
  const Finished graded =
      learn({"grade", folder / "answers", "1=4", "2=6", "--seconds", "1", "--json", folder / "g.json", "--junit",
             folder / "g.xml", "--gradescope", folder / "results.json", "--github"},
            {"GITHUB_OUTPUT=" + folder / "github"});
  EXPECT_EQ(graded.exit_code, 1);
  EXPECT_THAT(graded.output, AllOf(HasSubstr("4 of 4"), HasSubstr("out of time"), HasSubstr("4 of 10 points"),
                                   HasSubstr("::error file=" + folder / "answers/02_row_sums.cpp")));
  EXPECT_EQ(json::parse(read_file(folder / "g.json")).at("points"), 4.0);
  EXPECT_EQ(json::parse(read_file(folder / "results.json")).at("tests").at(1).at("status"), "failed");
  EXPECT_THAT(read_file(folder / "g.xml"), HasSubstr("failures=\"1\""));
  EXPECT_THAT(read_file(folder / "github"), testing::StartsWith("result=ey"));
  EXPECT_THAT(graded.output, HasSubstr("02_row_sums.cpp,line=2,"));
  for (const char* const file : {"g.json", "results.json", "g.xml"}) {
    EXPECT_THAT(read_file(folder / file), AllOf(Not(HasSubstr("learn why")), Not(HasSubstr("--verbose")),
                                                Not(HasSubstr(folder.path().string()))));
  }
  fs::remove(folder / "answers/02_row_sums.cpp");
  EXPECT_THAT(learn({"grade", folder / "answers"}).output, AllOf(HasSubstr("missing"), HasSubstr("1 of 2 points")));
}

// The formula of what is first not right comes before all of them, where an exercise has it.
TEST_F(LearnTest, TheFirstFormulaIsThatOfTheFirstWrongLine) {
  started();
  const std::string file = desk + "/02_row_sums.cpp";
  const auto hint_to = [&](const std::string& body) {
    write_file(file, "#include \"given.h\"\nTensor row_sums(const Tensor& x) {\n" + body + "}\n");
    return learn({"hint", "2", "3"}).output;
  };
  EXPECT_THAT(
      hint_to("  return x.sum({1}) + 1.0;\n"),
      AllOf(HasSubstr("Hint 3 of 5 · First formula"), HasSubstr("probe(\"sums\", sums);"), Not(HasSubstr("s[r]"))));
  EXPECT_THAT(hint_to("  return probe(\"sums\", x.sum({1}) + 1.0);\n"),
              AllOf(HasSubstr("The first that is not right is sums"), HasSubstr("s[r] = sum over c of x[r, c]"),
                    Not(HasSubstr("what is returned"))));
  EXPECT_THAT(hint_to("  return probe(\"sums\", x.sum({1})) + 1.0;\n"),
              AllOf(HasSubstr("what is returned = s"), Not(HasSubstr("s[r]"))));
  EXPECT_THAT(hint_to("  return x.sum({1})\n"), HasSubstr("Once it compiles"));
  EXPECT_THAT(hint_to("  return x.sum({1});\n"), HasSubstr("All is right"));
  const std::string all = learn({"hint", "2", "4"}).output;
  EXPECT_THAT(
      all, AllOf(HasSubstr("s[r]"), HasSubstr("what is returned"), Not(HasSubstr("###")), Not(HasSubstr("row sums"))));
}

// A part of the check is worth its share of the points, and nothing is left where all or nothing was asked for.
TEST_F(LearnTest, GradesParts) {
  write_file(folder / "answers/01_twice.cpp", twice_as("x > 0 ? x + x : x"));
  EXPECT_THAT(learn({"grade", folder / "answers", "1=3"}).output, HasSubstr("1.5 of 3 "));
  EXPECT_THAT(learn({"grade", folder / "answers", "1=3", "--whole"}).output, HasSubstr("0 of 3 "));
  write_file(folder / "answers/01_twice.cpp", "int main() {}");
  EXPECT_THAT(learn({"grade", folder / "answers", "1=3"}).output, HasSubstr("0 of 3 "));
}

TEST_F(LearnTest, GradesAClassAndGoesOnWhereItWasInterrupted) {
  const std::string classroom = folder / "class";
  write_file(classroom + "/ada/01_twice.cpp", twice_as("x + x"));
  write_file(classroom + "/bob/01_twice.cpp", twice_as("x * x"));
  write_file(classroom + "/bob/02_row_sums.cpp",
             "#include \"given.h\"\nTensor row_sums(const Tensor& x) { return x.sum({1}); }\n");
  fs::create_symlink(classroom + "/bob/02_row_sums.cpp", classroom + "/ada/02_row_sums.cpp");
  const Finished graded = learn({"grade", classroom, "1", "2"});
  EXPECT_EQ(graded.exit_code, 1) << graded.output;
  EXPECT_THAT(graded.output, AllOf(HasSubstr("ada"), HasSubstr("1 of 2 passed"), HasSubstr("grades.html")));
  EXPECT_EQ(read_file(classroom + "/grades.csv"),
            "student,points,of,passed,01_twice,02_row_sums\nada,1,2,1,1,0\nbob,1,2,1,0,1\n");
  EXPECT_THAT(read_file(classroom + "/grades.html"), AllOf(HasSubstr("squared"), HasSubstr("but a link")));

  // What has not changed is not graded again: what is kept is taken as it is.
  const std::string kept = classroom + "/.grades/ada/01_twice.json";
  std::string text = read_file(kept);
  text.replace(text.find("\"passed\""), 8, "\"wrong\"");
  write_file(kept, text);
  learn({"grade", classroom, "1", "2"});
  EXPECT_THAT(read_file(classroom + "/grades.csv"), HasSubstr("\nada,1,2,0,"));
  learn({"grade", classroom, "1", "2", "--again"});
  EXPECT_THAT(read_file(classroom + "/grades.csv"), HasSubstr("\nada,1,2,1,"));
  write_file(classroom + "/ada/01_twice.cpp", twice_as("x * x"));
  learn({"grade", classroom, "1", "2"});
  const std::string wider = read_file(classroom + "/grades.csv");
  EXPECT_THAT(wider, HasSubstr("\nada,0,"));

  // A table with fewer exercises does not take the place of one with more.
  EXPECT_EQ(learn({"grade", classroom, "2"}).exit_code, 1);
  EXPECT_EQ(read_file(classroom + "/grades.1.csv"), wider);
  EXPECT_TRUE(exists(classroom + "/grades.1.html"));
  learn({"grade", classroom, "1", "2"});
  EXPECT_EQ(read_file(classroom + "/grades.csv"), wider);
  EXPECT_FALSE(exists(classroom + "/grades.2.csv"));
  EXPECT_EQ(learn({"grade", classroom, "77"}).exit_code, 2);
  EXPECT_EQ(learn({"grade", folder / "none", "1"}).exit_code, 2);
}

// Whatever the folders are called, in which a student has a header, and the answer a variable.
TEST_F(LearnTest, GradesWhatLiesInOddFolders) {
  const std::string classroom = folder / "class $(1) #'\\2";
  const std::string student = classroom + "/a$b\\c: \033[31m\u009B\u202E\n=\"";
  write_file(student + "/deep er/01_twice (1).cpp",
             "#include \"own/own header.h\"\nint counter = 0;\n" + twice_as("(++counter, two * x)"));
  write_file(student + "/deep er/own/own header.h", "inline constexpr double two = 2.0;\n");
  const Finished graded = learn({"grade", classroom, "1", "--json", folder / "class.json"});
  EXPECT_EQ(graded.exit_code, 0) << graded.output;
  const json read = json::parse(read_file(folder / "class.json")).at("students").at(0);
  EXPECT_EQ(read.at("student"), file_name(student));
  EXPECT_EQ(read.at("points"), 1.0);
  EXPECT_EQ(read.at("exercises").at(0).at("file"), "deep er/01_twice (1).cpp");
  for (const std::string& shown :
       {graded.output, read_file(classroom + "/grades.csv"), read_file(classroom + "/grades.html")}) {
    EXPECT_THAT(shown, AllOf(Not(HasSubstr("\033")), Not(HasSubstr("\u009B")), Not(HasSubstr("\u202E"))));
  }
  // A learner is told the same.
  EXPECT_EQ(learn({"check", student + "/deep er/01_twice (1).cpp"}).exit_code, 0);
}

// Its own solution takes longer than an answer may, unless more is allowed.
TEST_F(LearnTest, AnExerciseThatCannotBeGradedCostsNoOther) {
  fs::copy(COURSE_TESTS "/exercises", folder / "exercises", fs::copy_options::recursive);
  use(folder / "exercises");
  const std::string source = folder / "exercises/02_row_sums/exercise.cpp";
  std::string slow = read_file(source);
  slow.replace(slow.find("seconds: 3"), 10, "seconds: 1");
  slow.insert(slow.find("  Tensor sums"),
              "  static const bool once = [] {\n"
              "    for (const auto end = ::clock() + 3 * CLOCKS_PER_SEC / 2; ::clock() < end;) {\n    }\n"
              "    return true;\n  }();\n  if (!once) return x;\n");
  write_file(source, slow);
  for (const char* const student : {"class/ada", "class/bob"}) {
    write_file((folder / student) + "/01_twice.cpp", twice_as("x + x"));
    write_file((folder / student) + "/02_row_sums.cpp",
               "#include \"given.h\"\nTensor row_sums(const Tensor& x) { return x.sum({1}); }\n");
  }
  const auto graded = [&](const std::string& seconds) {
    const Finished finished = learn(
        {"grade", folder / "class", "1", "2", "--jobs", "1", "--seconds", seconds, "--json", folder / "class.json"});
    std::vector<std::string> outcomes;
    const json read = json::parse(read_file(folder / "class.json"));
    for (const json& student : read.at("students")) {
      EXPECT_EQ(student.at("exercises").at(0).at("outcome"), "passed");
      outcomes.push_back(student.at("exercises").at(1).at("outcome"));
    }
    return std::pair(finished.exit_code, outcomes);
  };
  EXPECT_EQ(graded("1"), std::pair(2, std::vector<std::string>{"not graded", "not graded"}));
  EXPECT_EQ(read_file(folder / "class/grades.csv"),
            "student,points,of,passed,01_twice,02_row_sums\nada,1,2,1,1,\nbob,1,2,1,1,\n");
  EXPECT_EQ(graded("20"), std::pair(0, std::vector<std::string>{"passed", "passed"}));
}

TEST_F(LearnTest, ANewExerciseGoesIntoAPartOfTheCourse) {
  use(folder / "exercises");
  fs::create_directory(folder / "exercises");
  EXPECT_EQ(learn({"dev", "new", "54_mine", "Mine", "--part", "I"}).exit_code, 0);
  EXPECT_THAT(read_file(folder / "exercises/54_mine/exercise.cpp"), HasSubstr("//= part: I\n"));
  EXPECT_THAT(learn({"dev", "new", "55_mine", "Mine", "--part", "Z"}).output,
              HasSubstr("no part 'Z': they are A to I"));
  EXPECT_FALSE(exists(folder / "exercises/55_mine"));
}

TEST_F(LearnTest, WrongUsageIsSaid) {
  started();
  const auto said = [&](const std::vector<std::string>& arguments) { return learn(arguments); };
  EXPECT_EQ(said({"nonsense"}).exit_code, 2);
  EXPECT_EQ(said({"check", "77"}).exit_code, 2);
  EXPECT_THAT(said({"chek"}).output, HasSubstr("`learn check`"));
  EXPECT_EQ(said({"start", "/proc/x"}).exit_code, 1);
  EXPECT_THAT(said({"start", "/proc/x"}).output, Not(HasSubstr("filesystem error")));
  EXPECT_THAT(said({"check", "\033[31m\u009B"}).output, AllOf(Not(HasSubstr("\033")), Not(HasSubstr("\u009B"))));
  EXPECT_THAT(said({"check", "77"}).output, HasSubstr("there is no exercise '77'"));
  EXPECT_THAT(said({"hint", "1", "9"}).output, HasSubstr("levels 1 to 4"));
  EXPECT_THAT(said({"check", "_"}).output, HasSubstr("'_' could be 01_twice or 02_row_sums"));
  EXPECT_THAT(said({"list", "--dir", "/no/such/folder"}).output, HasSubstr("there is no folder /no/such/folder"));
  EXPECT_THAT(said({"help"}).output, HasSubstr("learn watch"));
  EXPECT_THAT(said({"help", "watch"}).output, HasSubstr("--poll"));
  EXPECT_THAT(said({"--version"}).output, HasSubstr("Backstep"));
  fs::remove(answer);
  EXPECT_THAT(said({"check", "1"}).output, HasSubstr("`learn reset 01` puts the beginning there"));
}

TEST_F(LearnTest, PlainWhereTheScreenIs) {
  started();
  write(twice_as("x + x"));
  EXPECT_THAT(learn({"check", "1"}).output, AllOf(HasSubstr("✓"), Not(HasSubstr("\033"))));
  const std::string output = learn({"check", "1"}, {"LC_ALL=C"}).output;
  EXPECT_THAT(output, HasSubstr("ok passed  01 Twice"));
  EXPECT_TRUE(std::all_of(output.begin(), output.end(), [](unsigned char c) { return c < 0x80; }));
}

// ---- watch, on a terminal ----------------------------------------------------------------------------------------------

// The mark, in colour, and the number after it.
std::string marked(const std::string& number) {
  return "> \033[0m" + number;
}

class WatchTest : public LearnTest, public testing::WithParamInterface<const char*> {};

TEST_P(WatchTest, ChecksOnSaveAndGoesOn) {
  started();
  std::vector<std::string> arguments{LEARN, "watch", "--dir", desk};
  if (*GetParam()) arguments.push_back(GetParam());
  Terminal terminal(arguments, options().environment);
  EXPECT_TRUE(terminal.shows("checking 01_twice.cpp"));
  EXPECT_TRUE(terminal.shows("not written yet"));
  EXPECT_TRUE(terminal.shows("q quit"));
  write(twice_as("x * x"));  // a new file in the place of the old one, as many editors do it
  EXPECT_TRUE(terminal.shows("not right yet"));
  EXPECT_TRUE(terminal.shows("q quit"));
  terminal.press("h");
  EXPECT_TRUE(terminal.shows("What is twice?"));
  terminal.press("t");
  EXPECT_TRUE(terminal.shows("Two times a number"));
  terminal.press("w");
  EXPECT_TRUE(terminal.shows("squared"));
  terminal.press("l");
  EXPECT_TRUE(terminal.shows(marked("01")));
  terminal.press("\033[B");
  EXPECT_TRUE(terminal.shows(marked("02")));
  terminal.press("q");
  EXPECT_TRUE(terminal.shows("squared"));      // what was there before
  std::ofstream(answer) << twice_as("x + x");  // or into the same file
  EXPECT_TRUE(terminal.shows("passed"));
  EXPECT_TRUE(terminal.shows("n or Enter: on to 02 Row sums"));
  std::ofstream(answer) << twice_as("x + x");  // saved once more: it must not lead back to 01
  terminal.press("\n");
  EXPECT_TRUE(terminal.shows("checking 02_row_sums.cpp"));
  EXPECT_TRUE(terminal.shows("q quit"));
  terminal.press("\x03");
  EXPECT_EQ(terminal.exit_code(), 0);
}

INSTANTIATE_TEST_SUITE_P(InotifyAndPolling, WatchTest, testing::Values("", "--poll"));

TEST_F(LearnTest, WatchFollowsWhicheverFileIsSaved) {
  started();
  Terminal terminal({LEARN, "watch", "1", "--dir", desk}, options().environment);
  EXPECT_TRUE(terminal.shows("q quit"));
  write_file(desk + "/02_row_sums.cpp",
             "#include \"given.h\"\n\nTensor row_sums(const Tensor& x) {\n  return -x.sum({1});\n}\n");
  EXPECT_TRUE(terminal.shows("checking 02_row_sums.cpp"));
  EXPECT_TRUE(terminal.shows("not right yet"));
  EXPECT_TRUE(terminal.shows("watching 02_row_sums.cpp"));
  terminal.press("n");
  EXPECT_TRUE(terminal.shows("checking 01_twice.cpp"));
}

TEST_F(LearnTest, TheListInWatchFiltersSearchesJumpsAndResets) {
  started();
  write(twice_as("x + x"));
  Terminal terminal({LEARN, "watch", "1", "--dir", desk}, options().environment);
  EXPECT_TRUE(terminal.shows("watching 01_twice.cpp"));
  EXPECT_TRUE(terminal.shows("q quit"));
  terminal.press("l");
  EXPECT_TRUE(terminal.shows("all, 2"));
  terminal.press("p");
  EXPECT_TRUE(terminal.shows("pending, 1"));
  EXPECT_TRUE(terminal.shows(marked("02")));
  terminal.press("d");
  EXPECT_TRUE(terminal.shows("done, 1"));
  terminal.press("r");
  EXPECT_TRUE(terminal.shows("Begin 01 Twice again?"));
  terminal.press("y");
  EXPECT_TRUE(terminal.shows("attic/01_twice.1.cpp"));
  terminal.press("a/row");
  EXPECT_TRUE(terminal.shows("search: row_"));
  EXPECT_TRUE(terminal.shows(marked("02")));
  terminal.press("\n");
  EXPECT_TRUE(terminal.shows("checking 02_row_sums.cpp"));
  EXPECT_THAT(read_file(answer), HasSubstr("todo("));
}

TEST_F(LearnTest, WatchFollowsTheSizeOfTheTerminal) {
  started();
  ProcessOptions without_columns = options();
  std::erase(without_columns.environment, "COLUMNS=100");
  Terminal terminal({LEARN, "watch", "1", "--dir", desk}, without_columns.environment);
  terminal.resize(120);
  EXPECT_TRUE(terminal.shows("q quit"));
  terminal.press("l");
  EXPECT_TRUE(terminal.shows("Esc back"));
  terminal.resize(40);
  EXPECT_TRUE(terminal.shows("arrows, j, k move · Enter go there · r\r\n"));
}

// Its task "learn: watch" knows by these lines when a check has begun and ended.
TEST_F(LearnTest, WatchSaysWhatVisualStudioCodeWaitsFor) {
  started();
  const json tasks = json::parse(read_file(desk + "/.vscode/tasks.json"));
  const json& background = tasks.at("tasks").at(1).at("problemMatcher").at("background");
  const std::regex begins(background.at("beginsPattern").get<std::string>());
  const std::regex ends(background.at("endsPattern").get<std::string>());
  const Finished watched = run_process({"/bin/sh", "-c", "exec timeout 6 " LEARN " watch 1 --dir " + desk}, options());
  std::string seen;
  std::istringstream lines(watched.output);
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, begins)) seen += "b";
    if (std::regex_search(line, ends)) seen += "e";
  }
  EXPECT_EQ(seen, "be");
}

TEST_F(LearnTest, TwoWatchersOnOneDesk) {
  started();
  Terminal one({LEARN, "watch", "1", "--dir", desk}, options().environment);
  Terminal other({LEARN, "watch", "1", "--dir", desk}, options().environment);
  EXPECT_TRUE(one.shows("q quit"));
  EXPECT_TRUE(other.shows("q quit"));
  write(twice_as("x + x"));
  EXPECT_TRUE(one.shows("passed"));
  EXPECT_TRUE(other.shows("passed"));
  one.press("q");
  EXPECT_EQ(one.exit_code(), 0);
}

}  // namespace course_learn_test
