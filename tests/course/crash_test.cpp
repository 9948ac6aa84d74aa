// What sanitizers said to answers that crash (reports/, captured by capture_messages.py), and what the runner makes of
// it.
#include "runner/explain/crash.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "sections.h"

namespace course_crash_test {

using namespace learn;
using testing::HasSubstr;

// The first line of a report is "exit N".
std::string explained(const std::string& report, const std::string& answer_text) {
  const int exit_code = std::stoi(report.substr(5));
  const std::string answer = "25_linear_layer.cpp";
  if (auto leak = explain_leak(report, answer)) return fmt::format("leak {} {}\n", leak->place.line, leak->sentence);
  std::vector<std::string> lines;
  std::istringstream stream(answer_text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  const Explained explained = explain_ending({exit_code, false, report, 10, lines}, answer);
  return fmt::format("{} {} {}\n{}\n", name(explained.outcome), explained.problem.place.line,
                     explained.problem.sentence, explained.problem.advice);
}

TEST(Crash, ReportsAreExplainedAsBefore) {
  for (const std::string& path : fixtures_in(COURSE_TESTS "/reports")) {
    SCOPED_TRACE(path);
    Fixture fixture = read_fixture(path);
    for (const std::string compiler : {"g++", "clang++"}) {
      const std::string now = explained(fixture.at(compiler), fixture.at("answer"));
      if (update_fixtures()) fixture.at(compiler + " explained") = now;
      EXPECT_EQ(now, fixture.at(compiler + " explained")) << compiler;
    }
    if (update_fixtures()) fixture.write();
  }
}

TEST(Crash, ANullPointerInALambdaMayBeAReferenceToWhatIsGone) {
  const auto advice = [](const std::string& function) {
    const std::string text = "a.cpp:3:2: runtime error: member call on null pointer of type 'Value'\n    #0 0x1 in " +
                             function + " /desk/a.cpp:3:2\n    #1 0x2 in operator() /desk/a.cpp:9:2\n";
    return explain_ending({87, false, text, 10}, "a.cpp").problem.advice;
  };
  EXPECT_THAT(advice("operator()"), HasSubstr("Does this lambda keep a reference"));
  EXPECT_THAT(advice("backward(Value&)"), Not(HasSubstr("lambda")));
}

TEST(Crash, WaitingAndWorkingTooLongAreToldApart) {
  const std::string stack = "\n    #0 0x1 in pause\n    #1 0x2 in twice(double) /desk/a.cpp:3:2\n";
  const Explained waits = explain_ending({124, false, "course: waiting" + stack, 10}, "a.cpp");
  const Explained works = explain_ending({124, false, "course: out of time" + stack, 10}, "a.cpp");
  const Explained killed = explain_ending({128 + SIGXCPU, false, "", 10}, "a.cpp");
  for (const Explained* const each : {&waits, &works, &killed}) {
    EXPECT_EQ(each->outcome, Report::Outcome::out_of_time);
  }
  EXPECT_EQ(waits.problem.place.line, 3);
  EXPECT_EQ(works.problem.place.line, 3);
  EXPECT_NE(waits.problem.sentence, works.problem.sentence);
  EXPECT_EQ(killed.problem.sentence, works.problem.sentence);
}

TEST(Crash, EndingByExitIsSaid) {
  const Explained explained = explain_ending({0, false, "bye\n", 10}, "a.cpp");
  EXPECT_EQ(explained.outcome, Report::Outcome::crashed);
  EXPECT_THAT(explained.problem.sentence, HasSubstr("ended the program itself, with exit code 0"));
}

TEST(Crash, ASignalIsSaidInWords) {
  const auto said = [](int number) { return explain_ending({128 + number, false, "", 10}, "a.cpp").problem.sentence; };
  EXPECT_THAT(said(SIGKILL), HasSubstr("ended from outside (killed)"));
  EXPECT_THAT(said(SIGXFSZ), HasSubstr("writes a file that grows"));
  EXPECT_THAT(said(SIGQUIT), HasSubstr("Quit"));
}

// It is open what ends a `while`; a counted loop has its end, and is only long.
TEST(Crash, ALongLoopIsNotAskedForItsEnd) {
  const std::string stack = "course: out of time\n    #0 0x1 in f() a.cpp:2:1\n";
  const auto advice = [&](const std::string& loop, const std::string& printed = "") {
    return explain_ending({124, false, printed + stack, 10, {loop, "  x();", "}"}}, "a.cpp").problem.advice;
  };
  EXPECT_EQ(advice("while (a < b) {"), "What should end this loop?");
  EXPECT_THAT(advice("for (int i = 0; i < n; ++i) {"), HasSubstr("How often is this loop to run"));
  EXPECT_THAT(advice("for (int i = 0; i < n; ++i) {", std::string(200'000, '\n')), HasSubstr("prints takes time"));
}

// From inside a library, a stack may not lead back to the answer: the watchdog looks several times.
TEST(Crash, OneLookAtAnEndlessLoopIsEnough) {
  const std::string looks = "course: out of time\n    #0 0x1 in g() b.cpp:7:1\n    #0 0x1 in f() a.cpp:2:1\n";
  EXPECT_EQ(explain_ending({124, false, looks, 10, {"while (a < b) {", "  x();", "}"}}, "a.cpp").problem.place.line, 1);
}

TEST(Crash, TimeoutFromOutside) {
  const Explained explained = explain_ending({137, true, "", 7}, "a.cpp");
  EXPECT_EQ(explained.outcome, Report::Outcome::out_of_time);
  EXPECT_THAT(explained.problem.sentence, HasSubstr("after 7 seconds"));
}

TEST(Crash, TimeoutAfterMoreOutputThanIsKept) {
  const Explained explained = explain_ending({124, false, "spam\n    #3 0x563 in f(int) /tmp/a.cpp:11\n", 7}, "a.cpp");
  EXPECT_EQ(explained.outcome, Report::Outcome::out_of_time);
  EXPECT_EQ(explained.problem.place.line, 11);
}

// Where it was at that moment is chance; the loop is not.
TEST(Crash, TheLoopThatDoesNotEnd) {
  const std::vector<std::string> lines = {"double helper(double x) {",        // 1
                                          "  while (x > 0.0) {",              // 2
                                          "    x = x + 1.0;",                 // 3
                                          "",                                 // 4
                                          "    if (x < 0.0) {",               // 5
                                          "      return x;",                  // 6
                                          "    }",                            // 7
                                          "  }",                              // 8
                                          "}",                                // 9
                                          "double answer(double x) {",        // 10
                                          "  for (int i = 0; i < 3; ++i) {",  // 11
                                          "    x = helper(x);",               // 12
                                          "  }",                              // 13
                                          "  return x;",                      // 14
                                          "}"};
  const auto loop_at = [&](const std::string& stack) { return endless_loop(stack, "a.cpp", lines).line; };
  EXPECT_EQ(loop_at("  #3 0x1 in helper a.cpp:6\n  #4 0x2 in answer a.cpp:12\n"), 2);
  EXPECT_EQ(loop_at("  #3 0x1 in helper a.cpp:2\n  #4 0x2 in answer a.cpp:12\n"), 2);
  EXPECT_EQ(loop_at("  #4 0x2 in answer a.cpp:12\n"), 11);
  EXPECT_EQ(loop_at("  #4 0x2 in answer a.cpp:14\n"), 0);
  EXPECT_EQ(loop_at("  #4 0x2 in answer a.cpp:99\n"), 0);
}

TEST(Crash, ALeakThatIsNotTheLearnersIsNoProblem) {
  EXPECT_FALSE(
      explain_leak("==1==ERROR: LeakSanitizer: detected memory leaks\n    #1 0x5 in g /course/check.cpp:4\n", "a.cpp"));
}

TEST(Crash, WhatTheAnswerPrintedIsKeptAndReportsAreNot) {
  EXPECT_EQ(without_reports("hello\nAddressSanitizer:DEADLYSIGNAL\n==12==ERROR: x\n    #0 0x12 in f a.cpp:1\n"),
            "hello\n");
  EXPECT_EQ(without_reports("terminate called after throwing an instance of 'x'\n  what():  [shape-mismatch] add: no\n"
                            "  at: a.cpp:3\n  in the backward of: tanh, run at a.cpp:2\n  try: b\n"),
            "");
  EXPECT_EQ(without_reports("a.cpp:3:1: runtime error: division by zero\n"), "");
  EXPECT_EQ(without_reports("# a heading of mine\n\nx = 3\n"), "# a heading of mine\n\nx = 3\n");
}

// What an answer prints without a line end: std::regex would need more stack than there is.
TEST(Crash, ALineOfAnyLengthIsRead) {
  const std::string line = "numbers: " + std::string(200'000, '1') + "\n";
  EXPECT_EQ(without_reports(line), line);
  const std::string report = line + "/x/25_linear_layer.cpp:5:3: runtime error: division by zero\n";
  const Explained explained = explain_ending({1, false, report, 10}, "25_linear_layer.cpp");
  EXPECT_EQ(explained.problem.sentence, "an integer is divided by zero");
  EXPECT_EQ(explained.problem.place.line, 5);
  const std::string thrown = "terminate called after throwing an instance of 'x'\n  what():  " + line;
  EXPECT_THAT(explain_ending({134, false, thrown, 10}, "a.cpp").problem.sentence, HasSubstr("nobody catches: numbers"));
  const std::string loop = "while (" + std::string(200'000, '1') + ") {";
  EXPECT_EQ(endless_loop("    #0 0x1 in f() a.cpp:2:1\n", "a.cpp", {loop, "  x();", "}"}).line, 1);
}

TEST(Crash, NumbersThatNoFileHasAreNotKnown) {
  const std::string report =
      "a.cpp:99999999999:3: runtime error: division by zero\n    #0 0x1 in f() a.cpp:99999999999\n";
  const Problem problem = explain_ending({1, false, report, 10}, "a.cpp").problem;
  EXPECT_EQ(problem.sentence, "an integer is divided by zero");
  EXPECT_FALSE(problem.place.known());
  const std::string beyond =
      "ERROR: AddressSanitizer: heap-buffer-overflow\nREAD of size 8\nlocated 0 bytes after 99999999999999999999-byte "
      "region\n";
  EXPECT_THAT(explain_ending({86, false, beyond, 10}, "a.cpp").problem.sentence, HasSubstr("beyond the end"));
}

// Of code that the compiler made up, stack traces say line 0.
TEST(Crash, LineZeroIsInNoLoop) {
  const std::string stack = "    #0 0x1 in f() a.cpp:0\n    #1 0x1 in g() a.cpp:2:1\n";
  EXPECT_EQ(endless_loop(stack, "a.cpp", {"while (true) {", "  x();", "}"}).line, 1);
  EXPECT_FALSE(endless_loop("    #0 0x1 in f() a.cpp:0\n", "a.cpp", {"while (true) {", "}"}).known());
}

}  // namespace course_crash_test
