#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "runner/commands/grade.h"

namespace learn {
namespace {

using nlohmann::ordered_json;

std::string dumped(const ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

double sum_of(const std::vector<Grade>& grades, double Grade::*what) {
  double sum = 0.0;
  for (const Grade& grade : grades) sum += grade.*what;
  return sum;
}

std::size_t failures_of(const std::vector<Grade>& grades) {
  std::size_t count = 0;
  for (const Grade& grade : grades) count += grade.passed() ? 0 : 1;
  return count;
}

}  // namespace

double total(const std::vector<Grade>& grades) {
  return sum_of(grades, &Grade::points);
}

double total_of(const std::vector<Grade>& grades) {
  return sum_of(grades, &Grade::of);
}

std::string grades_as_json(const std::vector<Grade>& grades) {
  ordered_json json{{"points", total(grades)}, {"of", total_of(grades)}, {"exercises", ordered_json::array()}};
  for (const Grade& grade : grades) {
    json["exercises"].push_back({{"id", grade.id},
                                 {"title", grade.title},
                                 {"file", grade.file},
                                 {"outcome", grade.outcome},
                                 {"points", grade.points},
                                 {"of", grade.of},
                                 {"seconds", grade.seconds},
                                 {"message", grade.message},
                                 {"line", grade.line},
                                 {"output", grade.output}});
  }
  return dumped(json, 2) + "\n";
}

std::string xml_text(const std::string& text) {
  const std::string valid = ordered_json::parse(dumped(text, -1));  // bytes that are not UTF-8 become U+FFFD
  std::string escaped;
  for (const char c : valid) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      default: escaped += byte < 0x20 && c != '\n' && c != '\t' ? '?' : c;
    }
  }
  return escaped;
}

std::string grades_as_junit(const std::vector<Grade>& grades) {
  std::string cases;
  for (const Grade& grade : grades) {
    cases += fmt::format("    <testcase classname=\"backstep\" name=\"{}\" file=\"{}\" time=\"{:.3f}\"",
                         xml_text(grade.id), xml_text(grade.file), grade.seconds);
    if (grade.passed()) {
      cases += "/>\n";
      continue;
    }
    cases += fmt::format(">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n",
                         xml_text(grade.outcome), xml_text(grade.message), xml_text(grade.output));
  }
  const std::string counts = fmt::format("tests=\"{}\" failures=\"{}\" time=\"{:.3f}\"", grades.size(),
                                         failures_of(grades), sum_of(grades, &Grade::seconds));
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n  <testsuite name=\"backstep course\" {0}>\n"
      "{1}  </testsuite>\n</testsuites>\n",
      counts, cases);
}

std::string grades_for_gradescope(const std::vector<Grade>& grades) {
  ordered_json json{
      {"score", total(grades)},        {"execution_time", static_cast<int>(sum_of(grades, &Grade::seconds) + 0.5)},
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
  const bool all = failures_of(grades) == 0;
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
