// What comes from a file or the user's program does no harm to the terminal that it is printed on, nor to a page.

#include "autograd/text/printable.h"

#include <gtest/gtest.h>

namespace printable_test {

using autograd::printable;
using autograd::printable_lines;

TEST(Printable, ShowsWhatWouldHideOrTurn) {
  EXPECT_EQ(printable("a\tb\x7f\x1b[31m"), "a\\x09b\\x7f\\x1b[31m");
  EXPECT_EQ(printable("\xC2\x9B"), "\\u{9b}");  // the control sequence introducer, in one character
  EXPECT_EQ(printable("\xE2\x80\xAE\xE2\x81\xA6"), "\\u{202e}\\u{2066}");
  EXPECT_EQ(printable("\xEF\xBF\xBE"), "\\u{fffe}");                          // which XML refuses
  EXPECT_EQ(printable("\xC0\xAF\xED\xA0\x80"), "\\xc0\\xaf\\xed\\xa0\\x80");  // no UTF-8
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("w\u200D\u200B"), "w\\u{200d}\\u{200b}");
}

TEST(Printable, LeavesTextAsItIs) {
  for (const char* text : {"", "W.grad[0, 1]", "gr\xC3\xBC\xC3\x9F \xE6\xB3\xA8\xE6\x84\x8F", "\xF0\x9F\x99\x82",
                           "می\u200Cخواهم", "👩\u200D🔬"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, KeepsLinesWhereAsked) {
  EXPECT_EQ(printable("a\nb\r\n"), "a\\x0ab\\x0d\\x0a");
  EXPECT_EQ(printable_lines("a\n\tb\r\r\n\x1b\r"), "a\n\tb\\x0d\n\\x1b");
}

TEST(Markup, IsShown) {
  EXPECT_EQ(autograd::markup("a < b & \"c\" > 'd'"), "a &lt; b &amp; &quot;c&quot; &gt; 'd'");
}

}  // namespace printable_test
