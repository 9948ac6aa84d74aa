// From a line of text to its words:
//
//   split_words("Ein Mann, 38 m groß!")   ->   ein  mann  ,  38  m  groß  !
//
// That is Python's  re.findall(r"\w+|[^\w\s]", line.lower())  for all of Unicode: a word is a run of letters, digits
// and underscores, or any one other character that is not white space. So "don't" is three words, and a combining
// accent that has not been composed with its letter is a word by itself. What is a letter and what its lower case is,
// ICU knows.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace translate {

using Words = std::vector<std::string>;

// Throws bad-argument, with the position, if the line is not UTF-8.
Words split_words(std::string_view line);

// Python's str.lower(). The text is UTF-8.
std::string lower_case(std::string_view text);

// The words with a space between them.
std::string join(const Words& words);

// Where the text stops being UTF-8, in bytes from 0.
std::optional<std::size_t> first_invalid_byte(std::string_view text);
// "byte 4 of the line (0xDF) is not UTF-8"; nothing if all of it is.
std::optional<std::string> describe_invalid_byte(std::string_view line);

}  // namespace translate
