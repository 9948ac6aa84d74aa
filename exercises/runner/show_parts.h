// The parts that a report is shown with: a problem with its line, a table of numbers, sentences about a verdict.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runner/course.h"
#include "runner/report.h"
#include "runner/style.h"

namespace learn {

// "✗ not right yet  25 Linear layer"
std::string headline(const Style& style, const Exercise& exercise, const Report& report);

// "25_linear_layer.cpp:7:13: error: a ; is missing", the form that editors know, and the lines around it. `file` is the
// learner's.
std::string show_problem(const Style& style, const Problem& problem, std::string_view kind, const std::string& file);
// What ended the answer: the message of an exception, with the line.
std::string show_thrown(const Style& style, const Report& report, const std::string& file);

// "✓ right: dx, dw"; only the first dozen unless `all`. "" for none.
std::string show_right(const Style& style, std::string_view label, const std::vector<std::string>& names, bool all);
// The name, the summary and the table of entries; the clues, too, if asked for.
std::string show_difference(const Style& style, const Difference& difference, bool with_clues);
// index, yours, expected, numeric, with as many digits as it takes to see the difference.
std::string show_entries(const Style& style, const Difference& difference, const std::string& indent);
std::string show_warnings(const Style& style, const Report& report, const std::string& file, std::size_t most);
std::string show_printed(const Style& style, const std::string& printed, bool all);

// What can be said of the numbers, whatever known mistake they are: memory never written, two runs that differ.
std::vector<std::string> sentences_about_runs(const Verdict& verdict);
// "d_alpha is right, d_e is the first intermediate value that is not."
std::vector<std::string> sentences_about_probes(const Verdict& verdict);
// "dx: yours is everywhere exactly 1/4 of ...", the most telling first; nothing of what a known mistake explains.
std::vector<std::string> sentences_of_clues(const Verdict& verdict, std::size_t most_of_each);
// "Right when source has length 1, wrong from 2 on: ...".
std::vector<std::string> sentences_about_sizes(const Verdict& verdict);

const MistakeText* find_mistake(const Exercise& exercise, const std::string& name);
// The questions of the known mistakes that give exactly these numbers, or some of them; none if nothing is known.
std::vector<std::string> questions(const Exercise& exercise, const Verdict& verdict);

// With an empty line between those that are not empty.
std::string sections(const std::vector<std::string>& parts);
std::string bullets(const Style& style, const std::vector<std::string>& sentences);

}  // namespace learn
