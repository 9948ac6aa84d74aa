#include <nn/pictures/bar_chart.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/expect.h"
#include "tests/support/well_formed.h"

namespace nn_bar_chart_test {

using autograd::ErrorId;
using fixtures::mentions;
using fixtures::message_of;
using fixtures::xml_problem;
using nn::BarChartOptions;
using nn::BarSeries;

using Texts = std::vector<std::string>;

const Texts lengths = {"short", "long"};
const BarSeries attention = {.name = "attention", .values = {38.62, 20.19}};
const BarSeries fixed = {.name = "fixed context", .values = {33.18, 11.93}};

// Draws, and checks that the picture is well-formed and shows no NaN.
std::string drawn(const Texts& categories, const std::vector<BarSeries>& series, const BarChartOptions& options = {}) {
  const std::string svg = nn::bar_chart_svg(categories, series, options);
  EXPECT_EQ(xml_problem(svg), "");
  for (const char* wrong : {"\"nan", "\"inf", "\"-", ">nan", ">inf"}) {
    EXPECT_EQ(svg.find(wrong), std::string::npos) << wrong;
  }
  return svg;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// The height of the bar with this title, in pixels.
double height_of(const std::string& svg, const std::string& title) {
  const std::size_t end = svg.find("<title>" + title);
  const std::string mark = "height=\"";
  return std::stod(svg.substr(svg.rfind(mark, end) + mark.size()));
}

TEST(NnBarChart, HasBarsNamesNumbersAndDescription) {
  const std::string svg =
      drawn(lengths, {attention, fixed}, {.title = "By length", .category_axis = "words", .value_axis = "BLEU"});
  EXPECT_TRUE(
      mentions(svg, {"<title>By length</title>", ">short</text>", ">long</text>", ">words</text>", ">BLEU</text>",
                     ">attention</text>", ">fixed context</text>", ">38.6</text>", ">11.9</text>",
                     "<title>long, fixed context: 11.93</title>", "prefers-color-scheme: dark"}));
  EXPECT_TRUE(mentions(svg, {"A bar chart of 2 categories (words), showing BLEU. short: attention 38.62, fixed context "
                             "33.18. long: attention 20.19, fixed context 11.93."}));
}

TEST(NnBarChart, HeightsAreInProportion) {
  const std::string svg = drawn({"a", "b", "c"}, {{.name = "n", .values = {10.0, 40.0, -20.0}}});
  EXPECT_NEAR(height_of(svg, "b, n") / height_of(svg, "a, n"), 4.0, 0.02);
  EXPECT_NEAR(height_of(svg, "c, n") / height_of(svg, "a, n"), 2.0, 0.02);
}

TEST(NnBarChart, NumbersOnlyIfWantedAndIfThereIsRoom) {
  EXPECT_EQ(drawn(lengths, {attention}, {.show_values = false}).find(">38.6</text>"), std::string::npos);
  const Texts many(80, "x");
  const BarSeries values = {.name = "", .values = std::vector<double>(80, 38.62)};
  EXPECT_EQ(drawn(many, {values}).find(">38.6</text>"), std::string::npos);
}

TEST(NnBarChart, NumbersAreShort) {
  const std::string svg = drawn({"a", "b", "c", "d"}, {{.values = {-1234.5, 0.00012345, 7.0, 0.0}}});
  EXPECT_TRUE(mentions(svg, {">−1234</text>", ">0.000123</text>", ">7</text>", ">0</text>"}));
}

TEST(NnBarChart, NumbersOfASizeAreWrittenAlike) {
  EXPECT_TRUE(mentions(drawn({"a", "b", "c"}, {{.values = {100.0, 23.04, 8.567}}}),
                       {">100.0</text>", ">23.0</text>", ">8.6</text>"}));
  EXPECT_TRUE(mentions(drawn({"a", "b"}, {{.values = {1.062, 0.00489}}}), {">1.06</text>", ">0.00</text>"}));
  EXPECT_TRUE(mentions(drawn({"a", "b"}, {{.values = {17.0, 3.0}}}), {">17</text>", ">3</text>"}));
}

TEST(NnBarChart, WhatIsMissingIsNotDrawn) {
  const std::string svg =
      drawn(lengths, {{.name = "AER", .values = {std::nan(""), 5.0}}, {.name = "x", .values = {1.0, HUGE_VAL}}});
  EXPECT_EQ(count(svg, "<rect class=\"area\""), 4U);  // two bars and two samples in the legend
  EXPECT_TRUE(mentions(svg, {"short: AER none, x 1."}));
}

TEST(NnBarChart, ErrorBars) {
  const BarSeries bars = {.name = "", .values = {5.0, 6.0}, .low = {4.0, std::nan("")}, .high = {16.0, 7.0}};
  const std::string svg = drawn(lengths, {bars});
  EXPECT_EQ(count(svg, "class=\"error\""), 1U);
  EXPECT_TRUE(mentions(svg, {">20</text>"}));  // the axis reaches over them
}

TEST(NnBarChart, NothingToDraw) {
  EXPECT_TRUE(mentions(drawn({}, {}), {"no data"}));
  EXPECT_TRUE(mentions(drawn(lengths, {}), {"no data", ">short</text>"}));
  EXPECT_TRUE(mentions(drawn(lengths, {{.name = "n", .values = {std::nan(""), std::nan("")}}}), {"no data"}));
}

TEST(NnBarChart, AwkwardNumbers) {
  drawn(lengths, {{.values = {0.0, 0.0}}});
  drawn(lengths, {{.values = {-3.0, -3.0}}});
  drawn(lengths, {{.values = {1e300, -1e300}}});
  drawn(lengths, {{.values = {1e-310, 2e-300}}});
  drawn({"one"}, {{.values = {1e7}}});
}

TEST(NnBarChart, ManyBarsMakeAWiderPicture) {
  const std::vector<BarSeries> series(12, attention);
  const std::string svg = drawn(Texts(2, "short"), series);
  EXPECT_TRUE(mentions(svg, {"width=\"760\""}));
  const Texts categories(30, "category");
  const BarSeries values = {.name = "n", .values = std::vector<double>(30, 1.0)};
  const std::string wide = drawn(categories, std::vector<BarSeries>(12, values));
  EXPECT_EQ(wide.find("width=\"760\""), std::string::npos);
}

TEST(NnBarChart, LongNamesAreSlanted) {
  const Texts names(12, "local_predictive");
  const BarSeries values = {.name = "n", .values = std::vector<double>(12, 1.0)};
  EXPECT_EQ(count(drawn(names, {values}), "rotate(-40)"), 12U);
  EXPECT_EQ(count(drawn(lengths, {attention}), "rotate(-40)"), 0U);
}

TEST(NnBarChart, TextsCannotBecomeMarkup) {
  const std::string svg = drawn({"<b>&\"", "\x1b\n"}, {{.name = "</svg>", .values = {1.0, 2.0}}},
                                {.title = "<!--", .category_axis = "&", .value_axis = "\xC0"});
  EXPECT_TRUE(mentions(svg, {"&lt;b&gt;&amp;&quot;", "␛␊", "&lt;/svg&gt;", "&lt;!--"}));
  drawn({std::string(300, 'W')}, {{.name = std::string(300, 'W'), .values = {1.0}}}, {.title = std::string(300, 'W')});
}

TEST(NnBarChart, ListsOfDifferentLength) {
  EXPECT_TRUE(mentions(message_of(ErrorId::shape_mismatch, [] { nn::bar_chart_svg({"a"}, {attention}); }),
                       {"bar_chart_svg", "\"attention\" has 2 values, 0 low and 0 high for 1 categories"}));
  message_of(ErrorId::shape_mismatch, [] { nn::bar_chart_svg({"a"}, {{.values = {1.0}, .low = {1.0}}}); });
}

TEST(NnBarChart, FileHoldsThePicture) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "backstep_bar_chart_test.svg";
  nn::write_bar_chart_svg(path.string(), lengths, {attention});
  std::stringstream content;
  content << std::ifstream(path).rdbuf();
  EXPECT_EQ(content.str(), nn::bar_chart_svg(lengths, {attention}));
  std::filesystem::remove(path);
  message_of(ErrorId::bad_file, [] { nn::write_bar_chart_svg("/nowhere/chart.svg", lengths, {attention}); });
}

}  // namespace nn_bar_chart_test
