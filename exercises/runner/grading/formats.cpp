#include "runner/grading/formats.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "autograd/text/printable.h"

namespace learn {
namespace {

using nlohmann::ordered_json;

std::string dumped(const ordered_json& json, int indent) {
  return json.dump(indent, ' ', true, ordered_json::error_handler_t::replace);  // in ASCII, for terminals, too
}

double seconds_of(const std::vector<Grade>& grades) {
  double seconds = 0.0;
  for (const Grade& grade : grades) seconds += grade.seconds;
  return seconds;
}

// What keeps a spreadsheet from taking a name for two cells, or for a formula.
std::string csv_cell(const std::string& text) {
  std::string cell = autograd::printable_lines(text);
  if (!cell.empty() && std::string_view("=+-@").find(cell[0]) != std::string_view::npos) cell.insert(0, "'");
  if (cell.find_first_of(",\"\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

ordered_json as_json(const std::vector<Grade>& grades) {
  ordered_json json{{"points", total(grades)}, {"of", total_of(grades)}, {"exercises", ordered_json::array()}};
  for (const Grade& grade : grades) json["exercises"].push_back(to_json(grade));
  return json;
}

}  // namespace

std::string grades_as_json(const std::vector<Grade>& grades) {
  return dumped(as_json(grades), 2) + "\n";
}

std::string class_as_json(const std::vector<GradedStudent>& students) {
  ordered_json json{{"students", ordered_json::array()}};
  for (const GradedStudent& student : students) {
    ordered_json one{{"student", student.name}};
    one.update(as_json(student.grades));
    json["students"].push_back(std::move(one));
  }
  return dumped(json, 2) + "\n";
}

std::string class_as_csv(const std::vector<GradedStudent>& students) {
  std::string csv = "student,points,of,passed";
  if (!students.empty()) {
    for (const Grade& grade : students[0].grades) csv += "," + csv_cell(grade.id);
  }
  csv += "\n";
  for (const GradedStudent& student : students) {
    csv += fmt::format("{},{:g},{:g},{}", csv_cell(student.name), total(student.grades), total_of(student.grades),
                       passed_of(student.grades));
    for (const Grade& grade : student.grades) csv += grade.graded() ? fmt::format(",{:g}", grade.points) : ",";
    csv += "\n";
  }
  return csv;
}

std::string grades_for_gradescope(const std::vector<Grade>& grades) {
  ordered_json json{{"score", total(grades)},        {"execution_time", static_cast<int>(seconds_of(grades) + 0.5)},
                    {"output_format", "text"},       {"visibility", "visible"},
                    {"stdout_visibility", "hidden"}, {"tests", ordered_json::array()}};
  for (const Grade& grade : grades) {
    json["tests"].push_back({{"name", grade.number() + " " + grade.title},
                             {"number", grade.number()},
                             {"score", grade.points},
                             {"max_score", grade.of},
                             {"status", grade.passed() ? "passed" : "failed"},
                             {"output", grade.passed() ? "" : grade.output},
                             {"output_format", "text"},
                             {"tags", {grade.outcome}},
                             {"visibility", "visible"}});
  }
  return dumped(json, 2) + "\n";
}

std::string grades_for_github(const std::vector<Grade>& grades) {
  const bool all = passed_of(grades) == grades.size();
  ordered_json json{{"version", 1},
                    {"status", all ? "pass" : "fail"},
                    {"max_score", total_of(grades)},
                    {"tests", ordered_json::array()}};
  for (const Grade& grade : grades) {
    json["tests"].push_back({{"name", grade.number() + " " + grade.title},
                             {"status", grade.passed() ? "pass" : "fail"},
                             {"score", grade.points},
                             {"message", grade.passed() ? "" : grade.message},
                             {"test_code", "learn check " + grade.id},
                             {"filename", grade.file},
                             {"line_no", grade.line},
                             {"execution_time", fmt::format("{:.1f}s", grade.seconds)}});
  }
  return base64(dumped(json, -1));
}

std::string base64(const std::string& bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

}  // namespace learn
