// Parts of a text, for tests. std::regex takes seconds to compile: it is used in pattern.cpp only.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace fixtures {

// Every match of the pattern, from left to right: what its first group holds, or all of it when it has none.
std::vector<std::string> matches(const std::string& text, const std::string& pattern);

// The text with every match replaced.
std::string replace(const std::string& text, const std::string& pattern, const std::string& replacement);

// Its sections by name: a line of `mark` and a name begins one.
std::map<std::string, std::string> sections_of(const std::string& text, const std::string& mark);

}  // namespace fixtures
