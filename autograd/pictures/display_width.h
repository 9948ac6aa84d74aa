// The width of text in a terminal, and the letters that stand there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace autograd {

// How many columns of a terminal it takes: 2 for East Asian letters and emoji, 0 for combining accents, else 1 per
// character. `text` is printable (tensor/characters.h).
std::size_t display_width(std::string_view text);

// Its letters one by one, accents with the letter that they belong to. `text` is printable.
std::vector<std::string> letters_of(std::string_view text);

}  // namespace autograd
