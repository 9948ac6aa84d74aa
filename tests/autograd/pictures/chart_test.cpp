#include "autograd/pictures/chart.h"

#include <cmath>
#include <cstdio>

#include "tests/support/expect.h"
#include "tests/support/golden.h"
#include "tests/support/well_formed.h"

namespace chart_test {

using autograd::ChartOptions;
using autograd::ChartSeries;
using autograd::ErrorId;
using fixtures::count;
using fixtures::message_of;

const ChartSeries training = {.name = "training", .x = {1, 2, 3, 4}, .y = {4.0, 2.0, 1.0, 0.5}};
const ChartSeries validation = {.name = "validation", .x = {2, 4}, .y = {3.0, 2.5}};

// Draws, and checks that the picture is well-formed and shows no NaN.
std::string drawn(const std::vector<ChartSeries>& series, const ChartOptions& options = {}) {
  const std::string svg = autograd::chart_svg(series, options);
  EXPECT_EQ(fixtures::xml_problem(svg), "");
  for (const char* wrong : {"\"nan", "\"inf", "\"-inf", "\"-nan", " nan", " inf", "Mnan", "Lnan", ">nan", ">inf"}) {
    EXPECT_EQ(count(svg, wrong), 0U) << wrong;
  }
  return svg;
}

// What stands between the first two of these.
std::string between(const std::string& text, const std::string& left, const std::string& right) {
  const std::size_t start = text.find(left) + left.size();
  return text.substr(start, text.find(right, start) - start);
}

std::string description(const std::string& svg) {
  return between(svg, "<desc>", "</desc>");
}

std::string path(const std::string& svg) {
  return between(svg, "class=\"curve\" d=\"", "\"");
}

TEST(Chart, TheCheckerOfXmlFindsMistakes) {
  EXPECT_EQ(fixtures::xml_problem("<a b=\"1\"><c/>&amp; text</a>\n"), "");
  for (const char* wrong : {"<a>", "<a></b>", "<a b=1/>", "<a b=\"<\"/>", "<a>&nbsp;</a>", "<a>\x1b</a>", "a", "<a/>b",
                            "<a b=\"1\" b=\"2\"/>", "<a>< b</a>", "</a>"}) {
    EXPECT_NE(fixtures::xml_problem(wrong), "") << wrong;
  }
}

TEST(Chart, SaysInWordsWhatItShows) {
  const double nan = std::nan("");
  const ChartSeries gaps = {.name = "loss", .x = {1, 2, 3, 4, 5, nan}, .y = {1, 2, nan, HUGE_VAL, 2, 1}};
  const ChartSeries norm = {.name = "norm", .x = {1, 2, 3, 4}, .y = {1.0, 1e-8, 0.0, -1.0}};
  std::vector<std::string> said;
  said.push_back(description(drawn({training, validation}, {.x_axis = "updates", .y_axis = "nats"})));
  said.push_back(description(drawn({gaps, {.name = "empty"}})));
  said.push_back(description(drawn({norm}, {.y_logarithmic = true})));
  const auto refused = [&said](const ChartSeries& series) {
    said.push_back(message_of(ErrorId::shape_mismatch, [&] { autograd::chart_svg({training, series}); }));
  };
  refused({.name = "a", .x = {1, 2}, .y = {1}});
  refused({.x = {1}, .y = {1}, .low = {1}});
  refused({.x = {1, 2}, .y = {1, 2}, .low = {1}, .high = {2}});
  EXPECT_TRUE(fixtures::says("autograd_pictures", said));
}

TEST(Chart, HasTitleAxesAndNames) {
  const std::string svg = drawn({training, validation}, {.title = "Loss", .x_axis = "updates", .y_axis = "nats"});
  for (const char* text :
       {"<title>Loss</title>", ">updates</text>", ">nats</text>", ">training</text>", ">validation</text>",
        "prefers-color-scheme: dark", "<g class=\"c0\"><title>training</title>"}) {
    EXPECT_GE(count(svg, text), 1U) << text;
  }
  EXPECT_EQ(count(svg, "class=\"marker\""), 4U + 2U + 2U);      // on both lines, and beside both names
  EXPECT_EQ(count(drawn({training}), ">training</text>"), 0U);  // the title says it
}

// The points lie where the axes say: x from 1 to 4, and y from 0 to 4 over the plot's 280 pixels.
TEST(Chart, PointsLieWhereTheyBelong) {
  const std::vector<ChartSeries> series = {{.x = {1, 2, 4}, .y = {4.0, 0.0, 2.0}}};
  const std::string curve = path(drawn(series));
  double x[3];
  double y[3];
  ASSERT_EQ(std::sscanf(curve.c_str(), "M%lf %lfh0L%lf %lfL%lf %lf", &x[0], &y[0], &x[1], &y[1], &x[2], &y[2]), 6);
  EXPECT_NEAR((x[1] - x[0]) / (x[2] - x[0]), 1.0 / 3.0, 1e-3);
  EXPECT_NEAR(y[1] - y[0], 280.0, 0.11);
  EXPECT_NEAR(y[2] - y[0], 140.0, 0.11);
  const autograd::ChartSpan across = autograd::chart_span(series);
  EXPECT_NEAR(x[1], across.left + (2.0 - across.low) / (across.high - across.low) * (across.right - across.left), 0.06);
}

TEST(Chart, WhatCannotBeDrawnIsAGap) {
  const double nan = std::nan("");
  const std::string svg = drawn({{.x = {1, 2, 3, 4, 5, nan}, .y = {1, 2, nan, HUGE_VAL, 2, 1}}});
  EXPECT_EQ(count(path(svg), "L"), 1U);  // from 1 to 2
  EXPECT_EQ(count(path(svg), "M"), 2U);
  EXPECT_EQ(count(svg, "class=\"marker\""), 3U);
  EXPECT_EQ(count(drawn({{.x = {1, 2}, .y = {0.0, 1.0}}}, {.y_logarithmic = true}), "class=\"marker\""), 1U);
}

TEST(Chart, AwkwardNumbers) {
  drawn({});
  drawn({{.name = "empty"}});
  drawn({{.x = {1}, .y = {std::nan("")}}});
  drawn({{.x = {3}, .y = {7}}});
  drawn({{.x = {1, 2, 3}, .y = {0.3, 0.3, 0.3}}});
  drawn({{.x = {-1e300, 1e300}, .y = {1e300, -1e300}}});
  drawn({{.x = {0, 5e-324}, .y = {1e-310, 2e-310}}});
  drawn({{.x = {1e-299, 1e299}, .y = {1e299, 1e-299}}}, {.x_logarithmic = true, .y_logarithmic = true});
}

TEST(Chart, ErrorBars) {
  const ChartSeries bleu = {.x = {1, 2}, .y = {5, 6}, .low = {-50, std::nan("")}, .high = {8, 7}};
  EXPECT_EQ(count(drawn({bleu}), "class=\"error\""), 1U);
  EXPECT_EQ(count(drawn({bleu}), ">-50</text>"), 1U);                               // the axis reaches over them
  EXPECT_EQ(count(drawn({bleu}, {.y_logarithmic = true}), "class=\"error\""), 1U);  // down to the axis
}

TEST(Chart, LinesCanBeToldApart) {
  ChartSeries third = {.name = "third", .x = {1, 2}, .y = {1, 2}, .dashed = true};
  EXPECT_EQ(count(drawn({training, third}), "class=\"curve dashed\""), 2U);  // itself, and beside its name
  third.same_colour_as = 1;
  const std::string svg = drawn({training, validation, third});
  EXPECT_EQ(count(svg, "<g class=\"c1\"><title>third</title>"), 2U);
  EXPECT_EQ(count(svg, "class=\"c2\""), 0U);
  EXPECT_EQ(count(svg, "d=\"M-4,-4h8v8h-8z\""), 2U + 2U + 2U);  // the same marker, on both lines and beside both names
  third.same_colour_as = 17;                                    // no such line
  drawn({training, third});
  const std::string many = drawn(std::vector<ChartSeries>(9, training));
  EXPECT_EQ(count(many, "class=\"curve dashed\""), 2U);  // the ninth is the first, dashed
}

TEST(Chart, LongLinesCanBeToldApartWithoutTheirColours) {
  const ChartSeries line = {.name = "first", .y = std::vector<double>(70, 1.0)};
  EXPECT_EQ(count(drawn({line}), "class=\"marker\""), 0U);  // the only one
  const std::string svg = drawn({line, {.name = "second", .y = line.y}});
  EXPECT_EQ(count(svg, "class=\"marker\""), 7U + 7U + 2U);  // on each, and beside both names
  EXPECT_EQ(count(svg, "d=\"M-4,-4h8v8h-8z\""), 7U + 1U);
}

TEST(Chart, DotsAreNotJoined) {
  const std::string svg = drawn({training}, {.dots = true});
  EXPECT_EQ(count(svg, "class=\"curve"), 0U);
  EXPECT_EQ(count(svg, "class=\"marker\""), 4U);
}

TEST(Chart, TextsCannotBecomeMarkup) {
  const ChartSeries hostile = {.name = "<script>&\x1b", .x = {1, 2}, .y = {1, 2}};
  const ChartOptions options = {.title = "</title>\n]]>", .x_axis = "\"'", .y_axis = "\xFF & <b>\xEF\xBF\xBE"};
  EXPECT_EQ(count(drawn({hostile, training}, options), "<script"), 0U);
  const std::string wide(500, 'W');
  drawn({training}, {.title = wide, .x_axis = wide, .y_axis = wide});
}

}  // namespace chart_test
