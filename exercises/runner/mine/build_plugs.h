// Compiles the learner's parts of the program that exercises/mine is, with Ninja, which does again only what has
// changed.
#pragma once

#include <string>
#include <vector>

#include "runner/mine/own_parts.h"

namespace learn {

// Returns the list that the program reads. `folder` keeps what is compiled. Throws std::runtime_error, which says whose
// fault it is.
std::string build_plugs(const std::string& folder, const std::vector<OwnPart>& parts);

}  // namespace learn
