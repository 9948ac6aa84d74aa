// The picture's layout: which group stands in which row of which other. Private to the trace.
#pragma once

#include "autograd/debug/trace/trace.h"

namespace autograd::debug {

// Puts steps of the same loop beside each other, and fills the rows of all groups: layers by the longest path, the
// order in each by barycentre. How far the rows are apart depends on what is open, and is left to the page.
void lay_out(Trace& trace);

}  // namespace autograd::debug
