// Runs each workload in a process of its own, so that its peak of memory is its own, and a crash ends nothing else.
#pragma once

#include <functional>

#include "bench/workload.h"

namespace bench {

using Tell = std::function<void(const Figure&)>;

// In this process, for profilers and debuggers.
void run_here(const Workload& workload, const MeasureOptions& options, const Tell& tell);

// In a child. Returns whether it ended well; if not, a figure "failed" or "killed" says how it ended.
bool run_in_child(const Workload& workload, const MeasureOptions& options, const Tell& tell);

}  // namespace bench
