// Checker: from a file to a report. Compiles it, runs the check program within its limits, and reads what came of it.
#pragma once

#include <string>
#include <vector>

#include "runner/builder.h"
#include "runner/report.h"

namespace learn {

struct CheckOptions {
  int seconds = 0;  // how long the answer may run; 0: as the exercise says
};

// Never throws for what is wrong with the file. A course that is broken is a report, too.
Report check_file(const Exercise& exercise, const std::string& file, const CheckOptions& options = {});

// The name of the learner's file for this exercise: "25_linear_layer.cpp".
std::string answer_name(const Exercise& exercise);

// What a check program is run with: sanitizers that stop at once and write beside it, a limit on memory.
std::vector<std::string> sanitizer_environment(const std::string& log);
// All that sanitizers wrote there.
std::string read_logs(const std::string& log);

}  // namespace learn
