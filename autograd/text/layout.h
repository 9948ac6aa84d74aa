// Text in the columns of a terminal: how wide it is, cut and filled up, in lines and in tables. Texts are printable
// (printable.h). Codes of colours may be in them, and take no columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace autograd {

std::size_t display_width(std::string_view text);
// Of the widest one.
std::size_t display_width(const std::vector<std::string>& texts);

// Its letters one by one, accents with the letter that they belong to.
std::vector<std::string> letters_of(std::string_view text);

// As much of the text as has room, with an ellipsis if that is not all.
std::string shortened(std::string_view text, std::size_t columns);
// With blanks behind it or before it, up to that many columns.
std::string padded(std::string_view text, std::size_t columns);
std::string padded_left(std::string_view text, std::size_t columns);

// Broken between words. A word that is wider than a line has one of its own.
std::vector<std::string> in_lines(std::string_view text, std::size_t columns, std::size_t first_columns);
// The same as one text, of at most `columns`, with a newline behind each line. The first begins with `first`, the
// others with as many blanks and `more`.
std::string wrapped(std::string_view text, std::size_t columns, std::string_view first, std::size_t more);

// Rows in columns as wide as their widest cell, two blanks between them. `alignment` has a '<' or '>' for each column;
// the last one goes for all others.
std::string in_columns(const std::vector<std::vector<std::string>>& rows, std::string_view alignment,
                       std::string_view indent);

}  // namespace autograd
