// In the place of debug/step/terminal.cpp: there is no terminal, so commands come from a script or standard input.
#include <iostream>

#include "autograd/debug/step/lines.h"

namespace autograd::debug {

bool take_interrupt() {
  return false;
}

void stop_catching_interrupts() {}

std::optional<std::int64_t> terminal_columns() {
  return {};
}

Lines lines_of(const std::string& source, const Completer&) {
  return source.empty() ? lines_from(std::cin) : lines_of_file(source);
}

}  // namespace autograd::debug
