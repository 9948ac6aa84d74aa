// Text in the columns of a terminal: its width, cut or padded to a width, in lines and in tables. Texts are printable
// (printable.h). Colour codes in them take no columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace autograd {

std::size_t display_width(std::string_view text);
// The width of the widest text.
std::size_t display_width(const std::vector<std::string>& texts);

// Its letters one by one, accents with the letter that they belong to.
std::vector<std::string> letters_of(std::string_view text);

// As much of the text as fits, with an ellipsis where it was cut.
std::string shortened(std::string_view text, std::size_t columns);
// Padded with blanks to that many columns: behind the text, or before it.
std::string padded(std::string_view text, std::size_t columns);
std::string padded_left(std::string_view text, std::size_t columns);

// Broken between words. A word that is wider than a line gets a line of its own.
std::vector<std::string> in_lines(std::string_view text, std::size_t columns, std::size_t first_columns);
// The same as one text, of at most `columns`, with a newline after each line. The first begins with `first`, the
// others with as many blanks and `more`.
std::string wrapped(std::string_view text, std::size_t columns, std::string_view first, std::size_t more);

// Rows in columns, each as wide as its widest cell, with two blanks between them. `alignment` has a '<' or '>' for each
// column; the last one also holds for all columns after it.
std::string in_columns(const std::vector<std::vector<std::string>>& rows, std::string_view alignment,
                       std::string_view indent);

}  // namespace autograd
