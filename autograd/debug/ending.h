// How an instrument ends the program: at once, with a failure, and with nothing that was printed lost.
#pragma once

#include <string>

namespace autograd::debug {

inline constexpr int failure_exit_code = 1;  // as AddressSanitizer's

// Not by an exception, which the program could catch, nor by exit(), whose destructors would meet a half-done pass.
[[noreturn]] void end_program(const std::string& last_words);

// What is in the buffers of the C and C++ streams goes out; then `text`, to standard error.
void print_after_output(const std::string& text);

}  // namespace autograd::debug
