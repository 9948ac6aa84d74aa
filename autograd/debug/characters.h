// The characters of a text, and which of them deceive whoever reads it.
#pragma once

#include <cstddef>
#include <string_view>

namespace autograd::debug {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0: the text does not begin with a character in UTF-8
};

// Of a text that is not empty.
Character first_character(std::string_view text);

// A control character, or one that changes the reading direction or cannot be seen.
bool turns_or_hides(char32_t code);

}  // namespace autograd::debug
