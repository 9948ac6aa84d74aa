// Prints docs/mistakes.md:
//
//   build/release/tests/exercises/runner/print_mistake_index > docs/mistakes.md
#include <fmt/core.h>

#include "mistake_index.h"

int main() {
  fmt::print("{}", mistake_index::page());
}
