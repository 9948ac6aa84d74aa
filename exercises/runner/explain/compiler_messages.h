// Compiler messages: the first error of g++ or clang with the learner's line, in plain words where it comes from what
// learners do, else in the compiler's own; the warnings that may explain a wrong result; and what the linker misses.
#pragma once

#include <string>
#include <vector>

#include "runner/explain/diagnostics.h"
#include "runner/report/report.h"

namespace learn {

struct AnswerFile {
  std::string path;                    // as the compiler was given it
  std::vector<std::string> lines;      // what is in it
  std::vector<std::string> functions;  // those it is to define
};

// Of output that stands for a failure; says something even if it understands nothing of it.
Problem explain_compile_error(const std::string& compiler_output, const AnswerFile& file);
Problem explain_link_error(const std::string& linker_output, const AnswerFile& file);
// The warnings worth showing when the result is wrong, the most telling first.
std::vector<Problem> explain_warnings(const std::string& compiler_output, const AnswerFile& file);

}  // namespace learn
