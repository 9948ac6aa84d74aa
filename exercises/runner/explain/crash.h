// Crash: what a check program says when it ends before its verdict, in a sentence: reports of AddressSanitizer,
// LeakSanitizer and UndefinedBehaviorSanitizer, exceptions nobody catches, abort(), exit(), and running out of time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/report/report.h"

namespace learn {

struct Ending {
  int exit_code = 0;
  bool killed_for_time = false;         // by us, from outside
  std::string text;                     // all that it wrote, sanitizers' reports included
  int seconds = 0;                      // what it was allowed: of processor time, or when killed from outside, of any
  std::vector<std::string> lines = {};  // of the answer
  std::string trap = {};                // in WebAssembly: what the machine said when it stopped the program
};

// The loop that does not end, of a program that was stopped at this stack trace: the `while`, `do` or `for (;;)` around
// the outermost frame that has one, or else the `for`. Unknown if there is none.
Place endless_loop(const std::string& stack, const std::string& file, const std::vector<std::string>& lines);

struct Explained {
  Report::Outcome outcome = Report::Outcome::crashed;
  Problem problem;
};

// `answer`: the name of the learner's file, as it stands in stack traces.
Explained explain_ending(const Ending& ending, const std::string& answer);

// Memory that was never given back, if the learner's file took it.
std::optional<Problem> explain_leak(const std::string& text, const std::string& answer);

// What the standard library throws, in a sentence; any other message as it is.
std::string explain_exception(const std::string& message);

// What the program printed itself, without the sanitizers' and the course's own lines.
std::string without_reports(const std::string& text);

// The first line of the file that a stack trace goes through, after the text `from`.
Place first_place_in(const std::string& text, const std::string& file, const std::string& from = "");
// All of them, the innermost first.
std::vector<Place> places_in(const std::string& text, const std::string& file);

}  // namespace learn
