#include <nn/pictures/line_chart.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/support/expect.h"
#include "tests/support/well_formed.h"

namespace nn_line_chart_test {

using autograd::ErrorId;
using fixtures::mentions;
using fixtures::message_of;
using fixtures::xml_problem;
using nn::ChartSeries;
using nn::LineChartOptions;

const ChartSeries training = {.name = "training", .x = {1, 2, 3, 4}, .y = {4.0, 2.0, 1.0, 0.5}};
const ChartSeries validation = {.name = "validation", .x = {2, 4}, .y = {3.0, 2.5}, .markers = true};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// Draws, and checks that the picture is well-formed and shows no NaN.
std::string drawn(const std::vector<ChartSeries>& series, const LineChartOptions& options = {}) {
  const std::string svg = nn::line_chart_svg(series, options);
  EXPECT_EQ(xml_problem(svg), "");
  for (const char* wrong : {"\"nan", "\"inf", "\"-inf", "\"-nan", " nan", " inf", "Mnan", "Lnan"}) {
    EXPECT_EQ(svg.find(wrong), std::string::npos) << wrong;
  }
  return svg;
}

TEST(NnLineChart, TheCheckerOfXmlFindsMistakes) {
  EXPECT_EQ(xml_problem("<a b=\"1\"><c/>&amp; text</a>\n"), "");
  for (const char* wrong : {"<a>", "<a></b>", "<a b=1/>", "<a b=\"<\"/>", "<a>&nbsp;</a>", "<a>\x1b</a>", "a", "<a/>b",
                            "<a b=\"1\" b=\"2\"/>", "<a>< b</a>", "</a>"}) {
    EXPECT_NE(xml_problem(wrong), "") << wrong;
  }
}

TEST(NnLineChart, HasTitleAxesNamesAndDescription) {
  const std::string svg = drawn({training, validation}, {.title = "Loss", .x_axis = "updates", .y_axis = "nats"});
  EXPECT_TRUE(mentions(svg, {"<title>Loss</title>", ">updates</text>", ">nats</text>", ">training</text>",
                             ">validation</text>", "A line chart. Across: updates, 1 to 4. Upwards: nats, 0 to 4.",
                             "training: 4 points, first 4 at 1, last 0.5 at 4, least 0.5 at 4, most 4 at 1.",
                             "prefers-color-scheme: dark", "role=\"img\"", "</svg>\n"}));
  EXPECT_TRUE(mentions(svg, {"<g class=\"c0\"><title>training</title>", "<g class=\"c1\"><title>validation</title>"}));
  EXPECT_TRUE(mentions(svg, {"<title>validation: 3 at 2</title>"}));
  EXPECT_EQ(svg.find("<title>training: "), std::string::npos);  // no markers there
}

// The points lie where the axes say: x from 1 to 4, and y from 0 to 4 over the plot's 300 pixels.
TEST(NnLineChart, PointsLieWhereTheyBelong) {
  const std::string svg = drawn({{.x = {1, 2, 4}, .y = {4.0, 0.0, 2.0}}});
  const std::size_t at = svg.find("class=\"curve\" d=\"M") + 18;
  double x[3];
  double y[3];
  ASSERT_EQ(std::sscanf(svg.c_str() + at, "%lf %lfL%lf %lfL%lf %lf", &x[0], &y[0], &x[1], &y[1], &x[2], &y[2]), 6);
  EXPECT_NEAR((x[1] - x[0]) / (x[2] - x[0]), 1.0 / 3.0, 1e-3);
  EXPECT_NEAR(y[1] - y[0], 300.0, 0.11);
  EXPECT_NEAR(y[2] - y[0], 150.0, 0.11);
}

TEST(NnLineChart, NotFiniteIsAGap) {
  const double nan = std::nan("");
  const std::string svg = drawn({{.name = "loss", .x = {1, 2, 3, 4, 5, nan}, .y = {1, 2, nan, HUGE_VAL, 2, 1}}});
  const std::size_t path = svg.find("class=\"curve\" d=\"") + 17;
  EXPECT_EQ(count(svg.substr(path, svg.find('"', path) - path), "L"), 1U);  // from 1 to 2
  EXPECT_TRUE(mentions(svg, {"<title>loss: 2 at 5</title>"}));              // alone, so marked
  EXPECT_TRUE(mentions(svg, {"loss: 3 points, first 1 at 1, last 2 at 5"}));
}

TEST(NnLineChart, NotPositiveIsAGapOnALogarithmicAxis) {
  const std::string svg = drawn({{.name = "norm", .x = {1, 2, 3, 4}, .y = {1.0, 1e-8, 0.0, -1.0}}},
                                {.y_axis = "norm", .y_logarithmic = true});
  EXPECT_TRUE(mentions(svg, {"norm: 2 points", "10⁻⁸", "Upwards: norm, 1e-08 to 1, logarithmic"}));
}

TEST(NnLineChart, NothingToDraw) {
  EXPECT_TRUE(mentions(drawn({}), {"no data"}));
  EXPECT_TRUE(mentions(drawn({{.name = "empty"}}), {"no data", "empty: no points."}));
  EXPECT_TRUE(mentions(drawn({{.name = "empty", .x = {1}, .y = {std::nan("")}}}), {"no data"}));
  EXPECT_EQ(drawn({training}).find("no data"), std::string::npos);
}

TEST(NnLineChart, OnePointIsMarked) {
  EXPECT_TRUE(mentions(drawn({{.name = "only", .x = {3}, .y = {7}}}), {"<title>only: 7 at 3</title>"}));
}

TEST(NnLineChart, AwkwardNumbers) {
  drawn({{.x = {1, 2, 3}, .y = {0.3, 0.3, 0.3}}});
  drawn({{.x = {5, 5, 5}, .y = {1, 2, 3}}});
  drawn({{.x = {-1e300, 1e300}, .y = {1e300, -1e300}}});
  drawn({{.x = {0, 5e-324}, .y = {1e-310, 2e-310}}});
  drawn({{.x = {1e9, 1e9 + 1}, .y = {1e6 + 1e-3, 1e6}}});
  drawn({{.x = {1e-299, 1e299}, .y = {1e299, 1e-299}}}, {.x_logarithmic = true, .y_logarithmic = true});
  drawn({{.x = {1.7e308, -1.7e308}, .y = {1, 2}}});
}

TEST(NnLineChart, ErrorBars) {
  const double nan = std::nan("");
  const std::string svg =
      drawn({{.name = "BLEU", .x = {1, 2, 3}, .y = {5, 6, 7}, .low = {4, nan, -50}, .high = {6, 7, 8}}});
  EXPECT_EQ(count(svg, "class=\"error\""), 2U);
  EXPECT_TRUE(mentions(svg, {">−50</text>"}));  // the axis reaches over them
  // On a logarithmic axis a bar without a lower end reaches to the bottom.
  const std::string logarithmic =
      drawn({{.x = {1, 2}, .y = {5, 600}, .low = {-1, 500}, .high = {6, 700}}}, {.y_logarithmic = true});
  EXPECT_EQ(count(logarithmic, "class=\"error\""), 2U);
}

TEST(NnLineChart, ManyOrLongNamesStandInALegend) {
  ChartSeries longer = training;
  longer.name = "a name that is much too long for a place beside the end of its line";
  EXPECT_TRUE(mentions(drawn({longer, validation}), {longer.name + "</text>"}));
  std::vector<ChartSeries> many(30, training);
  const std::string svg = drawn(many);
  EXPECT_TRUE(mentions(svg, {"class=\"c0 dashed\"", "class=\"c7\""}));  // the ninth is the first, dashed
}

TEST(NnLineChart, ADashedLineHasADashedSample) {
  ChartSeries dashed = training;
  dashed.dashed = true;
  EXPECT_EQ(count(drawn({training, dashed}), "class=\"curve dashed\""), 2U);  // itself, and beside its name
  dashed.name = "a name that is much too long for a place beside the end of its line";
  EXPECT_EQ(count(drawn({training, dashed}), "class=\"curve dashed\""), 2U);  // in the legend
}

TEST(NnLineChart, TwoLinesCanShareAColour) {
  ChartSeries third = {.name = "third", .x = {1, 2}, .y = {1, 2}, .markers = true, .dashed = true};
  third.same_colour_as = 1;
  const std::string svg = drawn({training, validation, third});
  EXPECT_TRUE(mentions(svg, {"<g class=\"c1\"><title>third</title>"}));
  EXPECT_EQ(svg.find("class=\"c2\""), std::string::npos);
  const std::string square = "d=\"M-4,-4h8v8h-8z\"";
  EXPECT_EQ(count(svg, square), 2U + 2U + 2U);  // on both lines, and beside both names
  third.same_colour_as = 17;                    // no such line
  drawn({training, third});
}

TEST(NnLineChart, NamesBesideTheLinesKeepApart) {
  std::vector<ChartSeries> alike(16, {.name = "same end", .x = {1, 2}, .y = {1, 2}});
  const std::string svg = drawn(alike);
  std::set<std::string> places;
  for (std::size_t at = svg.find(">same end</text>"); at != std::string::npos;
       at = svg.find(">same end</text>", at + 1)) {
    places.insert(svg.substr(svg.rfind("y=\"", at), 9));
  }
  EXPECT_EQ(places.size(), 16U);
}

TEST(NnLineChart, TextsCannotBecomeMarkup) {
  const ChartSeries hostile = {.name = "<script>&\x1b", .x = {1, 2}, .y = {1, 2}, .markers = true};
  const std::string svg = drawn({hostile}, {.title = "</title>\n]]>", .x_axis = "\"'", .y_axis = "\xFF & <b>"});
  EXPECT_TRUE(mentions(svg, {"&lt;script&gt;&amp;␛", "&lt;/title&gt;␊", "� &amp; &lt;b&gt;"}));
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  drawn({training}, {.title = std::string(500, 'W'), .x_axis = std::string(500, 'W'), .y_axis = std::string(500, 'W')});
}

TEST(NnLineChart, FromZero) {
  const ChartSeries high = {.name = "BLEU", .x = {1, 2}, .y = {30.5, 32.5}};
  EXPECT_EQ(drawn({high}).find(">0</text>"), std::string::npos);
  EXPECT_TRUE(mentions(drawn({high}, {.y_from_zero = true}), {">0</text>"}));
}

TEST(NnLineChart, ListsOfDifferentLength) {
  const auto message = [](const ChartSeries& series) {
    return message_of(ErrorId::shape_mismatch, [&] { nn::line_chart_svg({training, series}); });
  };
  EXPECT_TRUE(mentions(message({.name = "a", .x = {1, 2}, .y = {1}}),
                       {"line_chart_svg", "series 1 (\"a\") has 2 x, 1 y, 0 low and 0 high"}));
  message({.x = {1}, .y = {1}, .low = {1}});
  message({.x = {1, 2}, .y = {1, 2}, .low = {1}, .high = {2}});
}

TEST(NnLineChart, FileHoldsThePicture) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "backstep_line_chart_test.svg";
  nn::write_line_chart_svg(path.string(), {training});
  std::stringstream content;
  content << std::ifstream(path).rdbuf();
  EXPECT_EQ(content.str(), nn::line_chart_svg({training}));
  std::filesystem::remove(path);
  message_of(ErrorId::bad_file, [] { nn::write_line_chart_svg("/nowhere/chart.svg", {training}); });
}

}  // namespace nn_line_chart_test
