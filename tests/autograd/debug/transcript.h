// Transcripts: what programs print, compared with what is in a file but for the last bits of numbers.
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "autograd/text/words.h"
#include "tests/support/same_line.h"
#include "tests/support/temporary_folder.h"

namespace transcript {

using fixtures::content_of;

inline bool near_enough(const std::string& expected, const std::string& found) {
  const double a = std::atof(expected.c_str());
  const double b = std::atof(found.c_str());
  return std::abs(a - b) <= 1e-6 + 1e-3 * std::max(std::abs(a), std::abs(b));
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
    if (fixtures::same_line(a, b, near_enough)) continue;
    return testing::AssertionFailure() << fmt::format("{}:{}\n  expected {}\n  found    {}", file, i + 1, a, b);
  }
  return testing::AssertionSuccess();
}

}  // namespace transcript
