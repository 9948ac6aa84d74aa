// In the place of debug/step/terminal.cpp: there is no terminal, so commands come from a script or standard input.
#include <iostream>
#include <utility>

#include "autograd/debug/step/lines.h"

namespace autograd::debug {

bool take_interrupt() {
  return false;
}

void stop_catching_interrupts() {}

std::optional<std::int64_t> terminal_columns() {
  return {};
}

std::unique_ptr<Lines> lines_of_standard_input(Completer) {
  return lines_from(std::cin);
}

std::unique_ptr<Lines> lines_of(const std::string& source, Completer complete) {
  return source.empty() ? lines_of_standard_input(std::move(complete)) : lines_of_file(source);
}

}  // namespace autograd::debug
