// A text in lower case (ASCII), for searching.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>

namespace learn {

inline std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace learn
