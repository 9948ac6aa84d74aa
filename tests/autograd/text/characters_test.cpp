// The lower case is that of Python's str.lower().
#include "autograd/text/characters.h"

#include <gtest/gtest.h>

#include <string>

namespace characters_test {

using autograd::lower_case;

TEST(Characters, AreAppendedAsTheyWereTaken) {
  const std::string text = "aß漢😀";
  std::string_view rest = text;
  std::string again;
  while (!rest.empty()) autograd::append_character(again, autograd::take_character(rest).code);
  EXPECT_EQ(again, text);
}

TEST(LowerCase, OfGreekHasASigmaForTheEndOfAWord) {
  EXPECT_EQ(lower_case("ΟΔΟΣ ΟΔΟΣ, ΣΑΣ'Σ Σ"), "οδος οδος, σασ'ς σ");
  EXPECT_EQ(lower_case("Ο δρόμος ΤΟΥΣ είναι"), "ο δρόμος τους είναι");
  EXPECT_EQ(lower_case("ΑΣ\u0301. Α\u0301Σ\nΑΣ.Α Ⅷ\u0301Σ ·Σ"), "ας\u0301. α\u0301ς\nασ.α ⅷ\u0301ς ·σ");
}

TEST(LowerCase, OfTurkishIsThatOfAllLanguages) {
  EXPECT_EQ(lower_case("İSTANBUL ISPARTA ığ"), "i\u0307stanbul isparta ığ");
}

TEST(LowerCase, OfOtherLetters) {
  EXPECT_EQ(lower_case("Əli ẞ ǅ ПРИВЕТ"), "əli ß ǆ привет");
  EXPECT_EQ(lower_case("\u1F88\u2C00\U00010400\uA7AE\u13A0"), "\u1F80\u2C30\U00010428\u026A\uAB70");
}

TEST(LowerCase, LeavesBytesThatAreNotUtf8) {
  for (const std::string text : {"\xc3", "\xff", "\xe1\xba", "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80"}) {
    EXPECT_EQ(lower_case(text + "A" + text), text + "a" + text);
  }
}

}  // namespace characters_test
