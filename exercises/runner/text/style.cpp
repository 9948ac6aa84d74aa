#include "runner/text/style.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "autograd/text/characters.h"
#include "autograd/text/printable.h"

namespace learn {
namespace {

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

std::string wrapped(std::string_view text, std::size_t width, std::string_view first) {
  return autograd::wrapped(as_called(text), width, first, 0);
}

std::string to_ascii(std::string_view text) {
  static const std::pair<std::string_view, std::string_view> replacements[] = {
      {"✓", "ok"},   {"✗", "x"},    {"·", "-"},  {"—", "-"},  {"–", "-"}, {"→", "->"}, {"←", "<-"},
      {"…", "..."},  {"×", "x"},    {"≤", "<="}, {"≥", ">="}, {"’", "'"}, {"‘", "'"},  {"“", "\""},
      {"”", "\""},   {"█", "#"},    {"░", "."},  {"│", "|"},  {"─", "-"}, {"★", "*"},  {"α", "alpha"},
      {"β", "beta"}, {"Σ", "sum"},  {"∂", "d"},  {"▸", ">"},  {"●", "*"}, {"•", "*"},  {"²", "^2"},
      {"ᵀ", "^T"},   {"√", "sqrt"}, {"○", "o"},  {"−", "-"},  {"⊙", "*"}};
  std::string result;
  while (!text.empty()) {
    const std::string_view character = autograd::take_character(text).bytes;
    const auto* const known = std::find_if(std::begin(replacements), std::end(replacements),
                                           [&](const auto& replacement) { return replacement.first == character; });
    const bool is_ascii = static_cast<unsigned char>(character[0]) < 0x80;
    result += is_ascii ? character : known == std::end(replacements) ? "?" : known->second;
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
  const auto end_foreign = [&] { result += autograd::printable_lines(std::exchange(foreign, "")); };
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
    } else {
      foreign += text[0];
    }
    text.remove_prefix(length);
  }
  end_foreign();
  return result;
}

void complain(std::string_view sentence) {
  fmt::print(stderr, "learn: {}\n", autograd::printable_lines(as_called(sentence)));  // without colours
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
  const std::size_t left_width = display_width(left);
  if (indent.size() + left_width + 3 + display_width(right) > style.terminal) {
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
