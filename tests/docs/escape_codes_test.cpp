// Colours and moves of the cursor are for terminals: a file has none of their codes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"
#include "tests/support/terminal.h"

namespace escape_codes_test {

namespace fs = std::filesystem;
const std::string shell = ". " BACKSTEP_SOURCE "/.ci/setup.sh; clear_line; bold words";

std::string piped(const std::string& command) {
  std::string text;
  std::FILE* pipe = ::popen(("bash -c '" + command + "'").c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  ::pclose(pipe);
  return text;
}

TEST(EscapeCodes, OfScriptsGoToTerminalsOnly) {
  EXPECT_EQ(piped(shell), "words");
  Terminal terminal({"/bin/bash", "-c", shell}, {"NO_COLOR="});
  EXPECT_TRUE(terminal.shows("\r\033[K\033[1mwords\033[0m"));
  Terminal without_colours({"/bin/bash", "-c", shell}, {"NO_COLOR=1"});
  EXPECT_TRUE(without_colours.shows("\r\033[Kwords"));
}

bool has_one_of(const std::string& text, const std::vector<std::string>& parts) {
  return std::any_of(parts.begin(), parts.end(), [&](const std::string& part) { return text.find(part) != text.npos; });
}

// Whoever writes such a code asks first: a script in .ci/setup.sh, a program with isatty() or by a style that did.
TEST(EscapeCodes, AreWrittenByFilesThatAsk) {
  int writers = 0;
  for (const char* folder : {"/.ci", "/autograd", "/docs", "/examples", "/exercises", "/nn"}) {
    for (const auto& entry : fs::recursive_directory_iterator(BACKSTEP_SOURCE + std::string(folder))) {
      if (!entry.is_regular_file()) continue;
      const std::string text = fixtures::content_of(entry.path());
      if (!has_one_of(text, {R"(\033[)", R"(\x1b[)", R"(\e[)"})) continue;
      ++writers;
      EXPECT_TRUE(has_one_of(text, {"isatty(", "Style", "[ -t 1 ]"})) << entry.path();
    }
  }
  EXPECT_GT(writers, 5);
}

}  // namespace escape_codes_test
