// Which of an exercise's mutants (runner/author/mutants.h) its check does not tell from the solution. They stand in the
// exercise's table in the place of the known mistakes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace judge {

struct MutantReport {
  std::vector<std::string> living;    // by their names: right wherever the check looks
  std::vector<std::string> problems;  // sizes at which the solution is not right, and nothing can be said
};

// Each runs in a process of its own: some crash, and some never end. `slow_too`: those that live then try what takes
// seconds as well.
MutantReport run_mutants(bool slow_too);

}  // namespace judge
