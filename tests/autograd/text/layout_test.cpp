#include "autograd/text/layout.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace layout_test {

using autograd::display_width;
using autograd::shortened;
using autograd::wrapped;
using Texts = std::vector<std::string>;

TEST(Layout, WidthIsInColumnsOfATerminal) {
  EXPECT_EQ(display_width(""), 0u);
  EXPECT_EQ(display_width("Grüße"), 5u);
  EXPECT_EQ(display_width("e\u0301"), 1u);
  EXPECT_EQ(display_width("漢字"), 4u);
  EXPECT_EQ(display_width("\033[31mabc\033[0m"), 3u);
  EXPECT_EQ(display_width("\xff\t\033["), 4u);  // one for each byte that is not a character
  EXPECT_EQ(display_width(Texts{"a", "漢", "b"}), 2u);
}

TEST(Layout, AccentsStayWithTheirLetter) {
  EXPECT_EQ(autograd::letters_of("ße\u0301漢"), (Texts{"ß", "e\u0301", "漢"}));
}

TEST(Layout, CutsAndFillsUp) {
  EXPECT_EQ(shortened("ab", 2), "ab");
  EXPECT_EQ(shortened("abc", 2), "a…");
  EXPECT_EQ(shortened("漢字漢", 5), "漢字…");
  EXPECT_EQ(shortened("漢字漢", 4), "漢…");
  EXPECT_EQ(autograd::padded("漢", 3) + autograd::padded_left("é", 3) + autograd::padded("abc", 2), "漢   éabc");
}

TEST(Layout, Wraps) {
  EXPECT_EQ(wrapped("one two three", 9, "- ", 0), "- one two\n  three\n");
  EXPECT_EQ(wrapped("one two\n three four", 9, " ", 2), " one two\n   three\n   four\n");
  EXPECT_EQ(wrapped("averyveryverylongword x", 5, "", 0), "averyveryverylongword\nx\n");
  EXPECT_EQ(wrapped("漢 é 漢", 6, "", 0), "漢 é\n漢\n");
  EXPECT_EQ(wrapped("a b", 1, "  ", 4), "  a\n      b\n");
  EXPECT_EQ(wrapped("", 9, "- ", 0), "- \n");
}

TEST(Layout, ColumnsAreAligned) {
  EXPECT_EQ(autograd::in_columns({{"at", "yours"}, {"[0]", "1.5"}, {"漢", "-10.25"}}, "<>", " "),
            " at    yours\n [0]     1.5\n 漢   -10.25\n");
  EXPECT_EQ(autograd::in_columns({{"a", "b", "c"}, {"10", "20", "x"}}, "><", ""), " a  b   c\n10  20  x\n");
}

}  // namespace layout_test
