// The roofline of a machine (Williams, Waterman and Patterson 2009): how many operations per second are possible at how
// many operations per byte, and where the versions of the kernels are below it.
#pragma once

#include <string>
#include <vector>

#include "examples/fast_kernels/table.h"

namespace fast_kernels {

void write_roofline(const std::string& path, const std::vector<Point>& points);

}  // namespace fast_kernels
