#include "runner/explain/crash.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cstring>
#include <regex>

#include "judge/endings.h"
#include "runner/explain/phrasebook.h"
#include "runner/system/files.h"
#include "runner/text/lines.h"

namespace learn {
namespace {

constexpr std::size_t much_output = 100000;

constexpr const char* recursion = "your code calls itself again and again, until the stack is full";
constexpr const char* when_it_stops =
    "When does it stop? If it does, it goes too deep; a loop would not. "
    "(A local array of a few MB also fills the stack.)";
constexpr const char* which_index = "Which index comes here, and how many elements are there?";
constexpr const char* not_enough_memory = "there is not enough memory for what your code asks for";
constexpr const char* wild = "your code uses an address that does not belong to it";
constexpr const char* which_pointer =
    "Which pointer, or which undefined Tensor, is used in this line? In a lambda it may be a reference ([&x]) to a "
    "variable that is gone.";

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// In the first line that has one.
std::string first_match(const std::string& text, const char* pattern) {
  const std::regex expression(pattern);
  std::smatch match;
  for (const std::string& line : short_lines_in(text)) {
    if (std::regex_search(line, match, expression)) return match[1];
  }
  return "";
}

// Among functions that call each other, chance decides where the stack ends: the first in the file is named. The
// innermost frame stands at its function's head, not at a call, and is left out.
Place place_of_recursion(const std::string& report, const std::string& answer) {
  const std::vector<Place> places = places_in(report, answer);
  if (places.size() < 2) return first_place_in(report, answer);
  return *std::min_element(places.begin() + 1, places.end(),
                           [](const Place& a, const Place& b) { return a.line < b.line; });
}

// ---- ways to give up ------------------------------------------------------------------------------------------------

constexpr Phrase aborts[] = {
    {R"(Assertion '__n < this->size\(\)' failed)", "an index beyond the end of a vector", which_index},
    {R"(Assertion .*failed.*)", "$&", ""},
    {"terminate called", "your code ended with std::terminate()", ""},
};

std::optional<Problem> explain_abort(const std::string& text, const Place& place) {
  const std::string thrown = first_match(text, R"(terminate called after throwing an instance of '([^']*)')");
  if (thrown.empty()) return find_phrase(aborts, text, place);
  const std::string what = first_match(text, R"(what\(\):  (.*))");
  return Problem{"an exception that nobody catches: " + (what.empty() ? thrown : what),
                 "It came while the program was starting, through a function that is noexcept, or it is not a "
                 "std::exception.",
                 place};
}

// ---- AddressSanitizer -----------------------------------------------------------------------------------------------

// What the first line of its report names.
constexpr Phrase kinds[] = {
    {"buffer-overflow|buffer-underflow|container-overflow", "your code reads or writes outside an array or a vector",
     which_index},
    {"use-after", "your code uses memory that is gone",
     "A reference or pointer to an element of a vector after push_back, to a variable whose { } has ended, to what was "
     "deleted?"},
    {"stack-overflow", recursion, when_it_stops},
    {"allocation-size-too-big|requested allocation size|calloc-overflow|out.of.memory", not_enough_memory,
     "Does something grow without end? Can a size have become negative?"},
    {"SEGV.*zero page", "your code follows a null pointer", which_pointer},
    {"SEGV|BUS", wild, "A wild index, or a pointer that was never given a value?"},
    {"AddressSanitizer: ([^(]*?) (?:on|in|\\()", "your code uses memory wrongly: $1", ""},
};

std::optional<Problem> explain_address_sanitizer(const std::string& text, const std::string& answer) {
  if (!contains(text, "ERROR: AddressSanitizer:")) return std::nullopt;
  const std::string report = text.substr(text.find("ERROR: AddressSanitizer:"));
  std::string head = report.substr(0, report.find('\n'));
  const Place place = first_place_in(report, answer);
  if (contains(head, "stack-overflow")) return find_phrase(kinds, head, place_of_recursion(report, answer));
  if (contains(head, "ABRT")) {
    return explain_abort(text, place)
        .value_or(Problem{"your code, or something that it called, gave up: abort()", "", place});
  }
  if (contains(report, "zero page")) head += " zero page";  // a later line says it of a null pointer
  return find_phrase(kinds, head, place).value_or(Problem{"your code uses memory wrongly", "", place});
}

// ---- UndefinedBehaviorSanitizer: its own words say what it is -------------------------------------------------------

constexpr Phrase undefined[] = {
    {"null pointer", "your code follows a null pointer", which_pointer},
    {"index .* out of bounds.*", "$&", which_index},
    {"^.*not a valid value for type.*", "$&", "Was it ever given a value? Initialise it where it is declared."},
    {"^.*", "$&", ""},
};

std::optional<Problem> explain_undefined_behaviour(const std::string& text, const std::string& answer) {
  static const std::regex located(R"(([^\s:][^:]*):(\d+):(\d+): runtime error: (.*))");
  for (const std::string& line : short_lines_in(text)) {
    std::smatch match;
    if (!std::regex_match(line, match, located)) continue;
    Place place{file_name(match[1]), place_number(match[2]), place_number(match[3])};
    if (place.file != answer) place = first_place_in(text, answer, "runtime error:");
    return find_phrase(undefined, match[4], place);
  }
  return std::nullopt;
}

// ---- WebAssembly ----------------------------------------------------------------------------------------------------

// In the words of V8, SpiderMonkey and JavaScriptCore.
constexpr Phrase traps[] = {
    {"[Dd]ivi.* by zero|remainder by zero", "an integer is divided by zero", ""},
    {"stack size|recursion", recursion, when_it_stops},
    {"[Oo]ut of bounds(?! Trunc)", wild,
     "A wild index, a pointer that was never given a value, or a function that calls itself without end?"},
    {"^.+", "your code was stopped: $&", ""},
};

// ---- exceptions of the standard library -----------------------------------------------------------------------------

// Integers of 0xFE bytes: -ftrivial-auto-var-init=pattern (builder.cpp).
constexpr Phrase exceptions[] = {
    {"^.*(-72340172838076674|-16843010).*", "$& ($1 is what stands in an integer that nothing was ever written to)",
     ""},
    {R"(_M_range_check: __n \(which is (\d+)\) >= (?:this->)?size\(\) \(which is (\d+)\))",
     "index $1 in something that has $2 elements", ""},
    {"^std::bad_alloc$", not_enough_memory, ""},
    {"^vector$", "an index beyond the end of a vector", ""},  // clang's library says no more
};

// ---- time and memory ------------------------------------------------------------------------------------------------

std::size_t indentation(const std::string& line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

bool is_open_loop(const std::string& line) {
  static const std::regex open(R"(\s*(?:while\b.*|do\b.*|for \(\s*;\s*;\s*\).*))");
  return std::regex_match(beginning_of(line), open);
}

bool is_counted_loop(const std::string& line) {
  static const std::regex counted(R"(\s*for\b.*)");
  return std::regex_match(beginning_of(line), counted);
}

// Of the watchdog's looks at where the answer was, the first that leads there.
std::string first_stack_with(const std::string& answer, const std::string& text) {
  const std::size_t report = text.find(judge::stack_mark);
  if (report == std::string::npos) return text;
  std::size_t begin = text.find("#0 ", report);
  while (begin != std::string::npos) {
    const std::size_t end = text.find("#0 ", begin + 1);
    const std::string stack = text.substr(begin, end - begin);
    if (!places_in(stack, answer).empty()) return stack;
    begin = end;
  }
  return text.substr(report);
}

Problem explain_working(const Ending& ending, const std::string& answer) {
  const std::string stack = first_stack_with(answer, ending.text);
  Problem problem{fmt::format("your code was still running after {} seconds{}, and was stopped", ending.seconds,
                              ending.killed_for_time ? "" : " of processor time"),
                  "If it is a loop: what should end it?", endless_loop(stack, answer, ending.lines)};
  if (problem.place.known()) {
    problem.advice = is_open_loop(ending.lines[static_cast<std::size_t>(problem.place.line - 1)])
                         ? "What should end this loop?"
                         : "How often should this loop run, and how long does one pass take?";
    if (ending.text.size() > much_output) problem.advice += " (What it prints takes time, too.)";
  } else if (const std::vector<Place> places = places_in(stack, answer); !places.empty()) {
    problem.place = places.back();
    problem.advice += " This is the line where it was at that moment.";
  }
  return problem;
}

Problem explain_waiting(const Ending& ending, const std::string& answer) {
  return {"your code waits for something that does not come, and was stopped",
          "A sleep, a lock that is already held, a thread that does not end, or input that never comes?",
          first_place_in(first_stack_with(answer, ending.text), answer)};
}

std::optional<Explained> explain_limits(const Ending& ending, const std::string& answer) {
  if (ending.exit_code == judge::sent_no_message) {
    return Explained{Report::Outcome::crashed,
                     {"your code wrote where the check reads what your functions return",
                      "Write only to std::cout and to files that your code has opened.",
                      {}}};
  }
  if (contains(ending.text, "hard rss limit exhausted")) {
    return Explained{Report::Outcome::crashed,
                     {"your code takes more and more memory, and was stopped",
                      "What grows, and what ends the loop in which it does?", first_place_in(ending.text, answer)}};
  }
  if (ending.exit_code == 128 + SIGXFSZ) {
    return Explained{Report::Outcome::crashed,
                     {"your code writes a file that grows and grows, and was stopped",
                      "An answer needs no files: return what you compute, and print what you want to see.",
                      first_place_in(ending.text, answer)}};
  }
  if (ending.exit_code == 128 + SIGSYS) {
    return Explained{
        Report::Outcome::crashed,
        {"your code starts a process, which an answer may not, and was stopped",
         "Return what you compute; threads are allowed.", first_place_in(ending.text, answer, judge::stack_mark)}};
  }
  if (ending.exit_code == judge::waited_too_long) {
    return Explained{Report::Outcome::out_of_time, explain_waiting(ending, answer)};
  }
  if (!ending.killed_for_time && ending.exit_code != judge::timed_out && ending.exit_code != 128 + SIGXCPU) {
    return std::nullopt;
  }
  return Explained{Report::Outcome::out_of_time, explain_working(ending, answer)};
}

// Where no sanitizer has seen it.
Problem explain_signal(int number) {
  return {fmt::format("the program was ended by a signal: {}", ::strsignal(number)),
          number == SIGKILL ? "Does it take more memory than this computer has?" : "",
          {}};
}

// The nearest line above (or the line itself) that is such a loop and has the place inside, as the indentation says.
Place loop_around(const std::vector<std::string>& lines, const Place& place, bool (*is_loop)(const std::string&)) {
  if (!place.known() || place.line > static_cast<int>(lines.size())) return {};
  std::size_t inside = indentation(lines[static_cast<std::size_t>(place.line - 1)]) + 1;
  for (int number = place.line; number >= 1; --number) {
    const std::string& line = lines[static_cast<std::size_t>(number - 1)];
    if (line.empty() || indentation(line) >= inside) continue;
    if (is_loop(line)) return {place.file, number, 0};
    inside = indentation(line);
    if (inside == 0) return {};  // the function begins here
  }
  return {};
}

}  // namespace

Place endless_loop(const std::string& stack, const std::string& file, const std::vector<std::string>& lines) {
  std::vector<Place> places = places_in(stack, file);
  std::reverse(places.begin(), places.end());
  for (const auto is_loop : {is_open_loop, is_counted_loop}) {
    for (const Place& place : places) {
      if (const Place loop = loop_around(lines, place, is_loop); loop.known()) return loop;
    }
  }
  return {};
}

std::vector<Place> places_in(const std::string& text, const std::string& file) {
  static const std::regex frame(R"(\s*#\d+ .* ([^\s]*?):(\d+)(?::(\d+))?)");
  std::vector<Place> places;
  for (const std::string& line : short_lines_in(text)) {
    std::smatch match;
    if (line.find('#') == std::string::npos || !std::regex_match(line, match, frame)) continue;
    if (file_name(match[1]) != file) continue;
    places.push_back({file, place_number(match[2]), match[3].matched ? place_number(match[3]) : 0});
  }
  return places;
}

Place first_place_in(const std::string& text, const std::string& file, const std::string& from) {
  const std::size_t start = from.empty() ? 0 : text.find(from);
  if (start == std::string::npos) return {};
  const std::vector<Place> places = places_in(text.substr(start), file);
  return places.empty() ? Place{} : places.front();
}

Explained explain_ending(const Ending& ending, const std::string& answer) {
  if (auto limit = explain_limits(ending, answer)) return *limit;
  auto problem = explain_undefined_behaviour(ending.text, answer);
  if (!problem) problem = explain_address_sanitizer(ending.text, answer);
  if (!problem) problem = explain_abort(ending.text, {});
  if (!problem) problem = find_phrase(traps, ending.trap, {});
  if (problem) return {Report::Outcome::crashed, *problem};
  if (ending.exit_code > 128) {
    return {Report::Outcome::crashed, explain_signal(ending.exit_code - 128)};
  }
  return {Report::Outcome::crashed,
          {fmt::format("your code ended the program itself, with exit code {}, before the check was done",
                       ending.exit_code),
           "Leave out exit(), quick_exit() and the like: return a value, or throw.",
           {}}};
}

std::optional<Problem> explain_leak(const std::string& text, const std::string& answer) {
  if (!contains(text, "ERROR: LeakSanitizer: detected memory leaks")) return std::nullopt;
  const std::string report = text.substr(text.find("ERROR: LeakSanitizer"));
  const Place place = first_place_in(report, answer);
  if (!place.known()) return std::nullopt;
  return Problem{
      "memory that is taken here is never given back",
      "What is made with new needs a delete, or better a std::unique_ptr. Two std::shared_ptr that hold each "
      "other are never given back; nor is a node whose function keeps the node itself.",
      place};
}

std::string explain_exception(const std::string& message) {
  const auto problem = find_phrase(exceptions, message, {});
  return problem ? problem->sentence : message;
}

std::string without_reports(const std::string& text) {
  static const std::regex own(
      R"(AddressSanitizer:DEADLYSIGNAL|\s*#\d+ 0x[0-9a-f]+ .*|.*: runtime error: .*|==\d+==.*|=+|SUMMARY: .*)"
      R"(|.*Assertion [`'].*' failed\.)");
  std::string kept;
  bool in_report = false;
  bool in_exception = false;  // what it says is of several lines, indented below the first
  for (const std::string& line : lines_in(text)) {
    in_exception = line.starts_with("terminate called ") || (in_exception && line.starts_with("  "));
    if (in_exception || line == judge::stack_mark || std::regex_match(beginning_of(line), own)) {
      in_report = true;
      continue;
    }
    if (in_report && line.empty()) continue;
    kept += line + "\n";
  }
  return kept;
}

}  // namespace learn
