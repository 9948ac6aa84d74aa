#include "runner/text/style.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "runner/text/valid_text.h"

namespace learn {
namespace {

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// The end of the escape sequence that begins at `at`, or `at` itself.
std::size_t end_of_escape(std::string_view text, std::size_t at) {
  if (text[at] != '\033') return at;
  const std::size_t end = text.find('m', at);
  return end == std::string_view::npos ? text.size() : end + 1;
}

std::size_t widest_of(const std::vector<std::string>& lines) {
  std::size_t width = 0;
  for (const std::string& line : lines) width = std::max(width, display_width(line));
  return width;
}

// Is what follows a command to type, and not the verb in a sentence?
bool is_a_beginning(std::string_view before) {
  if (before.empty()) return true;
  for (const std::string_view end : {"\n", "`", "  ", "· ", ". ", "; ", "m"}) {
    if (before.size() >= end.size() && before.substr(before.size() - end.size()) == end) return true;
  }
  return false;
}

}  // namespace

std::string Style::painted(std::string_view text, std::string_view code) const {
  if (!colour || text.empty()) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = end_of_escape(text, i);
    if (end == i && !continues_character(text[i])) ++width;
    i = std::max(end, i + 1);
  }
  return width;
}

std::string padded(std::string_view text, std::size_t columns) {
  const std::size_t width = display_width(text);
  return std::string(text) + std::string(columns > width ? columns - width : 0, ' ');
}

std::string padded_left(std::string_view text, std::size_t columns) {
  const std::size_t width = display_width(text);
  return std::string(columns > width ? columns - width : 0, ' ') + std::string(text);
}

std::string wrapped(std::string_view unnamed, std::size_t width, std::string_view first) {
  const std::string text = as_called(unnamed);  // before its width is taken
  const std::string indent(display_width(first), ' ');
  std::string result(first);
  std::size_t column = indent.size();
  bool line_is_empty = true;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == ' ' || text[i] == '\n') {
      ++i;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" \n", i), text.size());
    const std::string_view word = std::string_view(text).substr(i, end - i);
    const std::size_t length = display_width(word);
    if (!line_is_empty && column + 1 + length > width) {
      result += "\n" + indent;
      column = indent.size();
      line_is_empty = true;
    }
    if (!line_is_empty) {
      result += ' ';
      ++column;
    }
    result += word;
    column += length;
    line_is_empty = false;
    i = end;
  }
  return result + "\n";
}

std::string table(const std::vector<std::vector<std::string>>& rows, std::string_view indent) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line(indent);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      line += i == 0 ? padded(row[i], widths[i]) : padded_left(row[i], widths[i]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string to_ascii(std::string_view text) {
  static const std::pair<std::string_view, std::string_view> replacements[] = {
      {"✓", "ok"},   {"✗", "x"},    {"·", "-"},  {"—", "-"},  {"–", "-"}, {"→", "->"}, {"←", "<-"},
      {"…", "..."},  {"×", "x"},    {"≤", "<="}, {"≥", ">="}, {"’", "'"}, {"‘", "'"},  {"“", "\""},
      {"”", "\""},   {"█", "#"},    {"░", "."},  {"│", "|"},  {"─", "-"}, {"★", "*"},  {"α", "alpha"},
      {"β", "beta"}, {"Σ", "sum"},  {"∂", "d"},  {"▸", ">"},  {"●", "*"}, {"•", "*"},  {"²", "^2"},
      {"ᵀ", "^T"},   {"√", "sqrt"}, {"○", "o"},  {"−", "-"},  {"⊙", "*"}};
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      result += text[i++];
      continue;
    }
    std::size_t end = i + 1;
    while (end < text.size() && continues_character(text[end])) ++end;
    const std::string_view character = text.substr(i, end - i);
    const auto known = std::find_if(std::begin(replacements), std::end(replacements),
                                    [&](const auto& replacement) { return replacement.first == character; });
    result += known == std::end(replacements) ? "?" : known->second;
    i = end;
  }
  return result;
}

std::string as_called(std::string_view text) {
  static constexpr std::string_view commands[] = {"check",  "dev",   "gdb",      "grade",  "help",  "hint",
                                                  "list",   "mine",  "next",     "read",   "reset", "step",
                                                  "--fast", "start", "solution", "update", "watch", "why"};
  const char* const name = std::getenv("LEARN_NAME");
  if (!name) return std::string(text);
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const bool begins = text.substr(i, 6) == "learn " && is_a_beginning(text.substr(0, i));
    const std::string_view next = begins ? text.substr(i + 6, text.find_first_of(" `\n·", i + 6) - i - 6) : "";
    const bool is_one = std::find(std::begin(commands), std::end(commands), next) != std::end(commands);
    if (!begins || (!is_one && text.substr(i, 7) != "learn  ")) {
      result += text[i++];
      continue;
    }
    result += name;
    i += 5;
    // What stands in a column behind it stays there.
    const std::size_t column = text.find("  ", i);
    std::size_t longer = std::string_view(name).size() - std::string_view("learn").size();
    if (column > text.find('\n', i) || column == std::string_view::npos) continue;
    result += text.substr(i, column - i);
    for (i = column; longer > 0 && text.substr(i, 2) == "  "; --longer) ++i;
  }
  return result;
}

std::string terminal_text(std::string_view text) {
  static constexpr std::string_view own[] = {"\033[0m",  "\033[1m",  "\033[2m", "\033[31m", "\033[32m", "\033[33m",
                                             "\033[36m", "\r\033[K", "\033[K",  "\033[2J",  "\033[3J",  "\033[H"};
  std::string result;
  std::string foreign;
  const auto end_foreign = [&] { result += valid_text(std::exchange(foreign, "")); };
  while (!text.empty()) {
    const auto* const found =
        std::find_if(std::begin(own), std::end(own), [&](std::string_view one) { return text.starts_with(one); });
    std::size_t length = 1;
    if (found != std::end(own)) {
      end_foreign();
      result += *found;
      length = found->size();
    } else if (text == "\r") {
      end_foreign();
      result += '\r';  // the next one replaces this line
    } else if (!text.starts_with("\r\n")) {
      foreign += text[0];
    }
    text.remove_prefix(length);
  }
  end_foreign();
  return result;
}

void complain(std::string_view sentence) {
  fmt::print(stderr, "learn: {}\n", valid_text(as_called(sentence)));  // without colours
}

void show(const Style& style, std::string_view text) {
  const std::string named = terminal_text(as_called(text));
  const std::string shown = style.unicode ? named : to_ascii(named);
  std::fwrite(shown.data(), 1, shown.size(), stdout);
  std::fflush(stdout);
}

std::string side_by_side(const Style& style, const std::vector<std::string>& left,
                         const std::vector<std::string>& right, std::string_view indent) {
  std::string text;
  const std::size_t left_width = widest_of(left);
  if (indent.size() + left_width + 3 + widest_of(right) > style.terminal) {
    for (const std::string& line : left) text += fmt::format("{}{}\n", indent, line);
    text += "\n";
    for (const std::string& line : right) text += fmt::format("{}{}\n", indent, line);
    return text;
  }
  for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    text += fmt::format("{}{} {} {}\n", indent, padded(i < left.size() ? left[i] : "", left_width), style.dim("│"),
                        i < right.size() ? right[i] : "");
  }
  return text;
}

}  // namespace learn
