// A report on the screen: what a person takes in at a glance. What it all means is told by `learn why`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runner/course.h"
#include "runner/report.h"
#include "runner/style.h"

namespace learn {

struct ShowOptions {
  bool verbose = false;
};

// `file` is the learner's, whose lines are shown.
std::string show_report(const Style& style, const Exercise& exercise, const Report& report, const std::string& file,
                        const ShowOptions& options = {});
// Everything: what the named mistake is and why its numbers come out, all tables, clues and shrunk shapes.
std::string explain_report(const Style& style, const Exercise& exercise, const Report& report, const std::string& file);

// The parts, for others who show something alike.
std::string show_entries(const Style& style, const Difference& difference, const std::string& indent);
// "right when source has length 1, wrong at 3: ...", a sentence each.
std::vector<std::string> shrink_sentences(const Verdict& verdict);
// The questions of the known mistakes that give exactly these numbers; none if nothing is known.
std::vector<std::string> questions(const Exercise& exercise, const Verdict& verdict);

}  // namespace learn
