// Checker: from a file to a report. Compiles it, runs the check program within its limits, and reads what came of it.
#pragma once

#include <string>
#include <vector>

#include "runner/check/builder.h"
#include "runner/report/report.h"

namespace learn {

struct CheckOptions {
  int seconds = 0;         // of processor time that the answer may use; 0: as the exercise says
  int seed = 0;            // of what is drawn for it; 0: as its writer has seen it
  bool untrusted = false;  // the compiler is contained, too, and sees no other file
};

// Never throws for what is wrong with the file. A course that is broken is a report, too.
Report check_file(const Exercise& exercise, const std::string& file, const CheckOptions& options = {});

}  // namespace learn
