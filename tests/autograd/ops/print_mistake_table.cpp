// Prints docs/gradient-check-table.md:
//
//   build/release/tests/print_mistake_table > docs/gradient-check-table.md
#include <fmt/core.h>

#include "tests/autograd/ops/mistake_table.h"

int main() {
  fmt::print("{}", mistake_table::page());
}
