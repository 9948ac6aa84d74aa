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
#include <sstream>
#include <thread>

#include "runner/desk/progress.h"
#include "runner/lessons/settings.h"
#include "runner/system/files.h"
#include "runner/system/process.h"
#include "runner/text/lines.h"
#include "runner/text/style.h"
#include "tests/support/golden.h"
#include "tests/support/pattern.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/terminal.h"

namespace course_learn_test {

using namespace learn;
using nlohmann::json;
using testing::IsEmpty;
using testing::SizeIs;
using Outcome = Report::Outcome;
namespace fs = std::filesystem;

constexpr const char* twice = R"(#include "given.h"

double twice(double x) {{
  return {};
}}
)";

std::string twice_as(const std::string& expression) {
  return fmt::format(fmt::runtime(twice), expression);
}

std::size_t times_in(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

std::string row_sums_as(const std::string& body) {
  return "#include \"given.h\"\n\nTensor row_sums(const Tensor& x) {\n" + body + "}\n";
}

// A course of our own: the exercises here, compiled into a cache that the next test finds again.
class LearnTest : public testing::Test {
 protected:
  LearnTest() { use(COURSE_TESTS "/lessons"); }

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
  void write_row_sums(const std::string& body) const { write_file(desk + "/02_row_sums.cpp", row_sums_as(body)); }
  // Goes through the steps of a row_sums() with this body; the commands are words.
  Finished step_row_sums(const std::string& body, const std::string& commands) const {
    write_row_sums(body);
    return run_process({"/bin/sh", "-c", "printf '%s\\n' " + commands + " | " LEARN " step 2 --dir " + desk},
                       options());
  }
  std::string state() const { return desk + "/.learn/state.json"; }
  // What is kept of an exercise.
  Standing standing(const std::string& id = "01_twice") const { return Progress::read(Desk(desk)).of(id); }
  // What comes of this answer to the first one.
  Report checked(const std::string& text) const {
    write(text);
    const int exit_code = learn({"check", "1"}).exit_code;
    const Report report = standing().last.value();
    EXPECT_EQ(exit_code == 0, report.passed());
    return report;
  }
  // What was said, whatever this folder is called, and whenever.
  std::string words(const Finished& finished) const {
    std::string text;
    for (std::string line : lines_in(finished.output)) {
      for (std::size_t at = line.find(folder.path()); at != std::string::npos; at = line.find(folder.path())) {
        line.replace(at, folder.path().string().size(), "FOLDER");
      }
      std::istringstream parts(line);
      for (std::string part; parts >> part;) text += part + " ";
    }
    return wrapped(fixtures::replace(text, R"(\d{4}-\d\d-\d\d \d\d:\d\d)", "TIME"), 110, "  ");
  }

  fixtures::TemporaryFolder folder;
  const std::string desk = folder / "desk";
  const std::string answer = desk + "/01_twice.cpp";
};

// A learner's way through it, word for word; and what they are told who ask for what there is not.
TEST_F(LearnTest, FromTheFirstFailureToAllPassed) {
  std::string said;
  const auto step = [&](const std::string& body, const std::string& commands) {
    said += "learn step 2, of\n" + body + words(step_row_sums(body, commands));
  };
  const auto session = [&](const std::vector<std::string>& arguments) {
    const Finished finished = learn(arguments);
    said += "learn";
    for (const std::string& argument : arguments) said += " " + (argument == desk ? "FOLDER" : argument);
    said += fmt::format(": {}\n{}", finished.exit_code, words(finished));
    return finished.exit_code;
  };
  session({"start", desk});
  for (const char* const file : {"01_twice.cpp", "02_row_sums.md", "compile_commands.json", "learn", "README.md",
                                 ".gitignore", ".vscode/tasks.json", ".learn/base/01_twice.cpp"}) {
    EXPECT_TRUE(exists(desk + "/" + file)) << file;
  }
  EXPECT_EQ(session({"start", desk}), 0);
  EXPECT_EQ(session({"read", "2"}), 0);
  EXPECT_EQ(session({"reset", "1", "--undo"}), 1);

  write(twice_as("x * x"));
  EXPECT_EQ(session({"check", "1"}), 1);
  ASSERT_THAT(standing().last->verdict->named, SizeIs(1));
  EXPECT_EQ(standing().last->verdict->named[0][0], "squared");
  EXPECT_EQ(session({"why"}), 1);
  for (const int level : {1, 2}) {
    EXPECT_EQ(session({"hint", "1"}), 0);
    EXPECT_EQ(standing().hints, level);
  }
  EXPECT_EQ(session({"hint", "1", "4"}), 0);
  EXPECT_EQ(session({"solution", "1"}), 1);
  EXPECT_EQ(session({"list"}), 0);

  write(twice_as("x + x"));
  EXPECT_EQ(session({}), 0);
  EXPECT_TRUE(standing().passed);
  EXPECT_EQ(session({"list"}), 0);
  EXPECT_EQ(session({"solution", "1"}), 0);
  session({});
  step("  const Tensor sums = x.mean({1});\n  return probe(\"sums\", sums);\n", "p l n n q");
  step("  const Tensor sums = x.sum({1});\n  return sums + x;\n", "l q");
  // The formula of what is first not right comes before all of them, where an exercise has it.
  for (const char* const body :
       {"  return x.sum({1}) + 1.0;\n", "  return probe(\"sums\", x.sum({1}) + 1.0);\n",
        "  return probe(\"sums\", x.sum({1})) + 1.0;\n", "  return x.sum({1})\n", "  return x.sum({1});\n"}) {
    write_row_sums(body);
    said += body;
    EXPECT_EQ(session({"hint", "2", "3"}), 0);
  }
  EXPECT_EQ(session({"hint", "2", "4"}), 0);
  EXPECT_EQ(session({"check", "row"}), 0);
  EXPECT_EQ(session({}), 0);
  EXPECT_EQ(session({"check", "--all"}), 0);

  EXPECT_EQ(session({"nonsense"}), 2);
  EXPECT_EQ(session({"chek"}), 2);
  EXPECT_EQ(session({"check", "77"}), 2);
  EXPECT_EQ(session({"check", "_"}), 2);
  EXPECT_EQ(session({"hint", "1", "9"}), 1);
  EXPECT_EQ(session({"list", "--dir", "/no/such/folder"}), 1);
  EXPECT_EQ(session({"start", "/proc/x"}), 1);
  fs::remove(answer);
  EXPECT_EQ(session({"check", "1"}), 1);
  EXPECT_TRUE(fixtures::is_golden("course_learn", said));
}

TEST_F(LearnTest, WhatIsGivenLiesBesideTheAnswers) {
  started();
  EXPECT_EQ(read_file(desk + "/given/02_row_sums.h"), read_file(COURSE_TESTS "/lessons/02_row_sums/given.h"));
}

TEST_F(LearnTest, TheFastTrackGoesOnIntoTheRest) {
  const auto last_of = [&](const char* const id) { return standing(id).last.has_value(); };
  const auto write_in_all = [&] {  // what nobody wrote in is not noted
    for (const char* const file : {"/01_twice.cpp", "/02_row_sums.cpp"}) {
      write_file(desk + file, "// mine\n" + read_file(desk + "/.learn/base" + file));
    }
  };
  learn({"start", desk, "--fast"});
  write_in_all();
  learn({});
  EXPECT_TRUE(last_of("02_row_sums"));
  EXPECT_FALSE(last_of("01_twice"));
  write_row_sums("  return x.sum({1});\n");
  EXPECT_EQ(learn({"check", "2"}).exit_code, 0);
  learn({});
  EXPECT_TRUE(last_of("01_twice"));
  learn({"--no-fast"});
  EXPECT_FALSE(Progress::read(Desk(desk)).fast_track());
  EXPECT_EQ(learn({"reset", "2"}).exit_code, 0);
  EXPECT_FALSE(standing("02_row_sums").passed);
  write_in_all();
  learn({"--fast"});
  EXPECT_TRUE(last_of("02_row_sums"));
}

TEST_F(LearnTest, WhatNobodyWroteInWasNotTried) {
  started();
  learn({"check", "--all"});
  learn({});
  EXPECT_EQ(standing().attempts, 0);
  checked(twice_as("x * x"));
  EXPECT_EQ(standing().attempts, 1);
}

// In its first minutes, in which the first exercises need no more than what is compiled first (exercises/learn). And
// where nobody may write beside the course, what is compiled goes into one's own cache.
TEST_F(LearnTest, ANewInstallationThatCannotBeWritten) {
  json settings = json::parse(read_file(folder / "settings.json"));
  settings.erase("cache");
  write_file(folder / "installed/exercises", "no folder, so that root cannot write into it");
  settings["build"] = folder / "installed";
#ifndef LEARN_EARLY
  settings["early_libraries"] = settings["libraries"];
#endif
  write_file(folder / "settings.json", settings.dump());
  started();
  write_row_sums("  return x.sum({1});\n");
  const Finished checked = learn({"check", "2"}, {"XDG_CACHE_HOME=" + folder / "mine"});
  EXPECT_EQ(checked.exit_code, 0) << checked.output;
  EXPECT_TRUE(exists(folder / "mine/backstep"));
}

TEST_F(LearnTest, StartNeverOverwrites) {
  started();
  write("mine");
  fs::remove(desk + "/02_row_sums.cpp");
  started();
  EXPECT_EQ(read_file(answer), "mine");
  EXPECT_TRUE(exists(desk + "/02_row_sums.cpp"));
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
  EXPECT_EQ(learn({"start", std::string(BACKSTEP_SOURCE) + "/my-exercises"}).exit_code, 1);
  EXPECT_FALSE(exists(std::string(BACKSTEP_SOURCE) + "/my-exercises"));
}

// However deep in the engine it lies. The compiler only notes what it was asked for.
TEST_F(LearnTest, ChecksAreCompiledAgainWhenAHeaderChanges) {
  const std::string header = folder / "project/autograd/tensor/tensor.h";
  for (const char* const part : {"nn", "exercises/judge/given"})
    fs::create_directories(folder.path() / "project" / part);
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
  const Report report = checked(twice_as("x + y"));
  EXPECT_EQ(report.outcome, Outcome::does_not_compile);
  EXPECT_EQ(report.problem->place.file, "01_twice.cpp");
  EXPECT_EQ(report.problem->place.line, 4);
  EXPECT_EQ(report.problem->place.column, 14);
  EXPECT_EQ(report.raw.find(report.problem->sentence), std::string::npos);  // it is not the compiler's
  const auto lines_shown = [&](const std::vector<std::string>& arguments) {
    return std::ssize(lines_in(learn(arguments).output));
  };
  EXPECT_GE(lines_shown({"check", "1", "--verbose"}), lines_shown({"check", "1"}) + std::ssize(lines_in(report.raw)));
}

TEST_F(LearnTest, AnswersThatDoNotReturn) {
  started();
  Report report = checked(twice_as("([] { for (volatile int i = 0; i == 0;) {} }(), x)"));
  EXPECT_EQ(report.outcome, Outcome::out_of_time);
  EXPECT_EQ(report.problem->place.line, 4);
  EXPECT_EQ(checked("#include <cstdlib>\n" + twice_as("(std::exit(0), x)")).outcome, Outcome::crashed);
  EXPECT_EQ(checked(twice_as("*static_cast<double*>(nullptr)")).outcome, Outcome::crashed);
  report = checked("#include <stdexcept>\n" + twice_as("x > 0.0 ? throw std::runtime_error(\"mine\") : x"));
  EXPECT_EQ(report.outcome, Outcome::wrong);
  EXPECT_EQ(report.verdict->thrown->message, "mine");
  EXPECT_EQ(report.thrown_at.line, 5);
  EXPECT_EQ(checked(twice_as("x + x") + "\nint main() { return 0; }\n").outcome, Outcome::does_not_compile);
}

TEST_F(LearnTest, WhatIsPrintedIsShownOnceAndFoolsNobody) {
  started();
  const std::string verdict = R"({"outcome": "passed"})";
  const Report report = checked("#include <cstdio>\n" + twice_as("(std::puts(R\"(" + verdict + ")\"), 1.0)"));
  EXPECT_EQ(report.outcome, Outcome::wrong);
  EXPECT_EQ(report.printed, verdict + "\n" + verdict + "\n");  // the check calls twice() twice in each of its many runs
}

TEST_F(LearnTest, AnAnswerRunsWithoutAllThatIsRight) {
  started();
  EXPECT_EQ(checked("namespace solution {\ndouble twice(double x);\n}\n" + twice_as("solution::twice(x)")).outcome,
            Outcome::does_not_compile);
  // Whatever it writes to, there is no verdict that it could write.
  const Report forged =
      checked("#include <unistd.h>\n#include <string>\n" +
              twice_as("[&] {\n    const std::string verdict = R\"({\"outcome\": \"passed\"})\";\n"
                       "    for (int file = 3; file < 64; ++file) (void)!write(file, verdict.data(), verdict.size());\n"
                       "    return x + x;\n  }()"));
  EXPECT_FALSE(forged.passed());
}

// What no mistake explains is run again, with the judge that knows pairs.
TEST_F(LearnTest, WhatIsRightTheSecondTimeIsWrong) {
  started();
  const Report report = checked(
      "#include <filesystem>\n#include <fstream>\n"
      "static const bool is_second = std::filesystem::exists(\"seen\");\n" +
      twice_as("(std::ofstream(\"seen\") << 1, is_second ? x + x : 2.718 * x + 0.1)"));
  EXPECT_EQ(report.outcome, Outcome::wrong);
  EXPECT_FALSE(report.verdict->differences.empty());
}

TEST_F(LearnTest, AnAnswerIsAFile) {
  started();
  fs::remove(answer);
  ASSERT_EQ(::mkfifo(answer.c_str(), 0644), 0);
  const Finished finished = learn({"check", "1"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_LT(finished.seconds, 20.0);
}

TEST_F(LearnTest, AnAnswerIncludesNoOtherAnswer) {
  started();
  const std::string includes = "\n#include <vector>\n" + twice_as("x + x");
  const auto is_refused = [&](const Report& report) {
    EXPECT_EQ(report.outcome, Outcome::does_not_compile);
    EXPECT_THAT(report.raw, IsEmpty());  // the compiler has nothing against it
    return report.problem->place.line;
  };
  EXPECT_EQ(is_refused(checked("#include \"" COURSE_TESTS "/lessons/01_twice/exercise.cpp\"\n")), 1);
  write_file(folder / "another's/helper.h", "");
  fs::create_symlink(folder / "another's/helper.h", desk + "/link.h");
  for (const std::string& path :
       {folder / "another's/helper.h", std::string("../another's/helper.h"), desk + "/link.h"}) {
    is_refused(checked("#include \"" + path + "\"" + includes));
  }
  write_file(desk + "/my helper.h", "");
  EXPECT_TRUE(checked("#include \"my helper.h\"" + includes).passed());
}

TEST_F(LearnTest, ASizeWrittenAsANumberIsFound) {
  started();
  write_row_sums("  return x.mean({1}) * 4.0;\n");
  learn({"check", "2"});
  const Verdict verdict = standing("02_row_sums").last->verdict.value();
  EXPECT_EQ(verdict.outcome, Verdict::Outcome::wrong);
  EXPECT_EQ(verdict.setting.sizes, (Axes{{"rows", 3}, {"columns", 5}}));
  EXPECT_EQ(verdict.usual.sizes, (Axes{{"rows", 3}, {"columns", 4}}));
  EXPECT_EQ(verdict.differences.at(0).wrong, 3);
  EXPECT_EQ(step_row_sums("  return x.mean({1}) * 4.0;\n", "q").exit_code, 1);
}

TEST_F(LearnTest, ResetKeepsWhatWasWritten) {
  started();
  write("my work");
  learn({"reset", "1"});
  EXPECT_EQ(read_file(desk + "/.learn/attic/01_twice.1.cpp"), "my work");
  EXPECT_EQ(read_file(answer), read_file(desk + "/.learn/base/01_twice.cpp"));
  write("more work");
  learn({"reset", "1"});
  EXPECT_EQ(read_file(desk + "/.learn/attic/01_twice.2.cpp"), "more work");
}

TEST_F(LearnTest, WhatWasKeptComesBack) {
  started();
  EXPECT_EQ(learn({"reset", "1", "--undo"}).exit_code, 1);
  write("my work");
  learn({"reset", "1"});
  EXPECT_EQ(learn({"reset", "1", "--undo"}).exit_code, 0);
  EXPECT_EQ(read_file(answer), "my work");
  write("another");
  EXPECT_EQ(learn({"reset", "1", "--undo"}).exit_code, 0);
  EXPECT_EQ(read_file(answer), "my work");
  EXPECT_EQ(read_file(desk + "/.learn/attic/01_twice.2.cpp"), "another");
}

TEST_F(LearnTest, GivingUpIsNoted) {
  started();
  EXPECT_EQ(learn({"solution", "1", "--give-up"}).exit_code, 0);
  EXPECT_TRUE(standing().given_up);
  EXPECT_TRUE(checked(twice_as("x + x")).passed());
  EXPECT_TRUE(standing().given_up);
}

TEST_F(LearnTest, UpdateBringsWhatIsNewAndKeepsWhatWasWritten) {
  fs::copy(COURSE_TESTS "/lessons", folder / "exercises", fs::copy_options::recursive);
  use(folder / "exercises");
  started();
  write("// mine\n" + read_file(answer));
  const std::string source = folder / "exercises/01_twice/exercise.cpp";
  const std::string changed = read_file(source) + "// a new last line\n";
  write_file(source, changed);
  fs::copy(folder / "exercises/02_row_sums", folder / "exercises/03_new", fs::copy_options::recursive);
  const Finished updated = learn({"update"});
  EXPECT_EQ(updated.exit_code, 0);
  EXPECT_TRUE(exists(desk + "/03_new.cpp"));
  const std::vector<std::string> merged = lines_of(answer);
  EXPECT_EQ(merged.front(), "// mine");
  EXPECT_EQ(merged.back(), "// a new last line");
  learn({"update"});
  EXPECT_EQ(lines_of(answer), merged);
}

TEST_F(LearnTest, ADamagedRecordIsNotFatal) {
  started();
  write_file(state(), "{\"exercises\": ");
  EXPECT_EQ(learn({"list"}).exit_code, 0);
  EXPECT_EQ(read_file(desk + "/.learn/attic/state.1.json"), "{\"exercises\": ");
}

// Also for root, for whom no folder is read-only.
TEST_F(LearnTest, ACheckWorksWhereProgressCannotBeKept) {
  started();
  fs::remove(desk + "/.learn/lock");
  fs::create_directory(desk + "/.learn/lock");
  write(twice_as("x + x"));
  EXPECT_EQ(learn({"check", "1"}).exit_code, 0);
  EXPECT_FALSE(standing().passed);
}

TEST_F(LearnTest, AFileOutsideOfAnyDesk) {
  fs::create_directory(folder / "loose");
  write_file(folder / "loose/01_twice.cpp", twice_as("x + x"));
  const Finished finished = learn({"check", folder / "loose/01_twice.cpp"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_FALSE(exists(folder / "loose/.learn"));
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
  const Report report = checked(twice_as("x + x + x"));
  ASSERT_THAT(report.verdict->named, SizeIs(1));
  EXPECT_EQ(report.verdict->named[0][0], "thrice");
  EXPECT_EQ(runs_of(pid), 0U);  // and what was left behind is cleared away
  EXPECT_TRUE(standing().passed);
}

TEST_F(LearnTest, TwoAtOnceDoNotHarmEachOther) {
  started();
  write(twice_as("x + x"));
  std::array<Finished, 3> finished;
  std::vector<std::thread> threads;
  for (Finished& one : finished) threads.emplace_back([&] { one = learn({"check", "1"}); });
  for (std::thread& thread : threads) thread.join();
  for (const Finished& one : finished) EXPECT_EQ(one.exit_code, 0) << one.output;
  EXPECT_TRUE(standing().passed);
}

TEST_F(LearnTest, Grades) {
  started();
  fs::create_directory(folder / "answers");
  write_file(folder / "answers/01_twice.cpp", twice_as("x + x"));
  write_file(
      folder / "answers/02_row_sums.cpp",
      "#include \"given.h\"\nTensor row_sums(const Tensor& x) { for (volatile int i = 0; i == 0;) {} return x; }\n");
  const Finished graded = learn({"grade", folder / "answers", "1=4", "2=6", "--seconds", "1", "--json",
                                 folder / "g.json", "--gradescope", folder / "results.json", "--github"},
                                {"GITHUB_OUTPUT=" + folder / "github"});
  EXPECT_EQ(graded.exit_code, 1);
  const json read = json::parse(read_file(folder / "g.json"));
  EXPECT_EQ(read.at("points"), 4.0);
  EXPECT_EQ(read.at("of"), 10.0);
  EXPECT_EQ(read.at("exercises").at(1).at("outcome"), "out of time");
  EXPECT_EQ(times_in(graded.output, "::error file=" + folder / "answers/02_row_sums.cpp,line=2,"), 1U);
  EXPECT_EQ(json::parse(read_file(folder / "results.json")).at("tests").at(1).at("status"), "failed");
  EXPECT_THAT(read_file(folder / "github"), testing::StartsWith("result=ey"));
  for (const char* const file : {"g.json", "results.json"}) {
    for (const std::string& own : {std::string("learn why"), std::string("--verbose"), folder.path().string()}) {
      EXPECT_EQ(times_in(read_file(folder / file), own), 0U) << own;
    }
  }
  fs::remove(folder / "answers/02_row_sums.cpp");
  learn({"grade", folder / "answers", "--json", folder / "g.json"});
  const json without = json::parse(read_file(folder / "g.json"));
  EXPECT_EQ(without.at("exercises").at(1).at("outcome"), "missing");
  EXPECT_EQ(without.at("points"), 1.0);
}

// All or nothing; or, where it is asked for, a part of the check is worth its share of the points.
TEST_F(LearnTest, GradesParts) {
  const auto points = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"grade", folder / "answers", "1=3", "--json", folder / "g.json"});
    learn(more);
    return json::parse(read_file(folder / "g.json")).at("points").get<double>();
  };
  write_file(folder / "answers/01_twice.cpp", twice_as("x > 0 ? x + x : x"));
  EXPECT_EQ(points({}), 0.0);
  EXPECT_EQ(points({"--by-parts"}), 1.5);
  write_file(folder / "answers/01_twice.cpp", "int main() {}");
  EXPECT_EQ(points({"--by-parts"}), 0.0);
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
  EXPECT_EQ(read_file(classroom + "/grades.csv"),
            "student,points,of,passed,01_twice,02_row_sums\nada,1,2,1,1,0\nbob,1,2,1,0,1\n");
  EXPECT_GE(times_in(read_file(classroom + "/grades.html"), "<code>squared</code>"), 1U);

  // What has not changed is not graded again: what is kept is taken as it is.
  const std::string kept = classroom + "/.grades/ada/01_twice.json";
  std::string text = read_file(kept);
  text.replace(text.find("\"passed\""), 8, "\"wrong\"");
  write_file(kept, text);
  learn({"grade", classroom, "1", "2"});
  EXPECT_EQ(lines_of(classroom + "/grades.csv").at(1), "ada,0,2,0,0,0");
  learn({"grade", classroom, "1", "2", "--again"});
  EXPECT_EQ(lines_of(classroom + "/grades.csv").at(1), "ada,1,2,1,1,0");
  write_file(classroom + "/ada/01_twice.cpp", twice_as("x * x"));
  learn({"grade", classroom, "1", "2"});
  const std::string wider = read_file(classroom + "/grades.csv");
  EXPECT_EQ(lines_of(classroom + "/grades.csv").at(1), "ada,0,2,0,0,0");

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
    for (const char* const harmful : {"\033", "\u009B", "\u202E"}) EXPECT_EQ(times_in(shown, harmful), 0U);
  }
  // A learner is told the same.
  EXPECT_EQ(learn({"check", student + "/deep er/01_twice (1).cpp"}).exit_code, 0);
}

// Its own solution takes longer than an answer may, unless more is allowed.
TEST_F(LearnTest, AnExerciseThatCannotBeGradedCostsNoOther) {
  fs::copy(COURSE_TESTS "/lessons", folder / "exercises", fs::copy_options::recursive);
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
  EXPECT_EQ(ExerciseSource::read(folder / "exercises/54_mine/exercise.cpp").part, "I");
  EXPECT_NE(learn({"dev", "new", "55_mine", "Mine", "--part", "Z"}).exit_code, 0);
  EXPECT_FALSE(exists(folder / "exercises/55_mine"));
}

TEST_F(LearnTest, WrongUsageHarmsNoTerminal) {
  started();
  const Finished finished = learn({"check", "\033[31m\u009B"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(times_in(finished.output, "\033") + times_in(finished.output, "\u009B"), 0U);
  for (const auto& arguments : std::vector<std::vector<std::string>>{{"help"}, {"help", "watch"}, {"--version"}}) {
    EXPECT_EQ(learn(arguments).exit_code, 0);
  }
}

TEST_F(LearnTest, PlainWhereTheScreenIs) {
  started();
  write(twice_as("x + x"));
  EXPECT_EQ(times_in(learn({"check", "1"}).output, "\033"), 0U);
  const std::string output = learn({"check", "1"}, {"LC_ALL=C"}).output;
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
  EXPECT_EQ(read_file(answer), read_file(desk + "/.learn/base/01_twice.cpp"));
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
  const std::string begins = background.at("beginsPattern");
  const std::string ends = background.at("endsPattern");
  const Finished watched = run_process({"/bin/sh", "-c", "exec timeout 6 " LEARN " watch 1 --dir " + desk}, options());
  std::string seen;
  std::istringstream lines(watched.output);
  for (std::string line; std::getline(lines, line);) {
    if (!fixtures::matches(line, begins).empty()) seen += "b";
    if (!fixtures::matches(line, ends).empty()) seen += "e";
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
