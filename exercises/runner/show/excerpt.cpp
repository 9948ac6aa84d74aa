#include "runner/show/excerpt.h"

#include <fmt/format.h>

#include <algorithm>

#include "autograd/text/printable.h"

namespace learn {
namespace {

// As wide as the text before it, tabs included.
std::string caret_at(const std::string& line, int column) {
  std::string blank;
  for (const char c : line.substr(0, static_cast<std::size_t>(column - 1))) blank += c == '\t' ? '\t' : ' ';
  return blank + "^";
}

}  // namespace

std::string excerpt(const Style& style, const std::vector<std::string>& lines, const Place& place,
                    const ExcerptOptions& options) {
  const int last_line = static_cast<int>(lines.size());
  if (!place.known() || place.line > last_line) return "";
  const int first = std::max(1, place.line - options.before);
  const int last = std::min(last_line, place.line + options.after);
  std::string text;
  for (int number = first; number <= last; ++number) {
    const std::string line = autograd::printable_lines(lines[static_cast<std::size_t>(number - 1)]);
    const bool here = number == place.line;
    const std::string shown = fmt::format("{}{} {:>4} {} {}", options.indent, here ? ">" : " ", number, style.dim("│"),
                                          here ? style.bold(line) : line);
    text += shown + "\n";
    if (!here || place.column < 1 || place.column > static_cast<int>(line.size()) + 1) continue;
    text += fmt::format("{}       {} {}\n", options.indent, style.dim("│"), style.red(caret_at(line, place.column)));
  }
  return text;
}

}  // namespace learn
