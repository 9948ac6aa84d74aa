// One exercise from its beginning.
#pragma once

#include <string>

#include "runner/desk/desk.h"

namespace learn {

// Puts the stub there, and what was written into the attic. Returns a sentence that says so.
std::string begin_again(const Desk& desk, const Exercise& exercise);
// Exchanges what was put into the attic last with what is there now. Returns a sentence that says so; throws
// std::runtime_error if nothing was.
std::string bring_back(const Desk& desk, const Exercise& exercise);

}  // namespace learn
