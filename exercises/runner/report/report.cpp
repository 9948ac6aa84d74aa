#include "runner/report/report.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "runner/report/whole_number.h"

namespace learn {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 7> names = {"passed",  "unwritten",   "wrong", "does not compile",
                                                   "crashed", "out of time", "broken"};
constexpr std::size_t most_text = 20000;  // of what a program or a compiler wrote is kept

json to_json(const Problem& problem) {
  return {{"sentence", problem.sentence},
          {"advice", problem.advice},
          {"file", problem.place.file},
          {"line", problem.place.line},
          {"column", problem.place.column}};
}

Place place_in(const json& file, const json& line, const json& column) {
  return {file, whole_number<int>(line), whole_number<int>(column)};
}

Problem read_problem(const json& value) {
  return {value.at("sentence"), value.at("advice"), place_in(value.at("file"), value.at("line"), value.at("column"))};
}

// The others have a problem.
bool has_verdict(Report::Outcome outcome) {
  return outcome == Report::Outcome::passed || outcome == Report::Outcome::unwritten ||
         outcome == Report::Outcome::wrong;
}

Report::Outcome outcome_of(const std::string& text) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) return static_cast<Report::Outcome>(i);
  }
  throw std::runtime_error("'" + text + "' is no outcome of a check");
}

}  // namespace

int place_number(const std::string& digits) {
  int number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);  // leaves it 0 if it is too large
  return number;
}

std::string_view name(Report::Outcome outcome) {
  return names[static_cast<std::size_t>(outcome)];
}

json to_json(const Report& report) {
  json written{{"id", report.id},
               {"outcome", name(report.outcome)},
               {"printed", report.printed.substr(0, most_text)},
               {"raw", report.raw.substr(0, most_text)},
               {"file_state", report.file_state},
               {"thrown_at", {report.thrown_at.file, report.thrown_at.line}},
               {"warnings", json::array()}};
  if (report.verdict) written["verdict"] = to_json(*report.verdict);
  if (report.problem) written["problem"] = to_json(*report.problem);
  for (const Problem& warning : report.warnings) written["warnings"].push_back(to_json(warning));
  return written;
}

Report read_report(const json& value) {
  Report report;
  report.id = value.at("id");
  report.outcome = outcome_of(value.at("outcome"));
  report.printed = value.at("printed");
  report.raw = value.at("raw");
  report.file_state = value.at("file_state");
  report.thrown_at = place_in(value.at("thrown_at").at(0), value.at("thrown_at").at(1), 0);
  if (value.contains("verdict")) report.verdict = read_verdict(value.at("verdict"));
  if (value.contains("problem")) report.problem = read_problem(value.at("problem"));
  for (const json& warning : value.at("warnings")) report.warnings.push_back(read_problem(warning));
  if (has_verdict(report.outcome) ? !report.verdict : !report.problem) {
    throw std::runtime_error(fmt::format("'{}' without what it is about", name(report.outcome)));
  }
  return report;
}

}  // namespace learn
