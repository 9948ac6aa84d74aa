// Ends the program for an instrument: at once, with a failure, and without losing what was printed.
#pragma once

#include <string>

namespace autograd::debug {

inline constexpr int failure_exit_code = 1;  // as AddressSanitizer's

// It does not throw, because the program could catch that; nor does it call exit(), because destructors would then see
// an unfinished pass.
[[noreturn]] void end_program(const std::string& last_words);

// Flushes the C and C++ output streams, then prints `text` to standard error.
void print_after_output(const std::string& text);

}  // namespace autograd::debug
