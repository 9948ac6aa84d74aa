// say, refuse_option, refuse_files: messages to the user, and errors that the user can do something about. Messages go
// to standard error, to keep them out of the results.
#pragma once

#include <autograd/tensor/error.h>
#include <autograd/text/words.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace translate {

using autograd::Where;

// Writes a text as it is, at once. Never fails: a training goes on when its terminal is closed or the disk with its log
// is full.
void say(const std::string& text, std::FILE* stream = stderr);

using autograd::counted;  // "1 pair", "2 pairs"

// Makes any text, even one from a stranger, a line that is safe to print on a terminal (autograd/text/printable.h).
std::string in_one_line(std::string text);

// Throws bad-argument for an option, or for options that do not go together. The program shows what was found and what
// to do in one line.
[[noreturn]] void refuse_option(std::string_view found, std::string_view advice, Where where = Where::current());

// Throws bad-argument unless smallest <= value <= largest.
void check_range(std::string_view option, std::int64_t value, std::int64_t smallest, std::int64_t largest,
                 Where where = Where::current());

// Throws bad-file for files of a run, or of data, that are not what they should be.
[[noreturn]] void refuse_files(std::string_view found, std::string_view advice, Where where = Where::current());

}  // namespace translate
