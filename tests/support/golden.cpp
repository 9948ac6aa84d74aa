#include "tests/support/golden.h"

#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

namespace fixtures {
namespace {

// "layers_test.cpp:17" -> "layers_test.cpp"
std::string without_lines_of_tests(const std::string& text) {
  return std::regex_replace(text, std::regex(R"((_test\.cpp):\d+)"), "$1");
}

std::string read(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

testing::AssertionResult is_golden(const std::string& name, const std::string& text) {
  const std::string file = BACKSTEP_SOURCE "/tests/golden/" + name + ".txt";
  const std::string found = without_lines_of_tests(text);
  if (std::getenv("BACKSTEP_RENEW")) std::ofstream(file) << found;

  std::istringstream expected_lines(read(file));
  std::istringstream found_lines(found);
  for (int number = 1;; ++number) {
    std::string expected;
    std::string line;
    const bool more_expected = static_cast<bool>(std::getline(expected_lines, expected));
    const bool more_found = static_cast<bool>(std::getline(found_lines, line));
    if (!more_expected && !more_found) return testing::AssertionSuccess();
    if (more_expected == more_found && line == expected) continue;
    return testing::AssertionFailure() << "tests/golden/" << name << ".txt:" << number << ": expected\n  " << expected
                                       << "\nand found\n  " << line << "\nIf that is meant: tests/renew";
  }
}

}  // namespace fixtures
