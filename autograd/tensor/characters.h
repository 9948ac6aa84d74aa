// The characters of a text, and which of them deceive whoever reads it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace autograd {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0: the text does not begin with a character in UTF-8
};

// Of a text that is not empty.
Character first_character(std::string_view text);
void append_character(std::string& text, char32_t code);

// A control character, or one that changes the reading direction or cannot be seen.
bool turns_or_hides(char32_t code);

// Text for a terminal or a transcript, in which names come from the user's program or from a file: control characters
// and bytes that are not UTF-8 become \xNN, and what changes the reading direction or cannot be seen becomes \u{202e}.
std::string printable(std::string_view text);
// The same for a text of several lines, which keeps them.
std::string printable_lines(std::string_view text);

}  // namespace autograd
