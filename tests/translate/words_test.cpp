// The expected words are those of Python 3.11:  re.findall(r"\w+|[^\w\s]", line.lower())
#include <gtest/gtest.h>

#include "examples/translate/data/text.h"
#include "tests/support/expect.h"

namespace translate_words_test {

using autograd::ErrorId;
using fixtures::message_of;
using translate::first_invalid_byte;
using translate::join;
using translate::split_words;
using translate::Words;

TEST(TranslateWords, AreRunsOfLettersAndSingleSigns) {
  EXPECT_EQ(split_words("Ein Mann, 38 m groß!"), (Words{"ein", "mann", ",", "38", "m", "groß", "!"}));
  EXPECT_EQ(split_words("don't T-shirt a_b 3.5 ..."),
            (Words{"don", "'", "t", "t", "-", "shirt", "a_b", "3", ".", "5", ".", ".", "."}));
  EXPECT_EQ(split_words("„Ätzend“ – nö…"), (Words{"„", "ätzend", "“", "–", "nö", "…"}));
}

TEST(TranslateWords, OfNothingAreNone) {
  EXPECT_EQ(split_words(""), Words{});
  EXPECT_EQ(split_words(" \t \r"), Words{});
}

// No-break, thin and ideographic space, the separators of ASCII, and U+0085.
TEST(TranslateWords, EndAtEveryWhiteSpaceOfUnicode) {
  EXPECT_EQ(split_words("a\u00A0b\u2009c\u3000d\x1C"
                        "e\u0085f\u2028g\vh"),
            (Words{"a", "b", "c", "d", "e", "f", "g", "h"}));
}

// To Python a zero-width space is neither white space nor a letter.
TEST(TranslateWords, KeepInvisibleSigns) {
  EXPECT_EQ(split_words("a\u200Bb\u00ADc"), (Words{"a", "\u200B", "b", "\u00AD", "c"}));
}

TEST(TranslateWords, OfOtherScripts) {
  EXPECT_EQ(split_words("Привет, МИР"), (Words{"привет", ",", "мир"}));
  EXPECT_EQ(split_words("犬が走る。"), (Words{"犬が走る", "。"}));
  EXPECT_EQ(split_words("٣ ² Ⅷ ½"), (Words{"٣", "²", "ⅷ", "½"}));
  EXPECT_EQ(split_words("Ὀδυσσεύς"), (Words{"ὀδυσσεύς"}));
}

// To Python, marks that are not composed with their letter are not letters.
TEST(TranslateWords, EndAtCombiningMarks) {
  EXPECT_EQ(split_words("e\u0301t"), (Words{"e", "\u0301", "t"}));
  EXPECT_EQ(split_words("हिन्दी"), (Words{"ह", "ि", "न", "्", "द", "ी"}));
}

TEST(TranslateWords, OutsideTheBasicPlane) {
  EXPECT_EQ(split_words("𝐀𐐀😀b"), (Words{"𝐀𐐨", "😀", "b"}));
}

TEST(TranslateWords, NeedUtf8) {
  message_of(ErrorId::bad_argument, [] { split_words("gro\xDF und klein"); });
}

TEST(FirstInvalidByte, IsWhereUtf8Ends) {
  EXPECT_EQ(first_invalid_byte("groß"), std::nullopt);
  EXPECT_EQ(first_invalid_byte(std::string("a\0b", 3)), std::nullopt);
  EXPECT_EQ(first_invalid_byte("\xFF\xFE"), 0u);
  EXPECT_EQ(first_invalid_byte("ab\xC3"), 2u);             // cut off
  EXPECT_EQ(first_invalid_byte("\xC0\xAF"), 0u);           // longer than necessary
  EXPECT_EQ(first_invalid_byte("a\xED\xA0\x80"), 1u);      // half of a surrogate pair
  EXPECT_EQ(first_invalid_byte("ä\xF4\x90\x80\x80"), 2u);  // beyond Unicode
  EXPECT_EQ(first_invalid_byte("\x80"), 0u);               // a continuation byte without a start
}

TEST(Join, PutsSpacesBetween) {
  EXPECT_EQ(join({"a", "b", "c"}), "a b c");
  EXPECT_EQ(join({"a"}), "a");
  EXPECT_EQ(join({}), "");
}

}  // namespace translate_words_test
