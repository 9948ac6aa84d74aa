#include "examples/translate/report/html_report.h"

#include <gtest/gtest.h>
#include <nn/pictures/heatmap.h>
#include <nn/pictures/line_chart.h>

#include <sstream>

#include "tests/support/expect.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/well_formed.h"

namespace translate_html_report_test {

using autograd::ErrorId;
using fixtures::mentions;
using fixtures::message_of;
using fixtures::xml_problem;
using translate::Report;

const translate::ReportTable table = {.caption = "test2016",
                                      .columns = {"model", "BLEU", "note"},
                                      .rows = {{"attention", "32.8", "best"}, {"none", "–"}, {"beam", "1,234.5 ± 2"}}};

std::string chart() {
  return nn::line_chart_svg({{.name = "loss", .x = {1, 2}, .y = {3, 4}}});
}

// Returns the body, which must be XML; the head, with its void tags, and the doctype are not.
std::string body_of(const std::string& html) {
  const std::size_t start = html.find("<body>");
  return html.substr(start, html.find("</body>") + 7 - start);
}

TEST(TranslateReport, TheSameContentTwice) {
  Report report("Attention");
  report.paragraph("It helps.");
  report.heading("Quality");
  report.table(table);
  report.picture("loss", chart(), "The loss.");
  report.settings = {{"seed", "1"}, {"command", "translate experiment 1"}};
  const std::string html = report.html();
  EXPECT_EQ(xml_problem(body_of(html)), "");
  EXPECT_TRUE(mentions(html, {"<!DOCTYPE html>", "<title>Attention</title>", "<h1>Attention</h1>", "<p>It helps.</p>",
                              "<h2>Quality</h2>", "<caption>test2016</caption>", "<th scope=\"row\">attention</th>",
                              "<figcaption>The loss.</figcaption>", "<h2>Settings</h2>",
                              "<td>translate experiment 1</td>", "lang=\"en\"", "</html>\n"}));
  EXPECT_EQ(report.text(),
            "Attention\n"
            "=========\n"
            "\n"
            "It helps.\n"
            "\n"
            "Quality\n"
            "-------\n"
            "\n"
            "test2016\n"
            "\n"
            "  model              BLEU   note\n"
            "  ---------   -----------   ----\n"
            "  attention          32.8   best\n"
            "  none                  –\n"
            "  beam        1,234.5 ± 2\n"
            "\n"
            "[picture: The loss.]\n"
            "\n"
            "Settings\n"
            "--------\n"
            "\n"
            "  seed      1\n"
            "  command   translate experiment 1\n");
}

TEST(TranslateReport, NumbersStandToTheRight) {
  Report report("t");
  report.table(table);
  EXPECT_TRUE(mentions(report.html(), {"<th scope=\"col\" class=\"number\">BLEU</th>", "<td class=\"number\">32.8</td>",
                                       "<td class=\"number\">–</td>", "<th scope=\"col\">note</th>", "<td>best</td>"}));
}

TEST(TranslateReport, WhatIsANumber) {
  const auto is_right = [](const std::string& cell) {
    return translate::table_text({.columns = {"a long heading"}, .rows = {{cell}}}).ends_with("  " + cell + "\n");
  };
  for (const char* number : {"1", "-3", "−0.5", "+2", "12,345", "5e-3", "52.2 %", "97.3 ± 0.4", "2×10⁻⁷"}) {
    EXPECT_TRUE(is_right(number) && !translate::table_text({.columns = {"a long heading"}, .rows = {{number}}})
                                         .ends_with("\n  " + std::string(number) + "\n"))
        << number;
  }
  for (const char* text : {"one", "3 words", "model 1", "nan", "v1.0", "%"}) {
    EXPECT_TRUE(translate::table_text({.columns = {"a long heading"}, .rows = {{text}}})
                    .ends_with("\n  " + std::string(text) + "\n"))
        << text;
  }
}

TEST(TranslateReport, TablesOfAnyShape) {
  EXPECT_EQ(translate::table_text({}), "");
  EXPECT_EQ(translate::table_text({.rows = {{"a"}, {"b", "longer"}}}), "  a\n  b   longer\n");
  EXPECT_EQ(translate::table_text({.columns = {"x", "y"}}), "  x   y\n  -   -\n");
  Report report("t");
  report.table({});
  EXPECT_EQ(xml_problem(body_of(report.html())), "");
}

TEST(TranslateReport, WidthsAreThoseOnTheScreen) {
  EXPECT_EQ(translate::table_text({.columns = {"word", "n"}, .rows = {{"schläft", "1"}, {"犬", "2"}}}),
            "  word      n\n  -------   -\n  schläft   1\n  犬        2\n");
}

TEST(TranslateReport, HeadingsAreBrokenWhereTheTableWouldBeTooWide) {
  translate::ReportTable wide{.columns = {"model"}, .rows = {{"additive"}}};
  for (int i = 0; i < 6; ++i) {
    wide.columns.emplace_back("a heading of many words");
    wide.rows[0].emplace_back("1.0");
  }
  const std::string text = translate::table_text(wide);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
  EXPECT_TRUE(text.starts_with("             a heading of   a heading of")) << text;
  EXPECT_TRUE(mentions(text, {"\n  model        many words     many words"}));  // all headings end above the rule
  wide.columns.emplace_back("more");
  EXPECT_TRUE(translate::table_text(wide).starts_with("             a heading   a heading")) << "in three lines";
  wide.columns.resize(3);
  wide.rows[0].resize(3);
  EXPECT_TRUE(translate::table_text(wide).starts_with("  model      a heading of many words   a heading"));
}

TEST(TranslateReport, APercentSignStaysWithItsNumber) {
  for (std::size_t indent = 1; indent < 12; ++indent) {  // for one of them a line is full just before a sign
    Report report("t");
    std::string text(indent, 'x');
    for (int i = 0; i < 40; ++i) text += " and 97.3 %";
    report.paragraph(text);
    EXPECT_EQ(report.text().find("\n%"), std::string::npos);
    EXPECT_TRUE(mentions(report.html(), {"x and 97.3\u00A0% and 97.3\u00A0%"}));
  }
}

TEST(TranslateReport, LongParagraphsAreBroken) {
  Report report("t");
  std::string text;
  for (int i = 0; i < 60; ++i) text += "wörter ";
  report.paragraph(text);
  std::istringstream lines(report.text());
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 115U);  // bytes; each ö has two
  EXPECT_TRUE(mentions(report.html(), {"<p>wörter wörter"}));
}

TEST(TranslateReport, TextsCannotBecomeMarkupOrControlTheTerminal) {
  const std::string hostile = "</p><script>alert(\"1\")</script>&\x1b[2J";
  Report report(hostile);
  report.heading(hostile);
  report.paragraph(hostile + "\n" + hostile);
  report.table({.caption = hostile, .columns = {hostile}, .rows = {{hostile, "\xFF"}}});
  report.picture("chart", chart(), hostile);
  report.note = hostile;
  report.settings = {{hostile, hostile}};
  const std::string html = report.html();
  EXPECT_EQ(xml_problem(body_of(html)), "");
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find('\x1b'), std::string::npos);
  EXPECT_EQ(report.text().find('\x1b'), std::string::npos);
}

// Nothing in the page refers to another place.
TEST(TranslateReport, NeedsNoNetwork) {
  Report report("t");
  report.picture("chart", chart(), "A chart");
  report.picture("heatmap", nn::heatmap_svg(autograd::ones({1, 1}), {"a"}, {"b"}), "A heatmap");
  std::string html = report.html();
  const std::string name_of_svg = "http://www.w3.org/2000/svg";  // a name, which nobody opens
  for (std::size_t at = html.find(name_of_svg); at != std::string::npos; at = html.find(name_of_svg)) {
    html.erase(at, name_of_svg.size());
  }
  for (const char* outside : {"http:", "https", "src=", "url(", "@import", "<link", "<script"}) {
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  }
}

TEST(TranslateReport, PicturesForTheTerminal) {
  Report report("t");
  report.picture("looks", chart(), "Where it looks.", "x ██\n");
  EXPECT_TRUE(mentions(report.text(), {"[picture: Where it looks.]\nx ██\n"}));
  EXPECT_EQ(report.html().find("██"), std::string::npos);
}

TEST(TranslateReport, AFileNameIsNoPicture) {
  Report report("t");
  EXPECT_TRUE(mentions(message_of(ErrorId::bad_argument, [&] { report.picture("chart", "chart.svg", "A chart"); }),
                       {"\"chart.svg\" does not start with <svg"}));
}

TEST(TranslateReport, ANoteStandsAboveAllElse) {
  Report report("t");
  report.paragraph("said");
  report.note = "stopped";
  EXPECT_LT(report.html().find("stopped"), report.html().find("said"));
  EXPECT_LT(report.text().find("stopped"), report.text().find("said"));
}

TEST(TranslateReport, NothingIsSaidByAnEmptyParagraph) {
  Report report("t");
  report.findings({"", "a", ""});
  EXPECT_EQ(report.text(), "t\n=\n\nWhat was found\n--------------\n\na\n");
}

TEST(TranslateReport, FilesHoldThePageAndItsPictures) {
  const fixtures::TemporaryFolder folder;
  Report report("t");
  report.picture("loss", chart(), "A chart");
  EXPECT_EQ(report.write(folder.path(), "name"), folder / "name.html");
  EXPECT_EQ(fixtures::content_of(folder / "name.html"), report.html());
  EXPECT_EQ(fixtures::content_of(folder / "name-loss.svg"), chart());
  message_of(ErrorId::bad_file, [&] { report.write("/nowhere", "name"); });
}

TEST(TranslateScopedSvg, EveryRuleIsLimitedToItsPicture) {
  const std::string svg =
      "<svg width=\"1\"><style>.grid { fill: red } @media (prefers-color-scheme: dark) { .grid { fill: blue } }</style>"
      "</svg>";
  EXPECT_EQ(translate::scoped_svg(svg, "p1"),
            "<svg id=\"p1\" width=\"1\"><style>#p1 {.grid { fill: red } "
            "@media screen and (prefers-color-scheme: dark) { .grid { fill: blue } }}</style></svg>");
}

}  // namespace translate_html_report_test
