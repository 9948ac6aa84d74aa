// The roofline of a machine (Williams, Waterman and Patterson 2009): how many operations per second are possible at how
// many operations per byte, and where the versions of the kernels are below it.
#pragma once

#include <string>
#include <vector>

namespace fast_kernels {

// Of the tables in a file, as this program printed them there, those of these kernels.
void write_roofline(const std::string& path, const std::string& tables, const std::vector<std::string>& kernels);

}  // namespace fast_kernels
