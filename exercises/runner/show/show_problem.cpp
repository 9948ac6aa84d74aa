#include "runner/show/show_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runner/explain/crash.h"
#include "runner/show/excerpt.h"
#include "runner/system/files.h"
#include "runner/text/lines.h"

namespace learn {
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

Blocks show_exception(const Style& style, const Thrown& thrown, const Place& place, const std::string& file) {
  Blocks blocks = show_problem(style, {explain_exception(thrown.message), "", place}, "error", file);
  if (!thrown.advice.empty()) blocks.push_back({Block::Kind::sentence, "Try: " + thrown.advice});
  if (!thrown.id.empty() && !style.in_page) {  // which explains it itself
    blocks.push_back({Block::Kind::sentence, "More: docs/errors.md#" + thrown.id + " in Backstep's folder"});
  }
  return blocks;
}

Blocks show_thrown(const Style& style, const Report& report, const std::string& file) {
  if (!report.verdict->thrown) return {};
  Blocks blocks = show_exception(style, *report.verdict->thrown, report.place_of_throw(file_name(file)), file);
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
