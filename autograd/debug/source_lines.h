// The user's source files, as far as they can be found.
#pragma once

#include <string>
#include <vector>

namespace autograd::debug {

// The absolute path of the file with the name with which it was compiled: "nn/layers/linear.cpp" is relative to the
// project's folder, which is often the current one, or one above it or above the program. `folders` come first. "" if
// it is in none.
std::string find_source(const std::string& name, const std::vector<std::string>& folders = {});

// Its lines; none if the file is "", cannot be read, or is far too large for a source.
std::vector<std::string> read_source(const std::string& file);

}  // namespace autograd::debug
