#include "autograd/pictures/display_width.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace display_width_test {

using autograd::display_width;

TEST(DisplayWidth, IsInColumnsOfATerminal) {
  EXPECT_EQ(display_width(""), 0u);
  EXPECT_EQ(display_width("Grüße"), 5u);
  EXPECT_EQ(display_width("e\xCC\x81"), 1u);  // an e and an accent on it
  EXPECT_EQ(display_width("漢字"), 4u);
  EXPECT_EQ(display_width("😀"), 2u);
}

TEST(DisplayWidth, AccentsStayWithTheirLetter) {
  EXPECT_EQ(autograd::letters_of("ße\xCC\x81漢"), (std::vector<std::string>{"ß", "e\xCC\x81", "漢"}));
}

}  // namespace display_width_test
