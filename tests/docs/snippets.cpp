#include "snippets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "autograd/text/words.h"
#include "tests/support/same_line.h"
#include "tests/support/temporary_folder.h"

namespace docs {

using autograd::lines_in;
using autograd::trim;

namespace {

[[noreturn]] void fail(const Page& page, int line, const std::string& what) {
  throw std::runtime_error(fmt::format("{}:{}: {}", page.name, line, what));
}

bool starts_with(const std::string& text, const std::string& start) {
  return text.rfind(start, 0) == 0;
}

}  // namespace

// ---- reading -------------------------------------------------------------------------------------------------

namespace {

const std::string fence = "```";

void find_blocks(Page& page) {
  bool open = false;
  for (std::size_t i = 0; i < page.lines.size(); ++i) {
    const std::string& line = page.lines[i];
    const int number = static_cast<int>(i) + 1;
    if (!open && starts_with(line, fence)) {
      page.blocks.push_back({number, trim(line.substr(fence.size())), {}});
      open = true;
    } else if (open && trim(line) == fence) {
      open = false;
    } else if (open) {
      page.blocks.back().lines.push_back(line);
    } else if (starts_with(trim(line), fence)) {
      fail(page, number, "a block opens with an indented ```, where it would not be checked; begin at the margin");
    }
  }
  if (open) fail(page, page.blocks.back().line, "this block is never closed");
}

bool has_main(const Lines& code) {
  return std::any_of(code.begin(), code.end(), [](const std::string& line) { return starts_with(line, "int main()"); });
}

Snippet make_snippet(const Page& page, const Block& block, const std::vector<std::string>& words) {
  Snippet snippet;
  snippet.line = block.line;
  snippet.end = block.line + static_cast<int>(block.lines.size()) + 1;
  snippet.code = block.lines;
  snippet.file = "example.cpp";
  if (has_main(block.lines)) snippet.kind = Snippet::Kind::program;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "continued") {
      snippet.kind = Snippet::Kind::continued;
    } else if (words[i] == "step") {
      snippet.is_session = true;
    } else if (words[i] == "global") {
      snippet.kind = Snippet::Kind::global;
    } else if (words[i].find('.') != std::string::npos) {
      snippet.file = words[i];
    } else {
      fail(page, block.line,
           fmt::format("unknown word \"{}\"; there are continued, global, step and nocheck", words[i]));
    }
  }
  const bool first = page.snippets.empty() || page.snippets.back().kind == Snippet::Kind::program;
  if (snippet.kind == Snippet::Kind::continued && first) fail(page, block.line, "there is nothing to continue");
  return snippet;
}

void find_snippets(Page& page) {
  bool follows_snippet = false;
  for (const Block& block : page.blocks) {
    std::istringstream info(block.info);
    std::vector<std::string> words;
    for (std::string word; info >> word;) words.push_back(word);
    if (words.empty()) continue;
    const bool is_cpp = words[0] == "cpp" || words[0] == "c++" || words[0] == "C++";
    const bool is_excerpt = words.size() >= 3 && words[words.size() - 2] == "from";
    if (is_excerpt) {
      page.excerpts.push_back({block.line, words.back(), block.lines});
      words.resize(words.size() - 2);
    }
    const bool is_only_excerpt = is_excerpt && words.size() == 1;
    const bool is_checked =
        is_cpp && !is_only_excerpt && std::find(words.begin(), words.end(), "nocheck") == words.end();
    if (is_checked) {
      page.snippets.push_back(make_snippet(page, block, words));
    } else if (words[0] == "text" && !is_excerpt) {
      if (!follows_snippet) {
        fail(page, block.line, "```text is the output of the snippet before it, and there is none; use ``` alone");
      }
      Snippet& snippet = page.snippets.back();
      if (snippet.kind == Snippet::Kind::global) fail(page, block.line, "a global snippet prints nothing");
      snippet.has_output = true;
      snippet.output_line = block.line;
      snippet.output = block.lines;
    }
    follows_snippet = is_checked;
  }
}

}  // namespace

namespace {

Page parse_blocks(const std::string& text, const std::string& name) {
  Page page;
  page.name = name;
  page.lines = lines_in(text);
  find_blocks(page);
  return page;
}

std::string read_text(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be read", name));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

Page parse_page(const std::string& text, const std::string& name) {
  Page page = parse_blocks(text, name);
  find_snippets(page);
  return page;
}

namespace {

bool has_any(const std::vector<Snippet>& snippets, const auto& is_wanted) {
  return std::any_of(snippets.begin(), snippets.end(), is_wanted);
}

// The files beside the page's pictures that are drawn with it.
void find_drawings(Page& page, const std::filesystem::path& folder) {
  for (std::size_t i = 0; i < page.lines.size(); ++i) {
    const std::size_t start = page.lines[i].find("](pictures/");
    const std::size_t end = page.lines[i].find(".svg)", start);
    if (start == std::string::npos || end == std::string::npos) continue;
    const std::string file = page.lines[i].substr(start + 2, end - start - 2) + ".cpp";
    const auto is_same = [&](const Snippet& other) { return other.file == file; };
    if (!std::filesystem::exists(folder / file) || has_any(page.drawings, is_same)) continue;
    const Lines code = lines_in(read_text((folder / file).string(), file));
    if (code.front() != "// Drawn with " + page.name) continue;
    Snippet& drawing = page.drawings.emplace_back();
    drawing.line = static_cast<int>(i) + 1;
    drawing.file = file;
    drawing.code = code;
  }
}

}  // namespace

Page read_page(const std::string& path, const std::string& name) {
  Page page = parse_page(read_text(path, name), name);
  find_drawings(page, std::filesystem::path(path).parent_path());
  return page;
}

Page read_blocks(const std::string& path, const std::string& name) {
  return parse_blocks(read_text(path, name), name);
}

Lines commands_of(const Snippet& snippet) {
  static const std::string prompt = "(backstep) ";
  Lines commands;
  for (const std::string& line : snippet.output) {
    if (starts_with(line, prompt)) commands.push_back(line.substr(prompt.size()));
  }
  return commands;
}

// ---- the program ---------------------------------------------------------------------------------------------

namespace {

using Kind = Snippet::Kind;

// Writes the snippets' functions one after the other, and main(), which calls them.
class ProgramWriter {
 public:
  explicit ProgramWriter(const Page& page) : page_(page) {}

  std::string write() {
    for (const Snippet& snippet : page_.snippets) write(snippet);
    for (const Snippet& drawing : page_.drawings) write(drawing);
    close_function();
    std::string main = "\nint main() {\n";
    for (const int line : functions_) main += fmt::format("  docs::run(line_{}, {});\n", line, line);
    main += "}\n";
    return fmt::format(
        "// Written from {} by tests/docs/snippets.cpp.\n"
        "#include \"docs/page.h\"\n{}\n"
        "namespace {{\nusing namespace autograd;\n{}}}  // namespace\n{}",
        page_.name, includes_, body_, main);
  }

 private:
  void write(const Snippet& snippet) {
    if (snippet.kind == Kind::continued) {
      body_ += fmt::format("  docs::begin({});\n", snippet.line);
      write_code(snippet, code_lines_ + 1);
      return;
    }
    close_function();
    if (snippet.kind == Kind::global) {
      write_code(snippet, 1);
      code_lines_ = 0;
      return;
    }
    functions_.push_back(snippet.line);
    if (snippet.kind == Kind::program) {
      body_ += fmt::format("}}  // namespace\nnamespace program_{} {{\n", snippet.line);
      write_code(snippet, 1);
      body_ += fmt::format("}}\nnamespace {{\nvoid line_{}() {{ program_{}::run(); }}\n", snippet.line, snippet.line);
      return;
    }
    body_ += fmt::format("void line_{}() {{\n", snippet.line);
    if (snippet.is_session) write_session(snippet);
    open_ = true;
    write_code(snippet, 1);
  }

  // The debugger shows the program's lines, so the program must be there as a file.
  void write_session(const Snippet& snippet) {
    includes_ += "#include \"docs/session.h\"\n";
    std::string commands;
    for (const std::string& command : commands_of(snippet)) commands += fmt::format("{}, ", raw_string(command));
    body_ += fmt::format("const docs::Session docs_session(\"{}\", {}, {{{}}});\n", snippet.file,
                         raw_string(fmt::format("{}\n", fmt::join(snippet.code, "\n"))), commands);
  }

  static std::string raw_string(const std::string& text) { return fmt::format("R\"docs({})docs\"", text); }

  // Includes move to the top of the file and leave an empty line behind, so that the lines keep their numbers.
  void write_code(const Snippet& snippet, int first_line) {
    body_ += fmt::format("#line {} \"{}\"\n", first_line, snippet.file);
    for (const std::string& line : snippet.code) {
      if (starts_with(line, "#include")) {
        includes_ += line + "\n";
        body_ += "\n";
      } else if (starts_with(line, "int main()")) {
        body_ += "void run()" + line.substr(std::string("int main()").size()) + "\n";
      } else {
        body_ += line + "\n";
      }
    }
    code_lines_ = first_line + static_cast<int>(snippet.code.size()) - 1;
  }

  void close_function() {
    if (open_) body_ += "}\n";
    open_ = false;
  }

  const Page& page_;
  std::string includes_;
  std::string body_;
  std::vector<int> functions_;  // by the line of their first snippet
  bool open_ = false;
  int code_lines_ = 0;  // of the function so far
};

}  // namespace

std::string write_program(const Page& page) {
  return ProgramWriter(page).write();
}

// ---- running -------------------------------------------------------------------------------------------------

namespace {

constexpr char mark = '\x1e';  // as in page.h

Lines without_empty_end(Lines lines) {
  while (!lines.empty() && trim(lines.back()).empty()) lines.pop_back();
  return lines;
}

}  // namespace

// "<mark>17\n", then the output of the snippet at line 17; "<mark>!17\n", then what it threw.
Printed parse_printed(const Page& page, const std::string& text) {
  Printed printed;
  std::size_t at = text.find(mark);
  while (at != std::string::npos) {
    const std::size_t next = text.find(mark, at + 1);
    const std::string part = text.substr(at + 1, next == std::string::npos ? next : next - at - 1);
    const bool threw = starts_with(part, "!");
    const int line = std::atoi(part.c_str() + (threw ? 1 : 0));
    const std::string content = part.substr(std::min(part.find('\n'), part.size() - 1) + 1);
    const auto is_here = [line](const Snippet& snippet) { return snippet.line == line; };
    const bool is_known = has_any(page.snippets, is_here) || has_any(page.drawings, is_here);
    if (!is_known) {
      printed.failure = fmt::format("{}:{}: there is no snippet here: the program is of another version of the page",
                                    page.name, line);
    } else if (threw) {
      printed.failure += fmt::format("{}:{}: the snippet ends with an error:\n{}", page.name, line, content);
    } else {
      printed.by_line[line] = without_empty_end(lines_in(content));
    }
    at = next;
  }
  return printed;
}

Printed run_program(const Page& page, const std::string& program, const std::string& pictures) {
  if (page.snippets.empty()) return {};    // then it has no program
  const fixtures::TemporaryFolder folder;  // for the files that snippets write
  const std::filesystem::path written = folder.path() / "pictures";
  std::filesystem::create_directory(written);
  const std::string command = fmt::format("cd '{}' && env -u BACKSTEP '{}'", folder.path().string(), program);
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error(fmt::format("{} cannot be run", program));
  std::string text;
  char buffer[4096];
  for (std::size_t count = 0; (count = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, count);
  const int status = pclose(pipe);
  for (const auto& file : std::filesystem::directory_iterator(written)) {
    if (pictures.empty()) break;
    std::filesystem::create_directories(pictures);
    std::filesystem::copy(file, pictures, std::filesystem::copy_options::overwrite_existing);
  }
  Printed printed = parse_printed(page, text);
  if (status != 0 && printed.failure.empty()) {
    const int line = printed.by_line.empty() ? 1 : printed.by_line.rbegin()->first;
    printed.failure = fmt::format("{}:{}: the program ended here, with status {}", page.name, line, status);
  }
  return printed;
}

// ---- excerpts ------------------------------------------------------------------------------------------------

std::string missing_line(const Excerpt& excerpt, const std::string& text) {
  const Lines lines = lines_in(text);
  auto at = lines.begin();
  bool anywhere = true;  // the next line need not follow at once
  for (const std::string& wanted : excerpt.lines) {
    if (trim(wanted) == "// ...") {
      anywhere = true;
      continue;
    }
    const auto found = anywhere ? std::find(at, lines.end(), wanted) : at;
    if (found == lines.end() || *found != wanted) return wanted;
    at = found + 1;
    anywhere = false;
  }
  return "";
}

// ---- comparing -----------------------------------------------------------------------------------------------

namespace {

const Lines& output_of(const Snippet& snippet, const Printed& printed) {
  static const Lines nothing;
  const auto found = printed.by_line.find(snippet.line);
  return found == printed.by_line.end() ? nothing : found->second;
}

// "" if it prints what the page says.
std::string difference(const Page& page, const Snippet& snippet, const Lines& actual) {
  const Lines expected = without_empty_end(snippet.output);
  for (std::size_t i = 0; i < std::max(expected.size(), actual.size()); ++i) {
    if (i < expected.size() && i < actual.size() && fixtures::same_line(expected[i], actual[i])) continue;
    const int line = snippet.has_output ? snippet.output_line + 1 + static_cast<int>(i) : snippet.line;
    return fmt::format("{}:{}: the snippet at line {} prints something else\n    here:    {}\n    printed: {}",
                       page.name, line, snippet.line, i < expected.size() ? expected[i] : "(nothing)",
                       i < actual.size() ? actual[i] : "(nothing)");
  }
  return "";
}

}  // namespace

Lines differences(const Page& page, const Printed& printed) {
  Lines result;
  if (!printed.failure.empty()) result.push_back(printed.failure);
  for (const Snippet& snippet : page.snippets) {
    const std::string one = difference(page, snippet, output_of(snippet, printed));
    if (!one.empty()) result.push_back(one);
  }
  return result;
}

// ---- updating ------------------------------------------------------------------------------------------------

std::string updated(const Page& page, const Printed& printed) {
  if (!printed.failure.empty()) throw std::runtime_error(printed.failure);
  Lines lines = page.lines;
  for (auto snippet = page.snippets.rbegin(); snippet != page.snippets.rend(); ++snippet) {  // from the end, so that
    const Lines& actual = output_of(*snippet, printed);                                      // line numbers stay good
    if (difference(page, *snippet, actual).empty()) continue;
    Lines block = {fence + "text"};
    block.insert(block.end(), actual.begin(), actual.end());
    block.push_back(fence);
    if (snippet->has_output) {
      const auto begin = lines.begin() + snippet->output_line - 1;
      const auto end = begin + static_cast<std::ptrdiff_t>(snippet->output.size()) + 2;
      lines.insert(lines.erase(begin, end), block.begin(), block.end());
    } else {
      block.insert(block.begin(), "");
      lines.insert(lines.begin() + snippet->end, block.begin(), block.end());
    }
  }
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

}  // namespace docs
