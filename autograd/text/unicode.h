// What Unicode says about a character. unicode.cpp asks utf8proc; for WebAssembly, where it is missing,
// unicode_libc.cpp asks the C library.
#pragma once

#include <cstddef>

namespace autograd {

// The small letter of a capital one, where that is one character; all others as they are.
char32_t lower(char32_t code);
bool has_case(char32_t code);
bool is_letter_or_number(char32_t code);

// How many columns of a terminal it takes: 2 for East Asian letters and emoji, 0 for what stands on the letter before
// it, such as a combining accent, else 1.
std::size_t columns_of(char32_t code);

}  // namespace autograd
