#include "autograd/debug/ending.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace autograd::debug {

void print_after_output(const std::string& text) {
  std::cout.flush();
  std::clog.flush();
  std::fflush(nullptr);
  fmt::print(stderr, "{}", text);
  std::fflush(stderr);
}

void end_program(const std::string& last_words) {
  print_after_output(last_words);
  std::_Exit(failure_exit_code);
}

}  // namespace autograd::debug
