#include "runner/show/show_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <utility>

#include "runner/show/excerpt.h"
#include "runner/system/files.h"
#include "runner/text/short_lines.h"

namespace learn {
namespace {

// "at: 25_linear_layer.cpp:10" in an autograd::Error.
Place place_in_message(const std::string& message, const std::string& file) {
  static const std::regex at(R"( at: (?:.*/)?([^/\s]+):(\d+))");
  for (const std::string& line : short_lines_of(message)) {
    std::smatch match;
    if (std::regex_search(line, match, at)) return match[1] == file ? Place{file, place_number(match[2]), 0} : Place{};
  }
  return {};
}

// "try: ..." in an autograd::Error.
std::string line_after(const std::string& message, const std::string& label) {
  const std::size_t at = message.find("\n  " + label + ": ");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + label.size() + 5;
  return message.substr(begin, message.find('\n', begin) - begin);
}

// Sentences for what the standard library throws.
std::string plain_exception(const std::string& message) {
  // Integers of 0xFE bytes: -ftrivial-auto-var-init=pattern (builder.cpp).
  for (const char* const never_written : {"-72340172838076674", "-16843010"}) {
    if (message.find(never_written) != std::string::npos) {
      return message + " (" + never_written + " is what stands in an integer that nothing was ever written to)";
    }
  }
  static const std::regex range(
      R"(.*_M_range_check: __n \(which is (\d+)\) >= (?:this->size\(\)|size\(\)) \(which is (\d+)\))");
  std::smatch match;
  const std::string beginning = beginning_of(message);
  if (std::regex_match(beginning, match, range)) {
    return fmt::format("index {} in something that has {} elements", match[1].str(), match[2].str());
  }
  if (message.find("larger than max_size()") != std::string::npos || message == "vector::reserve" ||
      message.find("_M_default_append") != std::string::npos) {
    return "a vector with an absurd size: can it have become negative?";
  }
  if (message == "std::bad_alloc") return "there is not enough memory for what your code asks for";
  if (message == "map::at") return "map::at() for a key that is not in the map";
  if (message == "bad optional access") return "the value of a std::optional that has none";
  if (message == "bad_function_call") return "a std::function is called that has no function";
  return message;
}

}  // namespace

std::string show_problem(const Style& style, const Problem& problem, std::string_view kind, const std::string& file) {
  std::string text;
  if (problem.place.known()) {
    std::string place = fmt::format("{}:{}:", problem.place.file, problem.place.line);
    if (problem.place.column > 0) place += fmt::format("{}:", problem.place.column);
    text += fmt::format("{} {} {}\n", style.bold(place), style.red(fmt::format("{}:", kind)), problem.sentence);
    if (problem.place.file == file_name(file)) text += excerpt(style, lines_of(file), problem.place);
  } else {
    text += wrapped(problem.sentence, style.width, "  ");
  }
  if (!problem.advice.empty()) text += wrapped(problem.advice, style.width, "  ");
  return text;
}

std::string show_thrown(const Style& style, const Report& report, const std::string& file) {
  const std::string& message = report.verdict->message;
  if (message.empty()) return "";
  Place place = place_in_message(message, file_name(file));
  if (!place.known()) place = report.thrown_at;
  std::string text =
      show_problem(style, {plain_exception(message.substr(0, message.find('\n'))), "", place}, "error", file);
  for (const auto& [label, word] : {std::pair{"try", "Try: "}, std::pair{"more", "More: "}}) {
    const std::string line = line_after(message, label);
    if (!line.empty()) text += wrapped(word + line, style.width, "  ");
  }
  const std::string& next = report.verdict->stopped_before;
  if (!next.empty())
    text +=
        wrapped("It happened on the way to '" + next + "', and what comes after was not looked at.", style.width, "  ");
  return text;
}

std::string show_warnings(const Style& style, const Report& report, const std::string& file, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, report.warnings.size()); ++i) {
    text += show_problem(style, report.warnings[i], "warning", file);
  }
  return text;
}

}  // namespace learn
