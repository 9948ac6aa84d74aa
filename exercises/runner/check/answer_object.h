// AnswerObject: what a compiled answer is made of, and what it calls. Some of it is refused.
#pragma once

#include <string>
#include <vector>

#include "runner/lessons/course.h"

namespace learn {

// The paths in what a compiler wrote for make: "$$" is a "$", "\\#" a "#", and a blank after an odd number of
// backslashes belongs to the path, with half of them. All others, and newlines in a path, stand as they are.
std::vector<std::string> paths_in_dependencies(const std::string& text);

// The first file that the answer includes and may not: another exercise's or learner's. "" if there is none.
// `dependencies`: what the compiler wrote for make.
std::string foreign_include(const Exercise& exercise, const std::string& answer, const std::string& dependencies);

// The first name in the object that no answer has to do with: with the check's own functions, or with those by which it
// speaks with the judge, a result could be forged. "" if there is none.
std::string foreign_symbol(const std::string& object);

// The functions of the engine that the object calls, by the linker's names.
std::vector<std::string> calls_of_the_engine(const std::string& object);

}  // namespace learn
