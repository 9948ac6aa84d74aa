// Reading text files.
#pragma once

#include <autograd/tensor/where.h>

#include <cstddef>
#include <istream>
#include <string>
#include <vector>

namespace translate {

using autograd::Where;

// All of it. Throws bad-file if it cannot be read or is not a regular file.
std::string read_file(const std::string& path, Where where = Where::current());

// The longest line, in bytes, that is taken for a sentence.
constexpr std::size_t longest_line = 100'000;

// One sentence per line: the lines without their ends. A mark of the byte order at the start of the file, and the
// carriage returns of Windows, are left out; the last line needs no end. Throws bad-file, with the file and the line,
// if the file cannot be read or is not a regular one, or if a line is not UTF-8 or longer than longest_line.
std::vector<std::string> read_lines(const std::string& path, Where where = Where::current());
// Of what may be no regular file: a pipe, standard input. `name` is what it is called in an error.
std::vector<std::string> read_lines(std::istream& stream, const std::string& name, Where where = Where::current());

}  // namespace translate
