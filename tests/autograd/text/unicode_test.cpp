#include "autograd/text/unicode.h"

#include <gtest/gtest.h>

#include <string_view>

namespace unicode_test {

using autograd::columns_of;
using autograd::has_case;
using autograd::is_letter_or_number;
using Codes = std::u32string_view;

TEST(Unicode, KnowsHowWideACharacterIs) {
  for (const char32_t code : Codes(U"漢あ한Ａ😀👩🚀")) EXPECT_EQ(columns_of(code), 2u) << unsigned(code);
  for (const char32_t code : Codes(U"aßжαא±→✓█\t\u093F")) EXPECT_EQ(columns_of(code), 1u) << unsigned(code);
  for (const char32_t code : Codes(U"\u0301\u0327\u05B0\u064B\u094D\u20D7\uFE0F\u200D")) {
    EXPECT_EQ(columns_of(code), 0u) << unsigned(code);
  }
}

TEST(Unicode, KnowsLetters) {
  for (const char32_t code : Codes(U"aßЖ漢9ⅷ")) EXPECT_TRUE(is_letter_or_number(code)) << unsigned(code);
  for (const char32_t code : Codes(U" _-!。😀")) EXPECT_FALSE(is_letter_or_number(code)) << unsigned(code);
  for (const char32_t code : Codes(U"aAßΣςⅷ")) EXPECT_TRUE(has_case(code)) << unsigned(code);
  for (const char32_t code : Codes(U"漢א9. ")) EXPECT_FALSE(has_case(code)) << unsigned(code);
}

}  // namespace unicode_test
