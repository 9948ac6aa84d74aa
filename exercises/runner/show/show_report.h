// A report on the screen: what a person takes in at a glance. What it all means is told by `learn why`.
#pragma once

#include <string>

#include "runner/lessons/course.h"
#include "runner/show/blocks.h"

namespace learn {

struct ShowOptions {
  bool verbose = false;
  bool raw = false;  // also what the compiler or a sanitizer wrote, word for word
};

// "✗ not right yet  19 Linear layer"
std::string headline(const Style& style, const Exercise& exercise, const Report& report);
// What comes below it. `file` is the learner's, whose lines are shown.
Blocks blocks_of(const Style& style, const Exercise& exercise, const Report& report, const std::string& file,
                 const ShowOptions& options = {});
// Everything: what the named mistake is and why its numbers come out, all tables, clues and sizes.
Blocks explanation_of(const Style& style, const Exercise& exercise, const Report& report, const std::string& file);

// Both as text, with the headline.
std::string show_report(const Style& style, const Exercise& exercise, const Report& report, const std::string& file,
                        const ShowOptions& options = {});
std::string explain_report(const Style& style, const Exercise& exercise, const Report& report, const std::string& file);

}  // namespace learn
