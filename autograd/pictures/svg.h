// What pictures are drawn with: texts, lines, and the frame around them, as SVG. Lengths are in pixels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace autograd::svg {

constexpr double edge = 20.0;         // around everything
constexpr double line_height = 22.0;  // of texts
constexpr double letter = 7.4;        // about the width of one
constexpr double title_letter = 9.4;  // in titles

// A text of one line or an attribute's value, printable and without a character that is read as markup.
std::string escape(std::string_view text);

double text_width(std::string_view text);
// As much of the text as has room, with an ellipsis if that is not all.
std::string shortened(std::string_view text, double width);
// The text in at most `most` lines, broken at blanks; a word that is longer than a line is shortened.
std::vector<std::string> in_lines(const std::string& text, double width, std::size_t most = 3);

std::string text_at(double x, double y, std::string_view css, std::string_view text);
std::string slanted_text_at(double x, double y, double degrees, std::string_view css, std::string_view text);
std::string line(std::string_view css, double x1, double y1, double x2, double y2);
std::string rectangle(std::string_view css, double x, double y, double width, double height,
                      std::string_view more = "");

// Lines of a title, below the upper edge of the picture.
std::string heading(const std::vector<std::string>& lines);

// The whole picture. It follows the reader's choice of light or dark; title and description are for those who cannot
// see it. `style` is what its own classes look like.
struct Frame {
  double left, top, width, height;
};
std::string picture(const Frame& frame, std::string_view title, std::string_view description, std::string_view style,
                    std::string_view content);

}  // namespace autograd::svg
