// main() of the test programs. With the name of a file only what stands in it is run:  nn_tests gru_test.cpp
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <string>

namespace {

// "Suite.*:Other.one", as --gtest_filter wants it; "" if there is no test.
std::string tests_in(const std::string& file) {
  std::string all;
  const testing::UnitTest& program = *testing::UnitTest::GetInstance();
  for (int i = 0; i < program.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *program.GetTestSuite(i);
    std::string names;
    bool is_whole = true;
    for (int k = 0; k < suite.total_test_count(); ++k) {
      const testing::TestInfo& test = *suite.GetTestInfo(k);
      if (std::filesystem::path(test.file()).filename() == file) {
        names += fmt::format("{}.{}:", suite.name(), test.name());
      } else {
        is_whole = false;
      }
    }
    all += is_whole ? fmt::format("{}.*:", suite.name()) : names;
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  const bool is_filtered = GTEST_FLAG_GET(filter) != "*";  // a death test starts the program anew for itself alone
  if (argc > 1 && !is_filtered) {
    const std::string names = tests_in(argv[1]);
    if (names.empty()) {
      fmt::print(stderr, "{}: no test stands in {}\n", argv[0], argv[1]);
      return 2;
    }
    GTEST_FLAG_SET(filter, names);
  }
  return RUN_ALL_TESTS();
}
