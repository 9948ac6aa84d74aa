// The graph of a trace for Graphviz:  dot -Tsvg graph.dot -o graph.svg
#pragma once

#include <string>

#include "autograd/debug/trace/trace.h"

namespace autograd::debug {

// Modules and time steps are clusters; a leaf stands beside every op that uses it.
std::string to_graphviz(const Trace& trace);

}  // namespace autograd::debug
