#include <nn/pictures/heatmap.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/expect.h"

namespace nn_heatmap_test {

using autograd::ErrorId;
using autograd::Tensor;
using fixtures::mentions;
using fixtures::message_of;
using nn::HeatmapOptions;
using nn::HeatmapStyle;

const Tensor weights = autograd::tensor({{1.0, 0.0, 0.0}, {0.0, 0.25, 0.75}});
const std::vector<std::string> rows = {"x", "yz"};
const std::vector<std::string> columns = {"a", "ü", "c"};

TEST(NnHeatmap, TextInShading) {
  EXPECT_EQ(nn::heatmap_text(weights, rows, columns),
            "target \\ source  a ü c\n"
            "              x  ██\n"
            "             yz    ░░▓▓\n"
            "                 0   ░░▒▒▓▓██ 1\n");
}

TEST(NnHeatmap, TextInAscii) {
  const HeatmapOptions options{.row_axis = "t", .column_axis = "s", .style = HeatmapStyle::ascii};
  EXPECT_EQ(nn::heatmap_text(weights, rows, columns, options),
            "t \\ s  a ü c\n"
            "    x  @@\n"
            "   yz    ::##\n"
            "       0   ::++##@@ 1\n");
}

TEST(NnHeatmap, TextInColours) {
  HeatmapOptions options{.style = HeatmapStyle::colours_24_bit};
  EXPECT_TRUE(mentions(nn::heatmap_text(weights, rows, columns, options),
                       {"\x1b[48;2;253;231;37m  \x1b[0m", "\x1b[48;2;68;1;84m  \x1b[0m"}));
  options.style = HeatmapStyle::colours_256;
  EXPECT_TRUE(mentions(nn::heatmap_text(weights, rows, columns, options), {"\x1b[48;5;220m  \x1b[0m"}));
}

TEST(NnHeatmap, TitleStandsAbove) {
  EXPECT_EQ(nn::heatmap_text(weights, rows, columns, {.title = "Two words"}).substr(0, 11), "Two words\n\n");
}

TEST(NnHeatmap, WordsStandAboveTheirColumns) {
  EXPECT_EQ(nn::heatmap_text(weights, rows, {"ein", "Männchen", "."}),
            "target \\ source  ein Männchen .\n"
            "              x  ████\n"
            "             yz      ░░░░░░░░░▓▓\n"
            "                 0   ░░▒▒▓▓██ 1\n");
}

TEST(NnHeatmap, LongWordsAreWrittenDownwards) {
  const std::string word(40, 'w');
  const std::string text = nn::heatmap_text(weights, rows, {word, "ab", word});
  EXPECT_TRUE(mentions(text, {"\n                 w a w\ntarget \\ source  w b w\n              x  ██\n"}));
}

TEST(NnHeatmap, FullIsTheStrongestColour) {
  const Tensor small = autograd::tensor({{0.1, 0.2, 0.4}});
  EXPECT_TRUE(mentions(nn::heatmap_text(small, {"x"}, columns, {.full = 0.2}), {"x  ▒▒████\n", " 0.2\n"}));
}

TEST(NnHeatmap, ATransposedViewIsReadByItsShape) {
  EXPECT_TRUE(mentions(nn::heatmap_text(weights.t(), columns, rows), {"a  ██\n", "ü    ░░░\n"}));
}

TEST(NnHeatmap, NothingToDrawIsNoError) {
  EXPECT_TRUE(mentions(nn::heatmap_text(autograd::zeros({0, 3}), {}, columns), {"a ü c\n"}));
  EXPECT_TRUE(mentions(nn::heatmap_svg(autograd::zeros({0, 0}), {}, {}), {"</svg>"}));
}

TEST(NnHeatmap, PictureHasTitleDescriptionAndCells) {
  const std::string svg = nn::heatmap_svg(weights, rows, columns, {.title = "Weights"});
  EXPECT_TRUE(mentions(svg, {"<title>Weights</title>", "A heatmap with 2 rows (target) and 3 columns (source).",
                             "&quot;yz&quot;: most at &quot;c&quot; (0.75)", "<title>yz, c: 0.750</title>",
                             "prefers-color-scheme: dark", "</svg>\n"}));
  EXPECT_EQ(svg.find("x, ü"), std::string::npos);  // nothing is drawn where the weight is 0
}

// The number after the first mark.
double number_after(const std::string& svg, const std::string& mark) {
  return std::stod(svg.substr(svg.find(mark) + mark.size()));
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(NnHeatmap, ALongTitleTakesMoreLinesAndNoMoreWidth) {
  std::string sentence;
  for (int i = 0; i < 40; ++i) sentence += "word" + std::to_string(i) + " ";
  const std::string svg = nn::heatmap_svg(weights, rows, columns, {.title = sentence + "end"});
  EXPECT_LT(number_after(svg, "width=\""), 400.0);
  EXPECT_GT(count(svg, "class=\"heading\""), 5U);
  EXPECT_TRUE(mentions(svg, {">word0 ", "word39", "end</text>"}));
  const double more_height = number_after(svg, "height=\"") -
                             number_after(nn::heatmap_svg(weights, rows, columns, {.title = "end"}), "height=\"");
  EXPECT_EQ(more_height, 22.0 * static_cast<double>(count(svg, "class=\"heading\"") - 1));
  // A wide matrix has room for more of it.
  const std::vector<std::string> sources(40, "source");
  const std::string wide = nn::heatmap_svg(autograd::zeros({1, 40}), {"t"}, sources, {.title = sentence});
  EXPECT_LT(count(wide, "class=\"heading\""), count(svg, "class=\"heading\""));
  EXPECT_EQ(number_after(wide, "width=\""),
            number_after(nn::heatmap_svg(autograd::zeros({1, 40}), {"t"}, sources), "width=\""));
}

TEST(NnHeatmap, AWordLongerThanALineIsShortened) {
  const std::string svg = nn::heatmap_svg(weights, rows, columns, {.title = std::string(300, 'W') + " and more"});
  EXPECT_LT(number_after(svg, "width=\""), 400.0);
  EXPECT_TRUE(mentions(svg, {"W…</text>", ">and more</text>"}));
}

TEST(NnHeatmap, LabelsCannotBecomeMarkupOrControlTheTerminal) {
  const std::vector<std::string> hostile = {"<script>", "a&b\"", "\x1b[2J\n"};
  const HeatmapOptions options{.title = "</title>\x1b", .row_axis = "<r>", .column_axis = "\n"};
  const std::string svg = nn::heatmap_svg(weights, {"]]>", "\xFF"}, hostile, options);
  EXPECT_TRUE(mentions(svg, {"&lt;script&gt;", "a&amp;b&quot;", "␛[2J␊", "&lt;/title&gt;␛", "&lt;r&gt;"}));
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find('\x1b'), std::string::npos);
  const std::string text = nn::heatmap_text(weights, rows, hostile, options);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(NnHeatmap, NumbersInTheCellsIfWanted) {
  EXPECT_EQ(nn::heatmap_svg(weights, rows, columns).find(">0.75</text>"), std::string::npos);
  EXPECT_TRUE(mentions(nn::heatmap_svg(weights, rows, columns, {.show_values = true}), {">0.75</text>"}));
}

TEST(NnHeatmap, FileHoldsThePicture) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "backstep_heatmap_test.svg";
  nn::write_heatmap_svg(path.string(), weights, rows, columns);
  std::stringstream content;
  content << std::ifstream(path).rdbuf();
  EXPECT_EQ(content.str(), nn::heatmap_svg(weights, rows, columns));
  std::filesystem::remove(path);
}

TEST(NnHeatmap, AFileThatCannotBeWritten) {
  message_of(ErrorId::bad_file, [] { nn::write_heatmap_svg("/nowhere/heatmap.svg", weights, rows, columns); });
}

TEST(NnHeatmap, WrongShapes) {
  const auto text = [](const Tensor& matrix, const std::vector<std::string>& row_names,
                       const std::vector<std::string>& column_names) {
    return message_of(ErrorId::shape_mismatch, [&] { nn::heatmap_text(matrix, row_names, column_names); });
  };
  EXPECT_TRUE(mentions(text(autograd::zeros(3), {"a"}, columns), {"heatmap_text", "[3]", "[targets, sources]"}));
  EXPECT_TRUE(mentions(text(weights, columns, columns), {"3 row labels for the 2 rows of [2, 3]"}));
  EXPECT_TRUE(mentions(text(weights, rows, rows), {"2 column labels for the 3 columns of [2, 3]"}));
  message_of(ErrorId::undefined_tensor, [] { nn::heatmap_svg(Tensor(), {}, {}); });
}

TEST(NnHeatmap, WrongValues) {
  for (const double value : {-0.1, std::nan(""), HUGE_VAL}) {
    const Tensor matrix = autograd::tensor({{0.5, value, 0.5}});
    const std::string message = message_of(ErrorId::bad_argument, [&] { nn::heatmap_svg(matrix, {"x"}, columns); });
    EXPECT_TRUE(mentions(message, {"heatmap_svg", "element [0, 1] is"}));
  }
  for (const double full : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    message_of(ErrorId::bad_argument, [&] { nn::heatmap_text(weights, rows, columns, {.full = full}); });
  }
}

}  // namespace nn_heatmap_test
