#include "runner/explain/crash.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstring>
#include <regex>

#include "runner/explain/phrasebook.h"
#include "runner/system/files.h"
#include "runner/text/lines.h"

namespace learn {
namespace {

constexpr int exit_code_of_watchdog = 124;  // course/watchdog.h
constexpr std::size_t much_output = 100000;
constexpr const char* which_index = "Which index comes here, and how many elements are there?";
constexpr const char* which_pointer = "Which pointer, or which undefined Tensor, is used in this line?";
constexpr const char* which_reference =
    "Does this lambda keep a reference ([&x]) to a variable that is gone when it runs? Or else: which pointer, or "
    "which "
    "undefined Tensor, is used in this line?";

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

// ---- AddressSanitizer -----------------------------------------------------------------------------------------------

constexpr Phrase accesses[] = {
    {"dynamic-stack-buffer-overflow", "beyond the end of a local array", "Which index comes here?"},
    {"stack-buffer-underflow", "before the beginning of a local array", "Which index comes here? Can it be negative?"},
    {"heap-buffer-overflow", "beyond the end of an array or a vector", which_index},
    {"stack-buffer-overflow", "beyond the end of a local array", which_index},
    {"global-buffer-overflow", "beyond the end of a global array", which_index},
    {"container-overflow", "beyond the end of a container", which_index},
    {"heap-use-after-free", "memory that was given back already",
     "A reference or pointer into a vector is void after push_back; one to an element of a container, after it is "
     "gone."},
    {"stack-use-after-return", "a local variable of a function that has returned",
     "Return a value, not a reference or pointer to a local variable."},
    {"stack-use-after-scope", "a variable whose { } has ended", "Is a reference kept to something that was temporary?"},
};

constexpr Phrase others[] = {
    {"stack-overflow", "your code calls itself again and again, until the stack is full",
     "When does it stop? If it does, it goes too deep: a loop needs no stack."},
    {"double-free", "the same memory is given back twice", "Who owns it? A std::unique_ptr gives back once."},
    {"attempting free on address which was not malloc", "something is given back that did not come from new", ""},
    {"alloc-dealloc-mismatch", "memory is given back in another way than it was taken",
     "new goes with delete, new[] with delete[]."},
    {"allocation-size-too-big|requested allocation size|calloc-overflow",
     "your code asks for an absurd amount of memory",
     "Can a size have become negative? As an unsigned number that is enormous."},
    {"out.of.memory", "there is not enough memory for what your code asks for", "Does something grow without end?"},
    {"FPE", "an integer is divided by zero", ""},
    {"ILL", "the program came to a place that cannot be reached", "Does every path return a value?"},
    {"SEGV.*zero page", "your code follows a null pointer", which_pointer},
    {"SEGV|BUS", "your code uses an address that is nobody's",
     "A wild index, or a pointer that was never given a value?"},
};

// "WRITE of size 8" in words, before "beyond the end of ..." or "memory that ...".
std::string access(const std::string& text, const std::string& where) {
  const bool outside = where.rfind("beyond", 0) == 0 || where.rfind("before", 0) == 0;
  const std::string how = first_match(text, R"((READ|WRITE) of size \d+)");
  if (how == "WRITE") return (outside ? "your code writes " : "your code writes to ") + where;
  return (outside ? "your code reads " : "your code reads from ") + where;
}

std::string size_of_region(const std::string& text) {
  const std::string after = first_match(text, R"(located \d+ bytes (?:to the right of|after) (\d+)-byte region)");
  if (after.empty()) return "";
  long bytes = 0;
  const auto [rest, error] = std::from_chars(after.data(), after.data() + after.size(), bytes);
  if (error != std::errc()) return "";  // more than there is
  return bytes % 8 == 0 ? fmt::format(" It has {} bytes, as {} doubles have.", bytes, bytes / 8)
                        : fmt::format(" It has {} bytes.", bytes);
}

std::string overflown_variable(const std::string& text) {
  const std::string name = first_match(text, R"('([^']*)'(?: \(line \d+\))? <== Memory access)");
  return name.empty() ? "" : " It is '" + name + "'.";
}

std::string line_of_freeing(const std::string& text, const std::string& answer) {
  const Place freed = first_place_in(text, answer, "freed by thread");
  return freed.known() ? fmt::format(" It was given back in line {}.", freed.line) : "";
}

// Of each call there is a frame; a report shows up to 256 of them.
bool is_recursion(const std::string& report) {
  constexpr int deeper_than_any_check = 40;
  static const std::regex frame(R"(\s*#\d+ 0x.*)");
  const std::vector<std::string> lines = short_lines_in(report);
  return std::count_if(lines.begin(), lines.end(),
                       [](const std::string& line) { return std::regex_match(line, frame); }) > deeper_than_any_check;
}

Problem explain_full_stack(const std::string& report, const std::string& answer, const Problem& recursion) {
  if (!is_recursion(report)) {
    return {"the local variables of this function do not fit on the stack, which has room for a few MB",
            "A large array belongs in a std::vector, or a Tensor.", first_place_in(report, answer)};
  }
  return {recursion.sentence, recursion.advice, place_of_recursion(report, answer)};
}

std::optional<Problem> explain_abort(const std::string& text);

std::optional<Problem> explain_address_sanitizer(const std::string& text, const std::string& answer) {
  if (!contains(text, "ERROR: AddressSanitizer:")) return std::nullopt;
  static const Phrasebook wrong_accesses(accesses);
  static const Phrasebook other_errors(others);
  const std::string report = text.substr(text.find("ERROR: AddressSanitizer:"));
  const std::string head = report.substr(0, report.find('\n'));
  const Place place = first_place_in(report, answer);
  if (auto wrong = wrong_accesses.find(head, place)) {
    wrong->sentence = access(report, wrong->sentence);
    wrong->advice += size_of_region(report) + overflown_variable(report) + line_of_freeing(report, answer);
    return wrong;
  }
  if (contains(head, "ABRT")) {
    Problem problem =
        explain_abort(text).value_or(Problem{"your code, or something that it called, gave up: abort()", "", {}});
    problem.place = place;
    return problem;
  }
  // A later line says it of a null pointer.
  if (auto other = other_errors.find(contains(report, "zero page") ? head + " zero page" : head, place)) {
    return contains(head, "stack-overflow") ? explain_full_stack(report, answer, *other) : other;
  }
  return Problem{"your code uses memory wrongly: " + head.substr(head.find(": ") + 2), "", place};
}

// ---- ways to give up ------------------------------------------------------------------------------------------------

constexpr Phrase aborts[] = {
    {"terminate called", "your code ended with std::terminate()", ""},
    {R"(Assertion '__n < this->size\(\)' failed)", "an index beyond the end of a vector", which_index},
    {R"(Assertion '!this->empty\(\)' failed)", "front(), back() or pop_back() of something that is empty", ""},
    {"_M_is_engaged", "the value of a std::optional that has none", ""},
    {R"(Assertion [`'](.*)' failed)", "an assertion does not hold: $1", ""},
    {R"(Assertion failed: (.*) \([^()]*\))", "an assertion does not hold: $1", ""},  // WebAssembly's C library
};

std::optional<Problem> explain_abort(const std::string& text) {
  static const Phrasebook book(aborts);
  const std::string thrown = first_match(text, R"(terminate called after throwing an instance of '([^']*)')");
  if (thrown.empty()) return book.find(text, {});
  const std::string what = first_match(text, R"(what\(\):  (.*))");
  if (what.empty()) {
    return Problem{fmt::format("your code throws something of type '{}', and nobody catches it", thrown),
                   "Throw std::runtime_error(\"...\"), which has a message.",
                   {}};
  }
  return Problem{"an exception that nobody catches: " + what,
                 "It came while the program was starting, or through a function that is noexcept.",
                 {}};
}

// ---- UndefinedBehaviorSanitizer -------------------------------------------------------------------------------------

constexpr Phrase undefined[] = {
    {R"(signed integer overflow: (.*) cannot be represented in type '([^']*)')", "$1 is too large for the type $2",
     "Use std::int64_t, or a double."},
    {R"(negation of (.*) cannot be represented.*)", "-($1) is too large for its type", ""},
    {R"(division by zero)", "an integer is divided by zero", "Integers have no infinity. Was a double meant?"},
    {R"(division of (.*) by -1 cannot be represented.*)", "$1 / -1 is too large for its type", ""},
    {R"(index (-?\d+) out of bounds for type '([^']*?) ?\[(\d+)\]')", "index $1 in an array of $3 elements",
     "The last one has an index one less than their number."},
    {R"(shift exponent (-?\d+) .*)", "a shift by $1 bits, which the type does not have", ""},
    {R"(left shift of .*)", "a shift to the left loses bits", ""},
    {R"((?:reference binding to|load of|store to|member (?:access within|call on)|applying .* to) null pointer.*)",
     "your code follows a null pointer", which_pointer},
    {R"(null pointer passed .*|null pointer returned .*)", "a null pointer where there must be none", ""},
    {R"(.*execution reached the end of a value-returning function.*)", "the function reaches its end without a return",
     "Every path through it needs a return with a value."},
    {R"(execution reached an? (?:unreachable|__builtin_unreachable).*)",
     "the program came to a place that cannot be reached", ""},
    {R"(load of value (.*), which is not a valid value for type 'bool')", "a bool is read that was never given a value",
     "Initialise it where it is declared."},
    {R"(load of value (.*), which is not a valid value for type '([^']*)')",
     "a $2 is read that was never given a value", "Initialise it where it is declared."},
    {R"((.*) is outside the range of representable values of type '([^']*)')", "$1 does not fit into the type $2",
     "A NaN or an enormous number is no integer."},
    {R"(.*misaligned address.*)", "your code uses an address that is nobody's", "Was the pointer ever given a value?"},
    {R"(variable length array bound evaluates to non-positive value (.*))", "an array of $1 elements", ""},
};

std::optional<Problem> explain_undefined_behaviour(const std::string& text, const std::string& answer) {
  static const Phrasebook book(undefined);
  static const std::regex located(R"(([^\s:][^:]*):(\d+):(\d+): runtime error: (.*))");
  for (const std::string& line : short_lines_in(text)) {
    std::smatch match;
    if (!std::regex_match(line, match, located)) continue;
    Problem problem{match[4], "", {file_name(match[1]), place_number(match[2]), place_number(match[3])}};
    if (problem.place.file != answer) problem.place = first_place_in(text, answer, "runtime error:");
    return book.explain(problem.sentence, problem.place).value_or(problem);
  }
  return std::nullopt;
}

// ---- WebAssembly ----------------------------------------------------------------------------------------------------

// In the words of V8, SpiderMonkey and JavaScriptCore.
constexpr Phrase traps[] = {
    {"divide by zero|remainder by zero|[Dd]ivision by zero", "an integer is divided by zero",
     "Integers have no infinity. Was a double meant?"},
    {"divide result unrepresentable|integer overflow", "an integer is too large for its type", ""},
    {"float unrepresentable|invalid conversion|[Oo]ut of bounds Trunc", "a number does not fit into its integer type",
     "A NaN or an enormous number is no integer."},
    {"stack size|recursion", "your code calls itself again and again, until the stack is full",
     "When does it stop? If it does, it goes too deep: a loop needs no stack."},
    {"null function|signature mismatch|indirect call", "your code calls a function by a pointer that is nobody's", ""},
    {"out of bounds", "your code uses an address that is nobody's",
     "A wild index, a pointer that was never given a value, or a function that calls itself without end?"},
    {"unreachable", "your code gave up, or came to a place that cannot be reached",
     "Is abort() called? Does every path return a value?"},
};

// docs/playground/page/judge.js says so.
std::optional<Problem> explain_trap(const std::string& text) {
  static const Phrasebook book(traps);
  const std::string said = first_match(text, "course: trap: (.*)");
  if (said.empty()) return std::nullopt;
  return book.find(said, {}).value_or(Problem{"your code was stopped: " + said, "", {}});
}

// ---- exceptions of the standard library -----------------------------------------------------------------------------

// Integers of 0xFE bytes: -ftrivial-auto-var-init=pattern (builder.cpp).
constexpr Phrase exceptions[] = {
    {".*(-72340172838076674|-16843010).*", "$& ($1 is what stands in an integer that nothing was ever written to)", ""},
    {R"(.*_M_range_check: __n \(which is (\d+)\) >= (?:this->)?size\(\) \(which is (\d+)\))",
     "index $1 in something that has $2 elements", ""},
    {R"(.*larger than max_size\(\).*|vector::reserve|.*_M_default_append.*)",
     "a vector with an absurd size: can it have become negative?", ""},
    {"std::bad_alloc", "there is not enough memory for what your code asks for", ""},
    {"vector", "an index beyond the end of a vector", ""},  // clang's library says no more
    {"map::at", "map::at() for a key that is not in the map", ""},
    {"bad optional access", "the value of a std::optional that has none", ""},
    {"bad_function_call", "a std::function is called that has no function", ""},
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

constexpr const char* worked_too_long = "course: out of time";
constexpr const char* waited_too_long = "course: waiting";

// Of the watchdog's looks at where the answer was, the first that leads there.
std::string first_stack_with(const std::string& answer, const std::string& text) {
  const std::size_t report = std::min(text.find(worked_too_long), text.find(waited_too_long));
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
                         : "How often is this loop to run, and what does one turn cost?";
    if (ending.text.size() > much_output) problem.advice += " (What it prints takes time, too.)";
  } else if (const std::vector<Place> places = places_in(stack, answer); !places.empty()) {
    problem.place = places.back();
    problem.advice += " This is the line where it was at that moment.";
  }
  return problem;
}

Problem explain_waiting(const Ending& ending, const std::string& answer) {
  return {"your code waits for something that does not come, and was stopped",
          "A sleep, a lock that somebody holds already, a thread that does not end, input that nobody types?",
          first_place_in(first_stack_with(answer, ending.text), answer)};
}

std::optional<Explained> explain_limits(const Ending& ending, const std::string& answer) {
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
    return Explained{Report::Outcome::crashed,
                     {"your code asks the system for what an answer may not have, and was stopped",
                      "The network, other programs and other processes are not there for it: leave that call out.",
                      first_place_in(ending.text, answer, "course: not allowed")}};
  }
  const bool stopped = ending.exit_code == exit_code_of_watchdog || ending.exit_code == 128 + SIGXCPU;
  if (!ending.killed_for_time && !stopped) return std::nullopt;
  const bool waited = !ending.killed_for_time && contains(ending.text, waited_too_long);
  return Explained{Report::Outcome::out_of_time,
                   waited ? explain_waiting(ending, answer) : explain_working(ending, answer)};
}

// The program's end by a signal, where no sanitizer has seen it.
Problem explain_signal(int number) {
  switch (number) {
    case SIGKILL:
      return {"the program was ended from outside (killed)", "Does it take more memory than this computer has?", {}};
    case SIGPIPE: return {"your code writes to something that nobody reads", "", {}};
    case SIGINT:
    case SIGTERM: return {"the program was ended from outside, or by a signal that it sent itself", "", {}};
    default: break;
  }
  return {fmt::format("the program was ended by a signal: {}", ::strsignal(number)), "", {}};
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

// Is the innermost function of the answer a lambda? g++ and clang call it "operator()".
bool ends_in_a_lambda(const std::string& text, const std::string& answer) {
  const std::vector<std::string> lines = short_lines_in(text);
  const auto innermost = std::find_if(lines.begin(), lines.end(), [&](const std::string& line) {
    return contains(line, "#") && contains(line, answer + ":") && !contains(line, "runtime error");
  });
  return innermost != lines.end() && contains(*innermost, "operator()");
}

Explained explain_ending(const Ending& ending, const std::string& answer) {
  if (auto limit = explain_limits(ending, answer)) return *limit;
  auto problem = explain_undefined_behaviour(ending.text, answer);
  if (!problem) problem = explain_address_sanitizer(ending.text, answer);
  if (problem) {
    if (problem->advice == which_pointer && ends_in_a_lambda(ending.text, answer)) problem->advice = which_reference;
    return {Report::Outcome::crashed, *problem};
  }
  if (auto aborted = explain_abort(ending.text)) return {Report::Outcome::crashed, *aborted};
  if (auto trap = explain_trap(ending.text)) return {Report::Outcome::crashed, *trap};
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
  static const Phrasebook book(exceptions);
  return book.explain(beginning_of(message), {}).value_or(Problem{message, "", {}}).sentence;
}

std::string without_reports(const std::string& text) {
  static const std::regex own(
      R"(AddressSanitizer:DEADLYSIGNAL|course: .*|\s*#\d+ 0x[0-9a-f]+ .*|.*: runtime error: .*|==\d+==.*|=+|SUMMARY: .*)"
      R"(|terminate called .*|  (?:at|in|in the backward of|try|more): .*|  what\(\):  .*|.*Assertion [`'].*' failed\.)");
  std::string kept;
  bool in_report = false;
  for (const std::string& line : lines_in(text)) {
    if (std::regex_match(beginning_of(line), own)) {
      in_report = true;
      continue;
    }
    if (in_report && line.empty()) continue;
    kept += line + "\n";
  }
  return kept;
}

}  // namespace learn
