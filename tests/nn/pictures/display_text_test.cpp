#include <gtest/gtest.h>
#include <nn/pictures/display_text.h>

#include <string>
#include <vector>

namespace nn_display_text_test {

using nn::display_width;
using nn::printable;

const std::string replacement = "\xEF\xBF\xBD";  // U+FFFD

TEST(NnDisplayText, LettersStayAsTheyAre) {
  for (const std::string text : {"", "a", "Grüße aus Köln", "漢字", "naïve “quotes” €", "😀"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(NnDisplayText, ControlCharactersBecomePictures) {
  EXPECT_EQ(printable("a\nb\tc"), "a␊b␉c");
  EXPECT_EQ(printable("\x1b[31mred\x7f"), "␛[31mred␡");
  EXPECT_EQ(printable(std::string("\0", 1)), "␀");
  EXPECT_EQ(printable("\xC2\x9B"), replacement);      // the control sequence introducer, in one character
  EXPECT_EQ(printable("\xE2\x80\xAE"), replacement);  // reads from the right to the left from here on
}

TEST(NnDisplayText, BytesThatAreNoUtf8AreReplacedOneByOne) {
  EXPECT_EQ(printable("a\xFF"
                      "b"),
            "a" + replacement + "b");
  EXPECT_EQ(printable("\xC3"), replacement);                                      // cut off
  EXPECT_EQ(printable("\xE2\x82"), replacement + replacement);                    // cut off
  EXPECT_EQ(printable("\xC0\x8A"), replacement + replacement);                    // a line end, too long
  EXPECT_EQ(printable("\xE0\x80\x8A"), replacement + replacement + replacement);  // even longer
  EXPECT_EQ(printable("\xED\xA0\x80"), replacement + replacement + replacement);  // half a surrogate pair
  EXPECT_EQ(printable("\xC3("), replacement + "(");                               // what follows is not lost
}

TEST(NnDisplayText, WidthIsInColumnsOfATerminal) {
  EXPECT_EQ(display_width(""), 0u);
  EXPECT_EQ(display_width("Grüße"), 5u);
  EXPECT_EQ(display_width("e\xCC\x81"), 1u);  // an e and an accent on it
  EXPECT_EQ(display_width("漢字"), 4u);
  EXPECT_EQ(display_width("😀"), 2u);
}

TEST(NnDisplayText, AccentsStayWithTheirLetter) {
  EXPECT_EQ(nn::characters("ße\xCC\x81漢"), (std::vector<std::string>{"ß", "e\xCC\x81", "漢"}));
}

}  // namespace nn_display_text_test
