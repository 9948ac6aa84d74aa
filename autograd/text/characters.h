// The characters of a text in UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace autograd {

struct Character {
  char32_t code = 0;
  std::string_view bytes;
  bool is_valid = false;  // false: one byte that is not UTF-8, and 0 as its code
};

// Takes the first character off a text that is not empty.
Character take_character(std::string_view& text);
void append_character(std::string& text, char32_t code);

// What Python's str.isspace() says: no-break spaces and the separators U+001C to U+001F count as well.
bool is_white_space(char32_t code);

// Lower case by Unicode's rules for all languages alike, as Python's str.lower() gives it: Σ becomes ς at the end of a
// word and σ elsewhere, I becomes i (in Turkish, too), İ becomes i with a dot on it. What is not UTF-8 stays as it is.
std::string lower_case(std::string_view text);

}  // namespace autograd
