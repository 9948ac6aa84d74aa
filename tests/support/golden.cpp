#include "tests/support/golden.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/support/pattern.h"
#include "tests/support/temporary_folder.h"

namespace fixtures {
namespace {

// "layers_test.cpp:17" -> "layers_test.cpp", and what lies in a temporary folder has a name that lasts.
std::string without_what_moves(const std::string& text) {
  const std::string without_lines = std::regex_replace(text, std::regex(R"((_test\.cpp):\d+)"), "$1");
  const std::string folder = std::filesystem::temp_directory_path().string() + "/[^/ \":,]+";
  return std::regex_replace(without_lines, std::regex(folder), "TEMPORARY");
}

std::string file_of(const std::string& name) {
  return BACKSTEP_SOURCE "/tests/golden/" + name + ".txt";
}

bool is_renewed() {
  return std::getenv("BACKSTEP_RENEW") != nullptr;
}

// `where` is the file, or its section.
testing::AssertionResult is_same(const std::string& where, const std::string& expected_text, const std::string& text) {
  std::istringstream expected_lines(expected_text);
  std::istringstream found_lines(text);
  for (int number = 1;; ++number) {
    std::string expected;
    std::string line;
    const bool more_expected = static_cast<bool>(std::getline(expected_lines, expected));
    const bool more_found = static_cast<bool>(std::getline(found_lines, line));
    if (!more_expected && !more_found) return testing::AssertionSuccess();
    if (more_expected == more_found && line == expected) continue;
    return testing::AssertionFailure() << "tests/golden/" << where << ", line " << number << ": expected\n  "
                                       << expected << "\nand found\n  " << line << "\nIf that is meant: tests/renew";
  }
}

constexpr char section_mark[] = "== ";  // and "Suite.Test"

// Other tests may be renewing theirs at the same time.
void renew_section(const std::string& file, const std::string& section, const std::string& text) {
  const int lock = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
#ifndef __wasi__  // which has no locks, and where nothing is renewed
  flock(lock, LOCK_EX);
#endif
  auto sections = sections_of(content_of(file), section_mark);
  sections[section] = text;
  {
    std::ofstream written(file);
    for (const auto& [name, lines] : sections) written << section_mark << name << "\n" << lines;
  }
  close(lock);
}

}  // namespace

testing::AssertionResult is_golden(const std::string& name, const std::string& text) {
  const std::string found = without_what_moves(text);
  if (is_renewed()) std::ofstream(file_of(name)) << found;
  return is_same(name + ".txt", content_of(file_of(name)), found);
}

testing::AssertionResult says(const std::string& name, const std::vector<std::string>& messages) {
  std::string found;
  for (const std::string& message : messages) {
    const std::string without_link = std::regex_replace(message, std::regex("\n  more: [^\n]*"), "");
    const std::string one_line = std::regex_replace(without_what_moves(without_link), std::regex("\n *"), " | ");
    found += std::regex_replace(one_line, std::regex(R"((\.(cpp|h)):\d+)"), "$1") + "\n";
  }
  const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string full_name = std::string(test->test_suite_name()) + "." + test->name();
  const std::string section = std::regex_replace(full_name, std::regex("^[^.]*/|/[^.]*$"), "");  // of any parameter
  if (is_renewed()) {
    renew_section(file_of(name), section, found);
    return testing::AssertionSuccess();
  }
  return is_same(name + ".txt, " + section, sections_of(content_of(file_of(name)), section_mark)[section], found);
}

}  // namespace fixtures
