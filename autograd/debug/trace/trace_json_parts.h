// What the JSON file and the page write in the same way. Private to the trace.
#pragma once

#include <nlohmann/json.hpp>

#include "autograd/debug/trace/trace.h"

namespace autograd::debug {

// Everything but the long lists: nodes, uses, steps, contributions and tensors.
nlohmann::ordered_json short_parts(const Trace& trace);

}  // namespace autograd::debug
