// place_of(): identifies the place of an op in the program, which is its op, line and module. All rounds of a loop have
// the same place.
#pragma once

#include <string>

#include "autograd/tape/node.h"

namespace autograd::debug {

// A key that is equal for ops of the same place, not a text to be shown.
std::string place_of(const Node& node);

}  // namespace autograd::debug
