// Comparing transcripts: the same but for the last bits of numbers.
#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

namespace transcript {

// The words of a line, numbers among them.
inline std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : line + " ") {
    const bool inside = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '+';
    if (inside) word += c;
    if (inside || word.empty()) {
      if (!inside && c != ' ') words.emplace_back(1, c);
      continue;
    }
    words.push_back(word);
    word.clear();
    if (c != ' ') words.emplace_back(1, c);
  }
  return words;
}

inline bool same_word(const std::string& expected, const std::string& found) {
  if (expected == found) return true;
  char* end_of_expected = nullptr;
  char* end_of_found = nullptr;
  const double a = std::strtod(expected.c_str(), &end_of_expected);
  const double b = std::strtod(found.c_str(), &end_of_found);
  const bool numbers = *end_of_expected == 0 && *end_of_found == 0;
  const bool fraction = expected.find_first_of(".e") != std::string::npos;
  return numbers && fraction && std::abs(a - b) <= 1e-6 + 1e-3 * std::max(std::abs(a), std::abs(b));
}

inline bool same_line(const std::string& expected, const std::string& found) {
  const auto a = words_of(expected);
  const auto b = words_of(found);
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), same_word);
}

}  // namespace transcript
