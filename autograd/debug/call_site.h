// Place: one op at one line in one module, whatever the time step. What a loop does again and again is one place.
#pragma once

#include <string>

#include "autograd/tape/node.h"

namespace autograd::debug {

// Equal for ops of the same place; not for reading.
std::string place_of(const Node& node);

}  // namespace autograd::debug
