// What comes from a file or the user's program does no harm to the terminal that it is printed on.

#include "autograd/tensor/characters.h"

#include <gtest/gtest.h>

namespace characters_test {

using autograd::printable;
using autograd::printable_lines;

TEST(Printable, ShowsWhatWouldHideOrTurn) {
  EXPECT_EQ(printable("a\tb\x7f\x1b[31m"), "a\\x09b\\x7f\\x1b[31m");
  EXPECT_EQ(printable("\xC2\x9B"), "\\u{9b}");  // the control sequence introducer, in one character
  EXPECT_EQ(printable("\xE2\x80\xAE\xE2\x81\xA6"), "\\u{202e}\\u{2066}");
  EXPECT_EQ(printable("\xEF\xBF\xBE"), "\\u{fffe}");                          // which XML refuses
  EXPECT_EQ(printable("\xC0\xAF\xED\xA0\x80"), "\\xc0\\xaf\\xed\\xa0\\x80");  // no UTF-8
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

TEST(Printable, LeavesTextAsItIs) {
  for (const char* text : {"", "W.grad[0, 1]", "gr\xC3\xBC\xC3\x9F \xE6\xB3\xA8\xE6\x84\x8F", "\xF0\x9F\x99\x82"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, KeepsLinesWhereAsked) {
  EXPECT_EQ(printable("a\nb"), "a\\x0ab");
  EXPECT_EQ(printable_lines("a\nb\r\x1b"), "a\nb\\x0d\\x1b");
}

}  // namespace characters_test
