// The lines of a text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "autograd/text/words.h"

namespace learn {

using autograd::lines_in;

// std::regex goes a call deeper with each character that it looks at: a line of some ten thousand, as an answer may
// print, would be too many for the stack.
inline constexpr std::size_t longest_to_match = 3000;

inline std::string beginning_of(const std::string& line) {
  return line.substr(0, longest_to_match);
}

inline std::vector<std::string> short_lines_in(const std::string& text) {
  std::vector<std::string> lines = lines_in(text);
  for (std::string& line : lines) line = beginning_of(line);
  return lines;
}

}  // namespace learn
