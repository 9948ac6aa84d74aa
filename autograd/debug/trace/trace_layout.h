// The picture's layout: the row of each node and group within its group. Private to the trace.
#pragma once

#include "autograd/debug/trace/trace.h"

namespace autograd::debug {

// Places steps of the same loop side by side, and fills the rows of all groups: layers by the longest path, the order
// in each by barycentre. The page decides the distance of rows, which depends on the groups that are open.
void lay_out(Trace& trace);

}  // namespace autograd::debug
