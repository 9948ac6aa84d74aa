// A problem with its line: what a compiler, a sanitizer or an exception said, as a sentence and the place in the
// learner's file.
#pragma once

#include <cstddef>
#include <string>

#include "runner/show/blocks.h"

namespace learn {

// The sentence with its line, the lines around it, and the advice. `file` is the learner's.
Blocks show_problem(const Style& style, const Problem& problem, const std::string& kind, const std::string& file);
// An exception: what it says, where that was, and what to try.
Blocks show_exception(const Style& style, const Thrown& thrown, const Place& place, const std::string& file);
// What ended the answer: an exception, and what was not looked at because of it.
Blocks show_thrown(const Style& style, const Report& report, const std::string& file);
Blocks show_warnings(const Style& style, const Report& report, const std::string& file, std::size_t most);

}  // namespace learn
