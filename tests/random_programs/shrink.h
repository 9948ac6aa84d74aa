// Makes a failing program small, as long as it fails.
#pragma once

#include <functional>

#include "program.h"

namespace random_programs {

// `fails` tells whether a program fails in the way that is looked for. It may be given programs that cannot be run at
// all, and says no to those.
Program shrink(const Program& program, const std::function<bool(const Program&)>& fails);

}  // namespace random_programs
