// read_lines and split_words: from files to words.
//
//   split_words("Ein Mann, 38 m groß!")   ->   ein  mann  ,  38  m  groß  !
//
// That is Python's  re.findall(r"\w+|[^\w\s]", line.lower())  for all of Unicode: a word is a run of letters, digits
// and underscores, or any one other character that is not white space. So "don't" is three words, and a combining
// accent that is not composed with its letter is a word by itself.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace translate {

using Words = std::vector<std::string>;

// Returns the words of a line, in lower case. Throws bad-argument, with the position, if the line is not UTF-8.
Words split_words(std::string_view line);

// Returns the words with a space between each two.
std::string join(const Words& words);

// Returns the position, in bytes from 0, where the text stops being UTF-8; nothing if all of it is.
std::optional<std::size_t> first_invalid_byte(std::string_view text);
// Returns "byte 4 of the line (0xDF) is not UTF-8", or nothing if all of it is.
std::optional<std::string> describe_invalid_byte(std::string_view line);

// ---- files, one sentence per line ------------------------------------------------------------------------------

// The longest sentence, in words, that is translated: time and memory grow with the square of its length.
constexpr std::size_t longest_sentence = 2000;

// Returns the lines of a file, or of standard input for "" or "-", without their ends. Drops a byte order mark at the
// start and the carriage returns of Windows; the last line needs no end. Throws bad-file, with the file and the line,
// if it cannot be read, or if a line is not UTF-8.
std::vector<std::string> read_lines(const std::filesystem::path& file);

// Returns whether the path is "" or "-".
bool is_standard_input(const std::filesystem::path& file);
// Returns what errors call it: the path, or "standard input".
std::string name_of(const std::filesystem::path& file);

// Returns the words of a line of a file. Throws bad-file, with the line, for more than longest_sentence words.
Words words_of_line(const std::string& text, const std::filesystem::path& file, std::size_t line);

}  // namespace translate
