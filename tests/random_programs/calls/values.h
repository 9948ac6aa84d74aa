// The values of a call and of its gradients, against something independent of the run that gave them: the same numbers
// in another layout of memory, the same call in float32, and differences.
#pragma once

#include <optional>
#include <string>

#include "calls.h"

namespace random_calls {

// Runs the call again, as if for the first time. No result where it is refused.
using RunAgain = std::optional<Result> (*)(const Call& call, Arguments& arguments);

// What is wrong; empty if all is well. Nothing is held against a call whose numbers are not all finite.
std::string judge_values(const Call& call, Arguments& arguments, const Result& result, RunAgain run);

}  // namespace random_calls
