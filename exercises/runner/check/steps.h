// Steps: what an answer computed, op by op, beside what is expected (judge/steps.h has the other end).
#pragma once

#include <string>
#include <vector>

#include "runner/check/builder.h"

namespace learn {

struct Step {
  std::string kind;  // "op", "probe", "threw", "result"
  std::string name;
  std::string message;  // of what was thrown
  std::string file;     // of an op
  int line = 0;
  std::string shape;
  std::string value;
  std::string expected_shape;
  std::string expected;  // "" where nothing is known
  bool differs = false;
  bool in_solution = false;  // of an op: the solution computes this value, too

  bool has_nan() const { return value.find("nan") != std::string::npos; }
  bool is_finite() const { return !has_nan() && value.find("inf") == std::string::npos; }
};

// Runs the judge for them; `folder` is the only one that the answer may change. Throws std::runtime_error if the answer
// does not come to an end, or crashes.
std::vector<Step> run_steps(const Built& built, const std::string& folder, int seconds);

// The first op of that file which computes a NaN or makes an infinity; nullptr if there is none.
const Step* first_not_finite(const std::vector<Step>& steps, const std::string& file);

}  // namespace learn
