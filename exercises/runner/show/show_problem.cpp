#include "runner/show/show_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <utility>

#include "runner/explain/crash.h"
#include "runner/show/excerpt.h"
#include "runner/system/files.h"
#include "runner/text/lines.h"

namespace learn {
namespace {

// "try: ..." in an autograd::Error.
std::string line_after(const std::string& message, const std::string& label) {
  const std::size_t at = message.find("\n  " + label + ": ");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + label.size() + 5;
  return message.substr(begin, message.find('\n', begin) - begin);
}

}  // namespace

// "at: 25_linear_layer.cpp:10" in an autograd::Error.
Place place_in_message(const std::string& message, const std::string& file_name) {
  static const std::regex at(R"( at: (?:.*/)?([^/\s]+):(\d+))");
  for (const std::string& line : short_lines_in(message)) {
    std::smatch match;
    if (!std::regex_search(line, match, at)) continue;
    return match[1] == file_name ? Place{file_name, place_number(match[2]), 0} : Place{};
  }
  return {};
}

Blocks show_problem(const Style& style, const Problem& problem, const std::string& kind, const std::string& file) {
  Blocks blocks;
  if (problem.place.known()) {
    blocks.push_back({Block::Kind::problem, problem.sentence, kind, problem.place});
    if (problem.place.file == file_name(file)) {
      blocks += lines_block(excerpt(style, lines_of(file), problem.place));
    }
  } else {
    blocks.push_back({Block::Kind::sentence, problem.sentence});
  }
  if (!problem.advice.empty()) blocks.push_back({Block::Kind::sentence, problem.advice});
  return blocks;
}

Blocks show_exception(const Style& style, const std::string& message, const Place& place, const std::string& file) {
  Blocks blocks =
      show_problem(style, {explain_exception(message.substr(0, message.find('\n'))), "", place}, "error", file);
  if (const std::string advice = line_after(message, "try"); !advice.empty()) {
    blocks.push_back({Block::Kind::sentence, "Try: " + advice});
  }
  if (const std::string page = line_after(message, "more");
      !page.empty() && !style.in_page) {  // which explains it itself
    blocks.push_back({Block::Kind::sentence, "More: " + page + " in Backstep's folder"});
  }
  return blocks;
}

Blocks show_thrown(const Style& style, const Report& report, const std::string& file) {
  const std::string& message = report.verdict->message;
  if (message.empty()) return {};
  const Place place = place_in_message(message, file_name(file));
  Blocks blocks = show_exception(style, message, place.known() ? place : report.thrown_at, file);
  const std::string& next = report.verdict->stopped_before;
  if (!next.empty()) {
    blocks.push_back(
        {Block::Kind::sentence, "It happened before '" + next + "' could be looked at, and what comes after it."});
  }
  return blocks;
}

Blocks show_warnings(const Style& style, const Report& report, const std::string& file, std::size_t most) {
  Blocks blocks;
  for (std::size_t i = 0; i < std::min(most, report.warnings.size()); ++i) {
    blocks += show_problem(style, report.warnings[i], "warning", file);
  }
  return blocks;
}

}  // namespace learn
