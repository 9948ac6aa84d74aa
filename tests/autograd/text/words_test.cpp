#include "autograd/text/words.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace autograd {
namespace {

using Words = std::vector<std::string>;

TEST(Words, BlanksGoFromTheEnds) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim_end(" a \n"), " a");
  EXPECT_EQ(trim(" \n "), "");
  EXPECT_EQ(trim(""), "");
}

TEST(Words, TheLastLineNeedsNoEnd) {
  EXPECT_EQ(lines_in("a\n\nb"), (Words{"a", "", "b"}));
  EXPECT_EQ(lines_in("a\n"), Words{"a"});
  EXPECT_EQ(lines_in(""), Words{});
}

TEST(Words, ANumberIsTheWholeText) {
  EXPECT_EQ(number_in<double>("-2.5e-3"), -2.5e-3);
  EXPECT_EQ(number_in<std::int64_t>("-7"), -7);
  EXPECT_EQ(number_in<std::uint64_t>("18446744073709551615"), ~std::uint64_t{0});
  for (const std::string text : {"", " 1", "1 ", "+1", "1x", "x", "1e999"})
    EXPECT_FALSE(number_in<double>(text)) << text;
  EXPECT_FALSE(number_in<std::uint64_t>("-1"));
  EXPECT_FALSE(number_in<std::int64_t>("1.5"));
}

TEST(Words, OnlyOneIsSingular) {
  EXPECT_EQ(counted(0, "op"), "0 ops");
  EXPECT_EQ(counted(1, "pass", "es"), "1 pass");
  EXPECT_EQ(counted(2u, "pass", "es"), "2 passes");
}

TEST(Words, TheNearestIsTheOneThatIsMeant) {
  const Words words{"check", "watch", "why", "grade", "W_enc", "W_dec"};
  EXPECT_EQ(nearest_words("chek", words, 1), Words{"check"});
  EXPECT_EQ(nearest_words("wathc", words, 1), Words{"watch"});  // a letter swapped with its neighbour
  EXPECT_EQ(nearest_words("W_", words, 3), (Words{"W_dec", "W_enc"}));
  EXPECT_EQ(nearest_words("xyzzy", words, 3), Words{});
  EXPECT_EQ(nearest_words("", words, 3), Words{});
}

}  // namespace
}  // namespace autograd
