// Compiles the program of exercises/mine and the learner's parts of it, with Ninja, which does again only what has
// changed.
#pragma once

#include <string>
#include <vector>

#include "runner/mine/own_parts.h"

namespace learn {

struct BuiltMine {
  std::string program;
  std::string plugs;  // the list that the program reads
};

// `folder` keeps what is compiled. Throws std::runtime_error, which says whose fault it is.
BuiltMine build_mine(const std::string& folder, const std::vector<OwnPart>& parts);

}  // namespace learn
