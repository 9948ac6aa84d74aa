// `learn dev try`: what a learner sees who makes a known mistake.
#pragma once

#include <string>
#include <vector>

#include "runner/commands/commands.h"

namespace learn {

// `mistakes`: names, of one or of two that are made at once; none: the stub as it is given out. `explain`: also what
// `learn why` says. Returns the exit code.
int dev_try(const Context& context, const std::string& id, const std::vector<std::string>& mistakes, bool explain);

}  // namespace learn
