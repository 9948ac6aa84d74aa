// What the program says to whoever started it, and the errors that they can do something about. Messages go to standard
// error, so that they do not get into the results.
#pragma once

#include <autograd/tensor/error.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace translate {

using autograd::Where;

// Writes a text as it is, at once. Nothing fails because a message cannot be written: a training goes on when its
// terminal is closed or the disk with its log is full.
void say(const std::string& text, std::FILE* stream = stderr);

// "1 pair", "2 pairs".
std::string counted(std::int64_t count, std::string_view thing);

// "a, b and c"
std::string listed(const std::vector<std::string>& words);

// A path as it is typed in a shell: in quotes if there is a space or the like in it.
std::string quoted(const std::filesystem::path& path);

// A text, which may be anybody's, as one line that does nothing to a terminal (nn/pictures/display_text.h).
std::string in_one_line(std::string text);

// bad-argument: an option, or options that do not go together. The program shows what was found and what to do in one
// line.
[[noreturn]] void refuse_option(std::string_view found, std::string_view advice, Where where = Where::current());

// bad-argument unless smallest <= value <= largest.
void check_range(std::string_view option, std::int64_t value, std::int64_t smallest, std::int64_t largest,
                 Where where = Where::current());

// bad-file: the files of a run, or of data, that are not what they should be.
[[noreturn]] void refuse_files(std::string_view found, std::string_view advice, Where where = Where::current());

}  // namespace translate
