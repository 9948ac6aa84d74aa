// Programs as source: for a reader, and for PyTorch.
#pragma once

#include <string>

#include "program.h"

namespace random_programs {

// Statements for the body of a function, in the words of ops.h; sources by their seeds (numbers.h).
std::string as_cpp(const Program& program);

// Has PyTorch all of its words?
bool is_pytorch(const Program& program);
// The same for Python, where `leaf`, `integers`, `record` and the like are those of fixtures/random_programs.py.
std::string as_python(const Program& program);

}  // namespace random_programs
