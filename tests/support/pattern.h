// Regular expressions for tests. std::regex takes seconds to compile: it is used in pattern.cpp only.
#pragma once

#include <string>
#include <vector>

namespace fixtures {

// Every match of the pattern, from left to right: what its first group holds, or all of it when it has none.
std::vector<std::string> matches(const std::string& text, const std::string& pattern);

// The text with every match replaced.
std::string replace(const std::string& text, const std::string& pattern, const std::string& replacement);

}  // namespace fixtures
