#include "runner/text/markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>
#include <vector>

#include "runner/text/lines.h"

namespace learn {
namespace {

bool begins_with(const std::string& line, std::string_view start) {
  return line.rfind(start, 0) == 0;
}

// "- ", "* " or "12. ".
bool is_item(const std::string& line) {
  const std::size_t at = line.find_first_not_of(" \t\r");
  if (at == std::string::npos) return false;
  const std::size_t end_of_number = line.find_first_not_of("0123456789", at);
  const bool is_numbered = end_of_number != at && end_of_number < line.size() && line[end_of_number] == '.';
  if (is_numbered) return line.compare(end_of_number + 1, 1, " ") == 0;
  return (line[at] == '-' || line[at] == '*') && line.compare(at + 1, 1, " ") == 0;
}

std::string replaced_all(const Style& style, std::string text, const char* pattern,
                         std::string (Style::*paint)(std::string_view) const) {
  const std::regex expression(pattern);
  std::string result;
  std::smatch match;
  while (std::regex_search(text, match, expression)) {
    result += match.prefix().str() + (style.*paint)(match[1].str());
    text = match.suffix();
  }
  return result + text;
}

// Links as their text, with the address if that is a place one can go to.
std::string inline_marks(const Style& style, std::string text) {
  if (text.size() > longest_to_match) return text;
  text = std::regex_replace(text, std::regex(R"(\[([^\]]*)\]\((https?://[^)]*)\))"), "$1 ($2)");
  text = std::regex_replace(text, std::regex(R"(\[([^\]]*)\]\((?:\.\./)*([^)]*)\))"), "$1 ($2)");
  text = replaced_all(style, std::move(text), R"(\*\*([^*]+)\*\*)", &Style::bold);
  return replaced_all(style, std::move(text), "`([^`]+)`", &Style::cyan);
}

class Renderer {
 public:
  explicit Renderer(const Style& style) : style_(style) {}

  std::string render(const std::string& markdown) {
    for (const std::string& line : lines_in(markdown)) add(line);
    end_paragraph();
    return std::move(text_);
  }

 private:
  void add(const std::string& line) {
    if (begins_with(line, "```")) {
      end_paragraph();
      in_code_ = !in_code_;
    } else if (in_code_) {
      add_code("    " + line);
    } else if (line.empty()) {
      end_paragraph();
      text_ += "\n";
    } else if (begins_with(line, "#")) {
      end_paragraph();
      text_ += style_.bold(line.substr(std::min(line.find_first_not_of("# "), line.size()))) + "\n";
    } else if (begins_with(line, "|") || (begins_with(line, "    ") && paragraph_.empty())) {
      end_paragraph();
      if (begins_with(line, "|")) {
        text_ += line + "\n";
      } else {
        add_code(line);
      }
    } else {
      if (is_item(line)) end_paragraph();
      paragraph_ += (paragraph_.empty() ? "" : " ") + line;
    }
  }

  // What is too wide for the terminal goes on below, from a gap between columns on, or else from a word on.
  void add_code(const std::string& line) {
    std::string rest = line.substr(0, line.find_last_not_of(' ') + 1);
    const std::size_t indent = std::min(rest.find_first_not_of(' '), rest.size());
    while (display_width(rest) > style_.terminal) {
      const std::size_t least = rest.find_first_not_of(' ') + 1;
      std::size_t at = rest.rfind("   ", style_.terminal);
      if (at == std::string::npos || at < least) at = rest.rfind(' ', style_.terminal);
      if (at == std::string::npos || at < least) break;
      text_ += style_.cyan(rest.substr(0, rest.find_last_not_of(' ', at) + 1)) + "\n";
      rest = std::string(indent + 4, ' ') + rest.substr(rest.find_first_not_of(' ', at));
    }
    text_ += style_.cyan(rest) + "\n";
  }

  void end_paragraph() {
    if (paragraph_.empty()) return;
    std::string first;
    if (is_item(paragraph_)) {
      const std::size_t end = paragraph_.find(' ', paragraph_.find_first_not_of(' ')) + 1;
      first = paragraph_.substr(0, end);
      paragraph_.erase(0, end);
    }
    text_ += wrapped(inline_marks(style_, paragraph_), style_.width, first);
    paragraph_.clear();
  }

  const Style& style_;
  std::string text_;
  std::string paragraph_;
  bool in_code_ = false;
};

}  // namespace

std::string show_markdown(const Style& style, const std::string& markdown) {
  return Renderer(style).render(markdown);
}

std::string section(const std::string& markdown, const std::string& heading) {
  const std::string marks = heading.substr(0, heading.find(' ') + 1);
  std::string text;
  bool inside = false;
  for (const std::string& line : lines_in(markdown)) {
    if (begins_with(line, marks)) {
      inside = line == heading;
    } else if (inside) {
      text += line + "\n";
    }
  }
  const std::size_t first = text.find_first_not_of('\n');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of('\n') - first + 1) + "\n";
}

std::string first_paragraph(const std::string& markdown) {
  std::string text;
  for (const std::string& line : lines_in(markdown)) {
    if (begins_with(line, "#") || (line.empty() && text.empty())) continue;
    if (line.empty()) break;
    text += line + "\n";
  }
  return text;
}

// What stands in backticks is code: [](double dy) is not a link.
static std::string with_absolute_links_in_line(const std::string& line, const std::string& folder) {
  static const std::regex link(R"(\]\((?!https?:|/|#)([^)#\s]+))");
  std::string text;
  auto rest = line.cbegin();
  if (line.size() > longest_to_match) return line;
  for (std::sregex_iterator it(line.begin(), line.end(), link), end; it != end; ++it) {
    const bool in_code = std::count(line.cbegin(), (*it)[0].first, '`') % 2 == 1;
    text.append(rest, (*it)[0].first);
    text +=
        in_code ? (*it)[0].str() : "](" + (std::filesystem::path(folder) / (*it)[1].str()).lexically_normal().string();
    rest = (*it)[0].second;
  }
  return text.append(rest, line.cend());
}

std::string with_absolute_links(const std::string& markdown, const std::string& folder) {
  std::string text;
  bool fenced = false;
  for (const std::string& line : lines_in(markdown)) {
    if (begins_with(line, "```")) fenced = !fenced;
    const bool code = fenced || begins_with(line, "    ");
    text += (code ? line : with_absolute_links_in_line(line, folder)) + "\n";
  }
  if (!text.empty() && !markdown.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace learn
