#include "autograd/text/layout.h"

#include <algorithm>

#include "autograd/text/characters.h"
#include "autograd/text/unicode.h"

namespace autograd {

// ---- widths ------------------------------------------------------------------------------------------------------

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const std::size_t end_of_colour = text.starts_with("\u001B[") ? text.find('m') : std::string_view::npos;
    if (end_of_colour == std::string_view::npos) {
      width += columns_of(take_character(text).code);
    } else {
      text.remove_prefix(end_of_colour + 1);
    }
  }
  return width;
}

std::size_t display_width(const std::vector<std::string>& texts) {
  std::size_t width = 0;
  for (const std::string& text : texts) width = std::max(width, display_width(text));
  return width;
}

std::vector<std::string> letters_of(std::string_view text) {
  std::vector<std::string> letters;
  while (!text.empty()) {
    const Character next = take_character(text);
    if (letters.empty() || columns_of(next.code) > 0) letters.emplace_back();
    letters.back() += next.bytes;
  }
  return letters;
}

std::string shortened(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  std::string beginning;
  std::size_t width = 1;  // of the ellipsis
  for (const std::string& next : letters_of(text)) {
    width += display_width(next);
    if (width > columns) break;
    beginning += next;
  }
  return beginning + "…";
}

std::string padded(std::string_view text, std::size_t columns) {
  const std::size_t width = display_width(text);
  return std::string(text) + std::string(columns > width ? columns - width : 0, ' ');
}

std::string padded_left(std::string_view text, std::size_t columns) {
  const std::size_t width = display_width(text);
  return std::string(columns > width ? columns - width : 0, ' ') + std::string(text);
}

// ---- lines -------------------------------------------------------------------------------------------------------

std::vector<std::string> in_lines(std::string_view text, std::size_t columns, std::size_t first_columns) {
  std::vector<std::string> lines = {""};
  std::size_t used = 0;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
    if (text.empty()) return lines;
    const std::string_view word = text.substr(0, text.find_first_of(" \n"));
    const std::size_t width = display_width(word);
    const bool begins = lines.back().empty();
    if (!begins && used + 1 + width > (lines.size() == 1 ? first_columns : columns)) {
      lines.emplace_back(word);
      used = width;
    } else {
      lines.back().append(begins ? "" : " ").append(word);
      used += (begins ? 0 : 1) + width;
    }
    text.remove_prefix(word.size());
  }
}

std::string wrapped(std::string_view text, std::size_t columns, std::string_view first, std::size_t more) {
  const std::size_t indent = display_width(first);
  const std::size_t first_columns = columns - std::min(columns, indent);
  std::string result(first);
  for (const std::string& line : in_lines(text, first_columns - std::min(first_columns, more), first_columns)) {
    if (result.size() > first.size()) result += std::string(indent + more, ' ');
    result += line + "\n";
  }
  return result;
}

std::string in_columns(const std::vector<std::vector<std::string>>& rows, std::string_view alignment,
                       std::string_view indent) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    std::string line(indent);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool left = alignment[std::min(i, alignment.size() - 1)] == '<';
      line += (i > 0 ? "  " : "") + (left ? padded(row[i], widths[i]) : padded_left(row[i], widths[i]));
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace autograd
