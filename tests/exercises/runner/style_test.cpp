// Text on screens of all kinds.
#include "runner/text/style.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "runner/text/markdown.h"

namespace course_style_test {

using namespace learn;

TEST(Style, NoColoursUnlessThereAreSome) {
  Style style;
  EXPECT_EQ(style.red("x"), "x");
  style.colour = true;
  EXPECT_EQ(style.red("x"), "\033[31mx\033[0m");
}

TEST(Style, ATerminalObeysNothingButOurOwnColours) {
  Style style;
  style.colour = true;
  const std::string own = "\r\033[K" + style.red("ä") + "\033[2J\n\t1 of 2\r";
  EXPECT_EQ(terminal_text(own), own);
  for (const char* const foreign : {"\033]0;title\a", "\033[5m", "\033[10;10H", "\033", "\u009B31m", "\u202E", "\b",
                                    "\x7F", "a\rb", "\xff", "\033[38;5;1m", "\033P"}) {
    const std::string shown = terminal_text(std::string("<") + foreign + ">");
    EXPECT_EQ(shown.find_first_of("\033\a\b\x7F\r\xff"), std::string::npos) << foreign;
    EXPECT_EQ(shown.find("\xC2\x9B"), std::string::npos);
    EXPECT_EQ(shown.find("\u202E"), std::string::npos);
  }
  EXPECT_EQ(terminal_text("a\r\nb"), "a\nb");
}

TEST(Style, ColumnsStandBesideEachOtherWhereThereIsRoom) {
  Style style;
  EXPECT_EQ(side_by_side(style, {"yours", "1", "2 3"}, {"expected", "4"}, "  "),
            "  yours │ expected\n  1     │ 4\n  2 3   │ \n");
  style.terminal = 2 + 5 + 3 + 8;
  EXPECT_EQ(side_by_side(style, {"yours"}, {"expected"}, "  "), "  yours │ expected\n");
  style.terminal -= 1;
  EXPECT_EQ(side_by_side(style, {"yours", "1"}, {"expected", "4"}, "  "), "  yours\n  1\n\n  expected\n  4\n");
}

TEST(Style, AsciiOnly) {
  EXPECT_EQ(to_ascii("✓ α → β… ünknown"), "ok alpha -> beta... ?nknown");
}

TEST(Style, CommandsAreShownAsTheyCanBeTyped) {
  EXPECT_EQ(as_called("learn why 19"), "learn why 19");
  ::setenv("LEARN_NAME", "./learn", 1);
  EXPECT_EQ(as_called("learn why 19 · learn hint 19: `learn step`"),
            "./learn why 19 · ./learn hint 19: `./learn step`");
  EXPECT_EQ(as_called("exercises/learn start DIR; you learn step by step; learn list"),
            "exercises/learn start DIR; you learn step by step; ./learn list");
  EXPECT_EQ(as_called("we learn a lot"), "we learn a lot");
  EXPECT_EQ(wrapped("then: `learn list`", 15), "then: `./learn\nlist`\n");
  ::unsetenv("LEARN_NAME");
}

TEST(Markdown, ParagraphsAreFilledAndCodeIsNot) {
  Style style;
  style.width = 20;
  EXPECT_EQ(
      show_markdown(style,
                    "# Title\n\nsome words that are\nfilled again here\n\n    code   as it is\n\n- item one\n- two\n"),
      "Title\n\nsome words that are\nfilled again here\n\n    code   as it is\n\n- item one\n- two\n");
}

TEST(Markdown, CodeThatIsTooWideGoesOnBelowFromAGap) {
  Style style;
  style.terminal = 40;
  EXPECT_EQ(show_markdown(style, "    y = a b      a [m, k]   b [k, n]   y [m, n]\n"),
            "    y = a b      a [m, k]   b [k, n]\n        y [m, n]\n");
  EXPECT_EQ(show_markdown(style, "```\nconst Tensor one = two + three + four;\n```\n"),
            "    const Tensor one = two + three +\n        four;\n");
  EXPECT_EQ(show_markdown(style, "```\none\n\ntwo\n```\n"), "    one\n\n    two\n");
  EXPECT_EQ(show_markdown(style, "    \n"), "\n");
  EXPECT_EQ(show_markdown(style, "    one" + std::string(50, ' ') + "\n"), "    one\n");
  const std::string word = "    " + std::string(50, 'x') + "\n";
  EXPECT_EQ(show_markdown(style, word), word);
}

TEST(Markdown, WhatIsOddIsShownAllTheSame) {
  const Style style;
  EXPECT_EQ(show_markdown(style, "#\n## \nText\n"), "\n\nText\n");
  EXPECT_EQ(show_markdown(style, "1. one\r\n2. two\r\n"), "1. one\r\n2. two\r\n");
  const std::string name(200'000, 'x');
  EXPECT_EQ(show_markdown(style, "[" + name + "\n"), "[" + name + "\n");
  EXPECT_EQ(with_absolute_links("](" + name, "/c"), "](" + name);
  EXPECT_EQ(with_absolute_links("\n\n[a](b)", "/c"), "\n\n[a](/c/b)");
}

TEST(Markdown, SectionsAndFirstParagraph) {
  const std::string text =
      "# 01 · T\n\nFirst\nparagraph.\n\nSecond.\n\n## Question\n\nWhy?\n\n## Concept\n\nBecause.\n";
  EXPECT_EQ(first_paragraph(text), "First\nparagraph.\n");
  EXPECT_EQ(section(text, "## Question"), "Why?\n");
  EXPECT_EQ(section(text, "## Concept"), "Because.\n");
  EXPECT_EQ(section(text, "## Line"), "");
}

TEST(Markdown, RelativeLinksFindTheirWayFromElsewhere) {
  EXPECT_EQ(with_absolute_links("[a](../../../docs/a.md#b) [c](https://x.y/z) [d](#e) [f](/g)",
                                "/clone/exercises/lessons/01_x"),
            "[a](/clone/docs/a.md#b) [c](https://x.y/z) [d](#e) [f](/g)");
  // Code is left alone.
  EXPECT_EQ(with_absolute_links("a\n\n    [](double dy) {}\n`[](double dy)` [a](b.md)\n", "/c"),
            "a\n\n    [](double dy) {}\n`[](double dy)` [a](/c/b.md)\n");
}

}  // namespace course_style_test
