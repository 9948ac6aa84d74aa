// Transcripts: what programs print, compared with what is in a file but for the last bits of numbers.
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "autograd/text/words.h"

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

inline std::string content_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

inline std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) text += static_cast<char>(c);
  pclose(pipe);
  return text;
}

// Is it what the file says? With BACKSTEP_RENEW set, the file is written anew.
inline testing::AssertionResult is_in(const std::string& file, const std::string& found) {
  if (std::getenv("BACKSTEP_RENEW")) std::ofstream(file) << found;
  const std::vector<std::string> expected = autograd::lines_in(content_of(file));
  const std::vector<std::string> actual = autograd::lines_in(found);
  for (std::size_t i = 0; i < std::max(expected.size(), actual.size()); ++i) {
    const std::string a = i < expected.size() ? expected[i] : "(the end)";
    const std::string b = i < actual.size() ? actual[i] : "(the end)";
    if (same_line(a, b)) continue;
    return testing::AssertionFailure() << fmt::format("{}:{}\n  expected {}\n  found    {}", file, i + 1, a, b);
  }
  return testing::AssertionSuccess();
}

}  // namespace transcript
