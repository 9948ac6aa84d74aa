#include "runner/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "judge/verdict_json.h"
#include "runner/system/files.h"

namespace learn {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 7> names = {"passed",  "unwritten",   "wrong", "does not compile",
                                                   "crashed", "out of time", "broken"};
constexpr std::size_t most_text = 20000;  // of what a program or a compiler wrote is kept

// The others have a problem.
bool has_verdict(Report::Outcome outcome) {
  return outcome == Report::Outcome::passed || outcome == Report::Outcome::unwritten ||
         outcome == Report::Outcome::wrong;
}

// Nothing that was written has a number as large as this: to make an integer of it has no meaning.
void refuse_large_numbers(const json& value) {
  if (value.is_number_float() && std::abs(value.get<double>()) >= judge::too_large) {
    throw std::runtime_error(value.dump() + " is too large");
  }
  if (value.is_structured()) std::for_each(value.begin(), value.end(), refuse_large_numbers);
}

// Throws where anything is missing or too much, and where a number is not of its kind.
template <class T> T read_exactly(const json& value) {
  refuse_large_numbers(value);
  T read = value.get<T>();
  const auto text = [](const json& one) { return one.dump(-1, ' ', false, json::error_handler_t::replace); };
  if (text(read) != text(value)) throw std::runtime_error("this is of another version");
  return read;
}

}  // namespace

Place Report::place_of_throw(const std::string& file_name) const {
  const bool says_so =
      verdict && verdict->thrown && verdict->thrown->line > 0 && learn::file_name(verdict->thrown->file) == file_name;
  return says_so ? Place{file_name, verdict->thrown->line, 0} : thrown_at;
}

// What nlohmann/json calls.
static void to_json(json& written, Report::Outcome outcome) {
  written = name(outcome);
}

static void from_json(const json& read, Report::Outcome& outcome) {
  const auto found = std::find(names.begin(), names.end(), read.get<std::string>());
  if (found == names.end()) throw std::runtime_error(read.dump() + " is not an outcome of a check");
  outcome = static_cast<Report::Outcome>(found - names.begin());
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Place, file, line, column)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Problem, sentence, advice, place)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Report, id, outcome, verdict, problem, thrown_at, warnings, printed, raw, file_state)

int place_number(const std::string& digits) {
  int number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);  // leaves it 0 if it is too large
  return number;
}

std::string_view name(Report::Outcome outcome) {
  return names[static_cast<std::size_t>(outcome)];
}

json to_json(const Report& report) {
  Report kept = report;
  kept.printed.resize(std::min(kept.printed.size(), most_text));
  kept.raw.resize(std::min(kept.raw.size(), most_text));
  return kept;
}

Report read_report(const json& value) {
  Report report = read_exactly<Report>(value);
  if (has_verdict(report.outcome) ? !report.verdict : !report.problem) {
    throw std::runtime_error(fmt::format("'{}' without what it is about", name(report.outcome)));
  }
  return report;
}

Verdict read_verdict(const json& value) try { return read_exactly<Verdict>(value); } catch (const std::exception&) {
  // The judge is compiled from the sources as they are, and `learn` was compiled before they changed.
  throw std::runtime_error(
      "the course's sources are newer than this program: run exercises/learn, which builds it again");
}

}  // namespace learn
