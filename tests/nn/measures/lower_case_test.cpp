// nn::lower_case against Python's str.lower(), by way of a hash that tests/fixtures/letter_case.py --hash prints.

#include <autograd/tensor/characters.h>
#include <gtest/gtest.h>
#include <nn/measures/lower_case.h>

#include <cstdint>
#include <string>

namespace nn_lower_case_test {

TEST(LowerCase, IsPythonsForEveryCharacterBesideASigma) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (char32_t code = 0; code < 0x110000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;  // no characters
    std::string character;
    autograd::append_character(character, code);
    for (const std::string& text : {character + "Σ", "Α" + character + "Σ", "ΑΣ" + character + "Α"}) {
      for (const char byte : nn::lower_case(text)) {
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
      }
    }
  }
  EXPECT_EQ(hash, 0x6b37e70eef35af07);
}

TEST(LowerCase, OfWords) {
  EXPECT_EQ(nn::lower_case("ΟΔΟΣ ΟΔΟΣ, ΣΑΣ'Σ Σ"), "οδος οδος, σασ'ς σ");
  EXPECT_EQ(nn::lower_case("Ο δρόμος ΤΟΥΣ είναι"), "ο δρόμος τους είναι");
  EXPECT_EQ(nn::lower_case("İI Əli ẞ ǅ"), "i\u0307i əli ß ǆ");
  EXPECT_EQ(nn::lower_case("\u1F88\u2C00\U00010400\uA7AE\u13A0"), "\u1F80\u2C30\U00010428\u026A\uAB70");
}

TEST(LowerCase, LeavesBytesThatAreNotUtf8) {
  for (const std::string text : {"\xc3", "\xff", "\xe1\xba", "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80"}) {
    EXPECT_EQ(nn::lower_case(text + "A" + text), text + "a" + text);
  }
}

}  // namespace nn_lower_case_test
