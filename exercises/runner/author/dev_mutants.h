// `learn dev mutants`: every small change of a solution (mutants.h) must fail its check, but those that make no
// difference: these are stated in exercise.cpp, with the reason.
#pragma once

#include <string>
#include <vector>

namespace learn {

// All exercises, or those named, `jobs` at a time (0: as many as there are processors). Prints how many live, which,
// and where. `slow`: those that live try the training, too. Returns the exit code.
int dev_mutants(const std::vector<std::string>& ids, bool slow, int jobs);

}  // namespace learn
