// Errors that the user of the program can do something about. They are Errors like all others
// (autograd/tensor/error.h); the program shows what was found and what to do in one line.
#pragma once

#include <autograd/tensor/error.h>
#include <fmt/core.h>

#include <cstdint>
#include <string_view>

namespace translate {

// bad-argument: an option, or options that do not go together.
[[noreturn]] inline void refuse_option(std::string_view found, std::string_view advice,
                                       autograd::Where where = autograd::Where::current()) {
  autograd::fail(autograd::ErrorId::bad_argument, "translate", where, found, advice);
}

// bad-argument unless smallest <= value <= largest.
inline void check_range(std::string_view option, std::int64_t value, std::int64_t smallest, std::int64_t largest,
                        autograd::Where where = autograd::Where::current()) {
  if (smallest <= value && value <= largest) return;
  const std::string range = value < smallest ? fmt::format("it is at least {}", smallest)
                                             : fmt::format("it is from {} to {}", smallest, largest);
  refuse_option(fmt::format("--{} is {}", option, value), range, where);
}

// bad-file: the files of a run, or of data, that are not what they should be.
[[noreturn]] inline void refuse_files(std::string_view found, std::string_view advice,
                                      autograd::Where where = autograd::Where::current()) {
  autograd::fail(autograd::ErrorId::bad_file, "translate", where, found, advice);
}

}  // namespace translate
