// Short lines: std::regex goes a call deeper with each character that it looks at, and a line of some ten thousand
// (numbers that an answer prints without a line end) would be too many for the stack. What is said of a line, its
// beginning tells.
#pragma once

#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

namespace learn {

inline constexpr std::size_t longest_to_match = 3000;

inline std::string beginning_of(const std::string& line) {
  return line.substr(0, longest_to_match);
}

inline std::vector<std::string> short_lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(beginning_of(line));
  return lines;
}

}  // namespace learn
