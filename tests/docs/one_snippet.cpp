#include "one_snippet.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>
#include <stdexcept>

namespace docs {
namespace {

using Kind = Snippet::Kind;

const Snippet& snippet_of(const Page& page, std::size_t number) {
  if (number >= 1 && number <= page.snippets.size()) return page.snippets[number - 1];
  throw std::runtime_error(fmt::format("{} has {} snippets; there is no number {}\n\n{}", page.name,
                                       page.snippets.size(), number, list_snippets(page)));
}

bool is_include(const std::string& line) {
  return line.rfind("#include", 0) == 0;
}

std::string first_line(const Snippet& snippet) {
  const auto is_code = [](const std::string& line) { return !line.empty() && !is_include(line); };
  const auto line = std::find_if(snippet.code.begin(), snippet.code.end(), is_code);
  return line == snippet.code.end() ? "" : *line;
}

std::string heading_above(const Page& page, const Snippet& snippet) {
  for (int line = snippet.line - 1; line > 0; --line) {
    const std::string& text = page.lines[static_cast<std::size_t>(line) - 1];
    if (text.rfind("#", 0) == 0 && text.find("# ") != std::string::npos) return text.substr(text.find("# ") + 2);
  }
  return "";
}

const char* remark(const Snippet& snippet) {
  if (snippet.is_session) return "  (steps through backward)";
  if (snippet.kind == Kind::global) return "  (definitions for those that follow)";
  return snippet.kind == Kind::continued ? "  (goes on)" : "";
}

// The code of a program, in its parts.
struct Parts {
  Lines includes, definitions, statements;

  void add(const Snippet& snippet, Lines& to) {
    if (!to.empty()) to.emplace_back();
    for (const std::string& line : snippet.code) {
      if (!line.empty() || !to.empty()) (is_include(line) ? includes : to).push_back(line);
    }
  }
};

// "Node::~Node() {": what an earlier snippet has declared.
bool defines_member(const Snippet& snippet) {
  static const std::regex member(R"(.*\b\w+::~?\w+\(.*\{.*)");
  return snippet.kind == Kind::global && std::regex_match(first_line(snippet), member);
}

Parts parts_of(const Page& page, std::size_t number) {
  std::size_t first = number;  // of the function that snippet `number` ends
  while (snippet_of(page, first).kind == Kind::continued) --first;
  Parts parts;
  for (std::size_t i = 1; i <= page.snippets.size(); ++i) {
    const Snippet& snippet = snippet_of(page, i);
    const bool is_before = i <= number && snippet.kind == Kind::global;
    const bool completes = i > number && !parts.definitions.empty() && defines_member(snippet);
    if (is_before || completes) parts.add(snippet, parts.definitions);
    if (i >= first && i <= number && snippet.kind != Kind::global) parts.add(snippet, parts.statements);
  }
  return parts;
}

std::string indented(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line.empty() ? "\n" : "  " + line + "\n";
  return text;
}

// Definitions have a namespace of their own, as they may have a name that is also one of the engine's, such as Node.
std::string framed(const Parts& parts) {
  const std::string statements = indented(parts.statements);
  if (parts.definitions.empty()) return fmt::format("using namespace autograd;\n\nint main() {{\n{}}}\n", statements);
  return fmt::format(
      "namespace page {{\nusing namespace autograd;\n\n{}\n\nvoid snippet() {{\n{}}}\n}}  // namespace page\n\n"
      "int main() {{ page::snippet(); }}\n",
      fmt::join(parts.definitions, "\n"), statements);
}

}  // namespace

std::string list_snippets(const Page& page) {
  std::string text;
  std::string heading;
  for (std::size_t i = 0; i < page.snippets.size(); ++i) {
    const Snippet& snippet = page.snippets[i];
    if (const std::string above = heading_above(page, snippet); above != heading) {
      heading = above;
      text += heading + "\n";
    }
    text += fmt::format("{:4}  {}{}\n", i + 1, first_line(snippet), remark(snippet));
  }
  return text;
}

std::string kinds_of_snippets(const Page& page) {
  std::string text;
  for (const Snippet& snippet : page.snippets) {
    text += snippet.is_session ? "steps\n" : snippet.kind == Kind::global ? "defines\n" : "runs\n";
  }
  return text;
}

std::string write_one_program(const Page& page, std::size_t number) {
  const Snippet& snippet = snippet_of(page, number);
  if (snippet.kind == Kind::global) {
    throw std::runtime_error(fmt::format("snippet {} of {} only defines what later ones use; try one of those\n\n{}",
                                         number, page.name, list_snippets(page)));
  }
  const Parts parts = parts_of(page, number);
  const std::string heading = fmt::format("// Snippet {} of {}, to be changed at will.\n", number, page.name);
  if (snippet.kind == Kind::program) return heading + fmt::format("{}\n", fmt::join(snippet.code, "\n"));
  std::string includes;
  for (const std::string& include : parts.includes) includes += include + "\n";
  return fmt::format(
      "{}#include <autograd/autograd.h>\n#include <autograd/gradcheck/gradcheck.h>\n#include <fmt/format.h>\n"
      "#include <nn/nn.h>\n\n#include <cmath>\n{}\n{}",
      heading, includes, framed(parts));
}

}  // namespace docs
