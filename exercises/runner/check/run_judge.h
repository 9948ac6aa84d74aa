// Runs an exercise's judge on an answer that was built. The judge starts the answer's program in a sandbox and asks it
// what it does.
#pragma once

#include <string>

#include "runner/check/builder.h"
#include "runner/system/process.h"

namespace learn {

struct JudgeOptions {
  std::string folder;  // the only one that the answer may change; sanitizers report to report_log(folder)
  int seconds = 10;    // of processor time, for the answer
  int seed = 0;        // of what is drawn for it; 0: as its writer has seen it
  bool untrusted = false;
  bool steps = false;  // what the answer computes, op by op, instead of a verdict
};

// Finished::result is JSON, or empty if the answer did not come to an end.
Finished run_judge(const Built& built, const JudgeOptions& options);
std::string report_log(const std::string& folder);

}  // namespace learn
