// Errors that the user of the program can do something about. They are Errors like all others (autograd/error.h); the
// program shows what was found and what to do in one line.
#pragma once

#include <autograd/error.h>

#include <string_view>

namespace translate {

// bad-argument: an option, or options that do not go together.
[[noreturn]] inline void refuse_option(std::string_view found, std::string_view advice,
                                       autograd::Where where = autograd::Where::current()) {
  autograd::fail(autograd::ErrorId::bad_argument, "translate", where, found, advice);
}

// bad-file: the files of a run, or of data, that are not what they should be.
[[noreturn]] inline void refuse_files(std::string_view found, std::string_view advice,
                                      autograd::Where where = autograd::Where::current()) {
  autograd::fail(autograd::ErrorId::bad_file, "translate", where, found, advice);
}

}  // namespace translate
