// AnswerObject: what a compiled answer is made of, and what it calls. Some of it is refused.
#pragma once

#include <string>
#include <vector>

#include "runner/course/course.h"

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

// The functions of the engine that the object calls, of those that the answer is to do without. It counts no call less
// because no gradient is wanted there.
std::vector<std::string> forbidden_calls(const Exercise& exercise, const std::string& object);

}  // namespace learn
