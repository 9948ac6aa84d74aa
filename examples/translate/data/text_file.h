// Reading texts: one sentence per line, from a file, a pipe, or standard input.
#pragma once

#include <cstddef>
#include <filesystem>
#include <istream>
#include <string>
#include <vector>

#include "examples/translate/data/words.h"

namespace translate {

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
