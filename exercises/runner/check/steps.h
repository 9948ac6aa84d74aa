// What an answer computed, op by op, beside what is expected: the judge finds it (judge/steps.h).
#pragma once

#include <string>
#include <vector>

#include "judge/step.h"
#include "runner/check/builder.h"

namespace learn {

using judge::Step;

// Runs the judge for them; `folder` is the only one that the answer may change. Throws std::runtime_error if the answer
// does not come to an end, or crashes.
std::vector<Step> run_steps(const Built& built, const std::string& folder, int seconds);

// The first op of that file which makes a NaN, or an infinity that the solution has not; nullptr if there is none.
const Step* first_not_finite(const std::vector<Step>& steps, const std::string& file);

}  // namespace learn
