// What an answer may see while it runs, and the compiler while it reads one that nobody has looked at.
#pragma once

#include <string>

#include "runner/lessons/course.h"
#include "runner/system/sandbox.h"

namespace learn {

// For `program`, which writes into `folder` (made if it is not there). clang's sanitizers start a program for the lines
// of a stack, which does not run in a sandbox: so with clang only answers that nobody trusts are in one.
Sandbox answer_sandbox(const std::string& program, const std::string& folder, double seconds,
                       const std::vector<std::string>& environment, bool untrusted);
// For the compiler: the library's headers and what is given, but no solution, and nobody else's file.
Sandbox compiler_sandbox(const Exercise& exercise, const std::string& file, const std::string& folder);

}  // namespace learn
