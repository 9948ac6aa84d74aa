// From files to words.
//
//   split_words("Ein Mann, 38 m groß!")   ->   ein  mann  ,  38  m  groß  !
//
// That is Python's  re.findall(r"\w+|[^\w\s]", line.lower())  for all of Unicode: a word is a run of letters, digits
// and underscores, or any one other character that is not white space. So "don't" is three words, and a combining
// accent that has not been composed with its letter is a word by itself. What is a letter and what its lower case is,
// ICU knows.
#pragma once

#include <cstddef>
#include <filesystem>
#include <istream>
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

// ---- files, one sentence per line ------------------------------------------------------------------------------

// The longest line, in bytes, that is taken for a sentence.
constexpr std::size_t longest_line = 100'000;
// The longest sentence, in words, that is translated. The time and the memory that it takes grow with its square.
constexpr std::size_t longest_sentence = 2000;

// The lines of a regular file without their ends. A mark of the byte order at the start of the file, and the carriage
// returns of Windows, are left out; the last line needs no end. Throws bad-file, with the file and the line, if the
// file cannot be read, or if a line is not UTF-8 or longer than longest_line.
std::vector<std::string> read_lines(const std::string& path);
// The same of a pipe, or standard input. `name` is what it is called in an error.
std::vector<std::string> read_lines(std::istream& stream, const std::string& name);
// The same of whatever a user names: a file, which may be a pipe, or "" or "-" for standard input.
std::vector<std::string> lines_of(const std::filesystem::path& file);

// Is it "" or "-"?
bool is_standard_input(const std::filesystem::path& file);
// What an error calls it: the path, or "standard input".
std::string name_of(const std::filesystem::path& file);

// The words of a line of a file. Throws bad-file, with the line, for more than longest_sentence of them.
Words words_of_line(const std::string& text, const std::filesystem::path& file, std::size_t line);

}  // namespace translate
