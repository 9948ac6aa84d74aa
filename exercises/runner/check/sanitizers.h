// Sanitizers: what a check program is told to do with what they find, and where they write it.
#pragma once

#include <string>
#include <vector>

namespace learn {

// What a check program is run with: sanitizers that stop at once and write beside it, a limit on memory.
std::vector<std::string> sanitizer_environment(const std::string& log);
// All that sanitizers wrote there.
std::string read_logs(const std::string& log);

}  // namespace learn
