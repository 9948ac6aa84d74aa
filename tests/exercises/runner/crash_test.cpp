// What sanitizers say of answers that crash, by its first lines, and what the runner makes of it.
#include "runner/explain/crash.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <csignal>

#include "judge/endings.h"
#include "tests/support/golden.h"

namespace course_crash_test {

using namespace learn;

struct Said {
  int exit_code;
  const char* text;
  int line;               // of the answer; 0 where nothing tells it
  const char* trap = "";  // of WebAssembly
};

constexpr Said ends[] = {
    {86,
     "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60\nWRITE of size 8\n    #0 0x1 in f a.cpp:11",
     11},
    {87, "==7==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x60\n    #0 0x1 in f a.cpp:11:37", 11},
    {86,
     "==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x60\n    #0 0x1 in f a.cpp:12\nfreed by thread T0 "
     "here:\n    #1 0x1 in f a.cpp:9",
     12},
    {86, "==7==ERROR: AddressSanitizer: stack-use-after-scope on address 0x7f\n    #0 0x1 in f a.cpp:5", 5},
    {86,
     "==7==ERROR: AddressSanitizer: stack-overflow on address 0x7f\n    #0 0x1 in again a.cpp:2\n    #1 0x1 in other "
     "a.cpp:6\n    #2 0x1 in again a.cpp:3",
     3},
    {86, "==7==ERROR: AddressSanitizer: attempting double-free on 0x60 in thread T0:\n    #1 0x1 in f a.cpp:12", 12},
    {86, "==7==ERROR: AddressSanitizer: requested allocation size 0x2 exceeds\n    #8 0x1 in f a.cpp:10", 10},
    {86,
     "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x0\n    #0 0x1 in f a.cpp:6\n==7==Hint: address points to "
     "the zero page.",
     6},
    {86, "==7==ERROR: AddressSanitizer: SEGV on unknown address (pc 0x5\n    #0 0x1 in f a.cpp:6", 6},
    {86,
     "stl_vector.h:1123: std::vector<double>::operator[](size_type): Assertion '__n < this->size()' failed.\n"
     "==7==ERROR: AddressSanitizer: ABRT on unknown address 0x1\n    #5 0x1 in f a.cpp:11",
     11},
    {86,
     "check: a.cpp:10: f(): Assertion `x.size(0) == 5' failed.\n==7==ERROR: AddressSanitizer: ABRT on unknown "
     "address 0x1\n    #5 0x1 in f a.cpp:10",
     10},
    {86,
     "terminate called after throwing an instance of 'std::runtime_error'\n  what():  no way\n==7==ERROR: "
     "AddressSanitizer: ABRT on unknown address 0x1\n    #5 0x1 in f a.cpp:10",
     10},
    {86, "terminate called after throwing an instance of 'int'\n==7==ERROR: AddressSanitizer: ABRT on unknown address",
     0},
    {86, "==7==ERROR: AddressSanitizer: ABRT on unknown address 0x1\n    #5 0x1 in f a.cpp:10", 10},
    {87, "a.cpp:11:21: runtime error: reference binding to null pointer of type 'const struct Tensor'", 11},
    {87, "a.cpp:11:21: runtime error: signed integer overflow: 4 + 2147483647 cannot be represented in type 'int'", 11},
    {87, "a.cpp:11:21: runtime error: index 4 out of bounds for type 'double [3]'", 11},
    {87, "stl_vector.h:9:1: runtime error: division by zero\n    #0 0x1 in g stl_vector.h:9\n    #1 0x1 in f a.cpp:10",
     10},
    {134, "", 0, "Maximum call stack size exceeded"},
    {134, "", 0, "memory access out of bounds"},
    {134, "", 0, "divide by zero"},
    {134, "", 0, "unreachable"},
    {87, "==7==AddressSanitizer: hard rss limit exhausted (2000Mb vs 2038Mb)", 0},
    {128 + SIGXFSZ, "", 0},
    {128 + SIGSYS, "course: stack\n    #3 0x1 in f a.cpp:4", 4},
    {128 + SIGKILL, "", 0},
    {3, "bye", 0},
};

TEST(Crash, IsSaidInASentence) {
  std::string text;
  for (const Said& end : ends) {
    const Explained explained = explain_ending({end.exit_code, false, end.text, 10, {}, end.trap}, "a.cpp");
    EXPECT_EQ(explained.outcome, Report::Outcome::crashed) << end.text;
    EXPECT_EQ(explained.problem.place.line, end.line) << end.text;
    text += fmt::format("{}{}{}\n", explained.problem.sentence, explained.problem.advice.empty() ? "" : " | ",
                        explained.problem.advice);
  }
  for (const char* const message : {"narrow: start -72340172838076674 is outside",
                                    "vector::_M_range_check: __n (which is 5) >= this->size() (which is 3)", "vector",
                                    "std::bad_alloc", "map::at"}) {
    text += explain_exception(message) + "\n";
  }
  EXPECT_TRUE(fixtures::is_golden("course_crash", text));
}

TEST(Crash, ALeakIsTheLearnersIfTheirLineTookTheMemory) {
  const std::string report = "==1==ERROR: LeakSanitizer: detected memory leaks\n    #0 0x1 in operator new\n";
  const auto leak = explain_leak(report + "    #1 0x5 in f /desk/a.cpp:10\n", "a.cpp");
  ASSERT_TRUE(leak);
  EXPECT_EQ(leak->place.line, 10);
  EXPECT_FALSE(explain_leak(report + "    #1 0x5 in g /course/check.cpp:4\n", "a.cpp"));
}

TEST(Crash, WaitingAndWorkingTooLongAreToldApart) {
  const std::string stack = "\n    #0 0x1 in pause\n    #1 0x2 in twice(double) /desk/a.cpp:3:2\n";
  const Explained waits = explain_ending({judge::waited_too_long, false, judge::stack_mark + stack, 10}, "a.cpp");
  const Explained works = explain_ending({judge::timed_out, false, judge::stack_mark + stack, 10}, "a.cpp");
  const Explained killed = explain_ending({128 + SIGXCPU, false, "", 10}, "a.cpp");
  for (const Explained* const each : {&waits, &works, &killed}) {
    EXPECT_EQ(each->outcome, Report::Outcome::out_of_time);
  }
  EXPECT_EQ(waits.problem.place.line, 3);
  EXPECT_EQ(works.problem.place.line, 3);
  EXPECT_NE(waits.problem.sentence, works.problem.sentence);
  EXPECT_EQ(killed.problem.sentence, works.problem.sentence);
}

// It is open what ends a `while`; a counted loop has its end, and is only long.
TEST(Crash, ALongLoopIsNotAskedForItsEnd) {
  const std::string stack = "course: stack\n    #0 0x1 in f() a.cpp:2:1\n";
  const auto advice = [&](const std::string& loop, const std::string& printed = "") {
    return explain_ending({124, false, printed + stack, 10, {loop, "  x();", "}"}}, "a.cpp").problem.advice;
  };
  const std::string open = advice("while (a < b) {");
  const std::string counted = advice("for (int i = 0; i < n; ++i) {");
  EXPECT_NE(open, counted);
  EXPECT_NE(advice("for (int i = 0; i < n; ++i) {", std::string(200'000, '\n')), counted);
}

// From inside a library, a stack may not lead back to the answer: the watchdog looks several times.
TEST(Crash, OneLookAtAnEndlessLoopIsEnough) {
  const std::string looks = "course: stack\n    #0 0x1 in g() b.cpp:7:1\n    #0 0x1 in f() a.cpp:2:1\n";
  EXPECT_EQ(explain_ending({124, false, looks, 10, {"while (a < b) {", "  x();", "}"}}, "a.cpp").problem.place.line, 1);
}

TEST(Crash, TimeoutFromOutside) {
  EXPECT_EQ(explain_ending({137, true, "", 7}, "a.cpp").outcome, Report::Outcome::out_of_time);
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
  const std::string report = line + "/x/19_linear_layer.cpp:5:3: runtime error: division by zero\n";
  const Explained explained = explain_ending({1, false, report, 10}, "19_linear_layer.cpp");
  EXPECT_EQ(explained.problem.place.line, 5);
  const std::string thrown = "terminate called after throwing an instance of 'x'\n  what():  " + line;
  EXPECT_GT(explain_ending({134, false, thrown, 10}, "a.cpp").problem.sentence.size(), 1000u);
  const std::string loop = "while (" + std::string(200'000, '1') + ") {";
  EXPECT_EQ(endless_loop("    #0 0x1 in f() a.cpp:2:1\n", "a.cpp", {loop, "  x();", "}"}).line, 1);
}

TEST(Crash, NumbersThatNoFileHasAreNotKnown) {
  const std::string report =
      "a.cpp:99999999999:3: runtime error: division by zero\n    #0 0x1 in f() a.cpp:99999999999\n";
  EXPECT_FALSE(explain_ending({1, false, report, 10}, "a.cpp").problem.place.known());
}

// Of code that the compiler made up, stack traces say line 0.
TEST(Crash, LineZeroIsInNoLoop) {
  const std::string stack = "    #0 0x1 in f() a.cpp:0\n    #1 0x1 in g() a.cpp:2:1\n";
  EXPECT_EQ(endless_loop(stack, "a.cpp", {"while (true) {", "  x();", "}"}).line, 1);
  EXPECT_FALSE(endless_loop("    #0 0x1 in f() a.cpp:0\n", "a.cpp", {"while (true) {", "}"}).known());
}

}  // namespace course_crash_test
