#include "examples/translate/scoped_svg.h"

#include <fmt/core.h>

namespace translate {
namespace {

constexpr std::string_view dark = "@media (prefers-color-scheme: dark)";
constexpr std::string_view dark_on_screen = "@media screen and (prefers-color-scheme: dark)";
constexpr std::string_view white_space = " \t\r\n";

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(white_space);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(white_space) + 1 - first));
}

// ".grid, text" -> "#id .grid, #id text"
std::string scoped_selectors(std::string_view selectors, std::string_view id) {
  std::string scoped;
  for (std::size_t start = 0; start <= selectors.size();) {
    const std::size_t end = std::min(selectors.find(',', start), selectors.size());
    scoped += fmt::format("{}#{} {}", scoped.empty() ? "" : ", ", id, trimmed(selectors.substr(start, end - start)));
    start = end + 1;
  }
  return scoped;
}

// Rule by rule: what stands before a brace is a selector, or the condition of an @media, whose brace is closed later.
std::string scoped_rules(std::string_view css, std::string_view id) {
  std::string scoped;
  while (true) {
    const std::size_t open = css.find('{');
    const std::size_t closed = css.find('}');
    if (closed < open) {  // the end of an @media
      scoped += "}\n";
      css.remove_prefix(closed + 1);
      continue;
    }
    if (open == std::string_view::npos) return scoped;
    const std::string before = trimmed(css.substr(0, open));
    if (before.starts_with('@')) {
      scoped += (before == dark ? std::string(dark_on_screen) : before) + " {\n";
      css.remove_prefix(open + 1);
      continue;
    }
    if (closed == std::string_view::npos) return scoped;  // a rule without an end
    scoped += scoped_selectors(before, id) + " " + std::string(css.substr(open, closed + 1 - open)) + "\n";
    css.remove_prefix(closed + 1);
  }
}

}  // namespace

std::string scoped_svg(const std::string& svg, std::string_view id) {
  constexpr std::string_view opening = "<svg ";
  constexpr std::string_view style = "<style>";
  std::string scoped = svg;
  const std::size_t start = scoped.find(style);
  const std::size_t end = scoped.find("</style>");
  if (start != std::string::npos && end != std::string::npos && start < end) {
    const std::size_t rules = start + style.size();
    scoped.replace(rules, end - rules, "\n" + scoped_rules(scoped.substr(rules, end - rules), id));
  }
  const std::size_t head = scoped.find(opening);
  if (head != std::string::npos) scoped.insert(head + opening.size(), fmt::format("id=\"{}\" ", id));
  return scoped;
}

}  // namespace translate
