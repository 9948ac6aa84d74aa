// The values of a call and of its gradients, against something independent of the run that gave them: the same numbers
// in another layout of memory, the same call in float32, and differences.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calls.h"

namespace random_programs {

// Runs the call with other tensors. No result where it is refused.
using RunWith = std::optional<std::vector<Tensor>> (*)(const Call& call, const std::vector<Tensor>& tensors);

// What is wrong; empty if all is well. Nothing is held against a call whose numbers are not all finite.
std::string judge_values(const Call& call, const std::vector<Tensor>& result, RunWith run);

}  // namespace random_programs
