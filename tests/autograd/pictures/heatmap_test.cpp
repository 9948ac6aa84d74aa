#include <autograd/autograd.h>
#include <autograd/pictures/heatmap.h>
#include <nn/attention/heatmap.h>

#include <cmath>

#include "tests/support/expect.h"
#include "tests/support/golden.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/well_formed.h"

namespace heatmap_test {

using autograd::ErrorId;
using autograd::HeatmapOptions;
using autograd::HeatmapStyle;
using autograd::Tensor;
using fixtures::count;
using fixtures::message_of;

using Labels = std::vector<std::string>;

const Tensor weights = autograd::tensor({{1.0, 0.0, 0.0}, {0.0, 0.25, 0.75}});
const Labels rows = {"x", "yz"};
const Labels columns = {"a", "ü", "c"};

std::string drawn(const Tensor& matrix, const Labels& row_labels, const Labels& column_labels,
                  const HeatmapOptions& options = {}) {
  const std::string svg = autograd::heatmap_svg(matrix, row_labels, column_labels, options);
  EXPECT_EQ(fixtures::xml_problem(svg), "");
  return svg;
}

// The number after the first mark.
double number_after(const std::string& svg, const std::string& mark) {
  return std::stod(svg.substr(svg.find(mark) + mark.size()));
}

TEST(Heatmap, TextInShading) {
  EXPECT_EQ(autograd::heatmap_text(weights, rows, columns),
            "target \\ source  a ü c\n"
            "              x  ██\n"
            "             yz    ░░▓▓\n"
            "                 0   ░░▒▒▓▓██ 1\n");
}

TEST(Heatmap, TextInAscii) {
  const HeatmapOptions options{.row_axis = "t", .column_axis = "s", .style = HeatmapStyle::ascii};
  EXPECT_EQ(autograd::heatmap_text(weights, rows, columns, options),
            "t \\ s  a ü c\n"
            "    x  @@\n"
            "   yz    ::##\n"
            "       0   ::++##@@ 1\n");
}

TEST(Heatmap, TextInColours) {
  const std::string text = autograd::heatmap_text(weights, rows, columns, {.style = HeatmapStyle::colours});
  EXPECT_EQ(count(text, "\x1b[48;5;220m  \x1b[0m"), 2U);      // the weight of 1, and in the legend
  EXPECT_EQ(count(text, "\x1b[48;5;53m  \x1b[0m"), 3U + 1U);  // those of 0
}

TEST(Heatmap, TitleStandsAbove) {
  EXPECT_EQ(autograd::heatmap_text(weights, rows, columns, {.title = "Two words"}),
            "Two words\n\n" + autograd::heatmap_text(weights, rows, columns));
}

TEST(Heatmap, WordsStandAboveTheirColumns) {
  EXPECT_EQ(autograd::heatmap_text(weights, rows, {"ein", "Männchen", "."}),
            "target \\ source  ein Männchen .\n"
            "              x  ████\n"
            "             yz      ░░░░░░░░░▓▓\n"
            "                 0   ░░▒▒▓▓██ 1\n");
}

TEST(Heatmap, LongWordsAreWrittenDownwards) {
  const std::string word(40, 'w');
  const std::string text = autograd::heatmap_text(weights, rows, {word, "ab", word});
  EXPECT_EQ(count(text, "\n                 w a w\ntarget \\ source  w b w\n              x  ██\n"), 1U);
}

TEST(Heatmap, FullIsTheStrongestColour) {
  const std::string text = autograd::heatmap_text(autograd::tensor({{0.1, 0.2, 0.4}}), {"x"}, columns, {.full = 0.2});
  EXPECT_EQ(count(text, "x  ▒▒████\n"), 1U);
  EXPECT_EQ(count(text, " 0.2\n"), 1U);
}

TEST(Heatmap, ATransposedViewIsReadByItsShape) {
  EXPECT_EQ(autograd::heatmap_text(weights.t(), columns, rows),
            autograd::heatmap_text(weights.t().clone(), columns, rows));
}

TEST(Heatmap, NothingToDrawIsNoError) {
  EXPECT_EQ(count(autograd::heatmap_text(autograd::zeros({0, 3}), {}, columns), "a ü c\n"), 1U);
  drawn(autograd::zeros({0, 0}), {}, {});
}

TEST(Heatmap, PictureHasTitleDescriptionAndCells) {
  const std::string svg = drawn(weights, rows, columns, {.title = "Weights"});
  for (const char* part : {"<title>Weights</title>", "<title>yz, c: 0.750</title>"}) {
    EXPECT_EQ(count(svg, part), 1U) << part;
  }
  EXPECT_EQ(count(svg, "<g><title>"), 3U);  // nothing is drawn where the weight is 0
}

TEST(Heatmap, ALongTitleTakesMoreLinesAndNoMoreWidth) {
  std::string sentence;
  for (int i = 0; i < 40; ++i) sentence += "word" + std::to_string(i) + " ";
  const std::string svg = drawn(weights, rows, columns, {.title = sentence + "end"});
  EXPECT_LT(number_after(svg, "width=\""), 400.0);
  EXPECT_GT(count(svg, "class=\"heading\""), 5U);
  EXPECT_EQ(count(svg, "end</text>"), 1U);
  const double more_height =
      number_after(svg, "height=\"") - number_after(drawn(weights, rows, columns, {.title = "end"}), "height=\"");
  EXPECT_EQ(more_height, 22.0 * static_cast<double>(count(svg, "class=\"heading\"") - 1));
  // A wide matrix has room for more of it.
  const Labels sources(40, "source");
  const std::string wide = drawn(autograd::zeros({1, 40}), {"t"}, sources, {.title = sentence});
  EXPECT_LT(count(wide, "class=\"heading\""), count(svg, "class=\"heading\""));
  EXPECT_EQ(number_after(wide, "width=\""), number_after(drawn(autograd::zeros({1, 40}), {"t"}, sources), "width=\""));
}

TEST(Heatmap, AWordLongerThanALineIsShortened) {
  const std::string svg = drawn(weights, rows, columns, {.title = std::string(300, 'W') + " and more"});
  EXPECT_LT(number_after(svg, "width=\""), 400.0);
  EXPECT_EQ(count(svg, "W…</text>"), 1U);
  EXPECT_EQ(count(svg, ">and more</text>"), 1U);
}

TEST(Heatmap, LabelsCannotBecomeMarkupOrControlTheTerminal) {
  const Labels hostile = {"<script>", "a&b\"", "\x1b[2J\n"};
  const HeatmapOptions options{.title = "</title>\x1b", .row_axis = "<r>", .column_axis = "\n"};
  EXPECT_EQ(count(drawn(weights, {"]]>", "\xFF"}, hostile, options), "<script"), 0U);
  EXPECT_EQ(count(autograd::heatmap_text(weights, rows, hostile, options), "\x1b"), 0U);
}

TEST(Heatmap, NumbersInTheCellsIfWanted) {
  EXPECT_EQ(count(drawn(weights, rows, columns), ">0.75</text>"), 0U);
  EXPECT_EQ(count(drawn(weights, rows, columns, {.show_values = true}), ">0.75</text>"), 1U);
}

TEST(Heatmap, FileHoldsThePicture) {
  const fixtures::TemporaryFolder folder;
  nn::write_heatmap_svg(folder / "heatmap.svg", weights, rows, columns);
  EXPECT_EQ(fixtures::content_of(folder / "heatmap.svg"), autograd::heatmap_svg(weights, rows, columns));
}

TEST(Heatmap, AFileThatCannotBeWritten) {
  message_of(ErrorId::bad_file, [] { nn::write_heatmap_svg("/nowhere/heatmap.svg", weights, rows, columns); });
}

TEST(Heatmap, SaysWhatItShowsAndWhatItRefuses) {
  const std::string svg = drawn(weights, rows, columns);
  const std::size_t start = svg.find("<desc>") + 6;
  std::vector<std::string> said = {svg.substr(start, svg.find("</desc>") - start)};
  const auto refused = [&said](ErrorId id, const Tensor& matrix, const Labels& row_labels, const Labels& column_labels,
                               const HeatmapOptions& options = {}) {
    const auto draw = [&] { autograd::heatmap_text(matrix, row_labels, column_labels, options); };
    said.push_back(message_of(id, draw));
  };
  refused(ErrorId::shape_mismatch, autograd::zeros(3), {"a"}, columns);
  refused(ErrorId::shape_mismatch, weights, columns, columns);
  refused(ErrorId::shape_mismatch, weights, rows, rows);
  for (const double value : {-0.1, std::nan(""), HUGE_VAL}) {
    refused(ErrorId::bad_argument, autograd::tensor({{0.5, value, 0.5}}), {"x"}, columns);
  }
  for (const double full : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    refused(ErrorId::bad_argument, weights, rows, columns, {.full = full});
  }
  EXPECT_TRUE(fixtures::says("autograd_pictures", said));
  message_of(ErrorId::undefined_tensor, [] { autograd::heatmap_svg(Tensor(), {}, {}); });
}

}  // namespace heatmap_test
