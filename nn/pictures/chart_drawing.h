// The parts that charts (line_chart.h, bar_chart.h) are drawn with: texts, colours, markers, the legend, and the frame
// around them. Private to nn.
#pragma once

#include <autograd/tensor/where.h>

#include <string>
#include <string_view>
#include <vector>

namespace nn::chart {

// In pixels.
constexpr double edge = 20.0;         // around everything
constexpr double line_height = 22.0;  // of texts
constexpr double letter = 7.4;        // about the width of one
constexpr double title_letter = 9.4;  // in titles
constexpr double picture_width = 760.0;
constexpr double plot_height = 300.0;

// About the width of a text; it is printable (display_text.h), as all texts below.
double text_width(std::string_view text);
// As much of the text as has room, with an ellipsis if that is not all.
std::string shortened(const std::string& text, double width);
// The text in at most `most` lines, broken at blanks; a word that is longer than a line is shortened.
std::vector<std::string> in_lines(const std::string& text, double width, std::size_t most = 3);
// A few digits, for reading: "38.6", "0.0031".
std::string number(double value);

std::string text_at(double x, double y, std::string_view css, std::string_view text);
std::string line(std::string_view css, double x1, double y1, double x2, double y2);
// The class that gives a series its colour, and its dashes if it is not one of the first eight.
std::string css_of(std::size_t series);
// A circle, a square, a triangle or a diamond, in the series' colour where it is in a group of that class.
std::string marker(std::size_t series, double x, double y);
// A vertical bar with caps, from low to high in pixels.
std::string error_bar(double x, double low, double high);

// A title in as many lines as it takes, its baselines `line_height` apart. Its words are no wider than `width`.
std::vector<std::string> title_lines(const std::string& title, double width, std::size_t most = 3);

// Everything above the plot: the title, and the names of the series if they stand there.
struct Head {
  std::string svg;
  double height;  // from the upper edge of the picture
};
enum class Sample { line, dashed_line, area };  // what stands before a name
struct LegendEntry {
  std::string name;
  std::size_t series;  // whose colour it has
  Sample sample;
};
Head head(const std::string& title, const std::vector<LegendEntry>& legend, double width);

// The picture around `content`. title and description are for those who cannot see it.
std::string picture(double width, double height, const std::string& title, const std::string& description,
                    const std::string& content);

}  // namespace nn::chart
