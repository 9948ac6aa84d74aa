#include "autograd/pictures/svg.h"

#include <fmt/core.h>

#include <algorithm>

#include "autograd/text/layout.h"
#include "autograd/text/printable.h"

namespace autograd::svg {
namespace {

constexpr const char* common_style = R"(<style>
  .background { fill: #ffffff }
  text { font: 14px system-ui, sans-serif; fill: #1f2328 }
  .heading { font-size: 17px; font-weight: 600 }
  .axis { fill: #59636e; font-size: 13px }
  .small { font-size: 12px }
  .middle { text-anchor: middle }
  .end { text-anchor: end }
  @media (prefers-color-scheme: dark) {
    .background { fill: #0d1117 }
    text { fill: #e6edf3 }
    .axis { fill: #9198a1 }
  }
)";

std::size_t columns_in(double width) {
  return static_cast<std::size_t>(std::max(0.0, width) / letter);
}

}  // namespace

std::string escape(std::string_view text) {
  return markup(printable(text));
}

double text_width(std::string_view text) {
  return letter * static_cast<double>(display_width(text));
}

std::string shortened(std::string_view text, double width) {
  return autograd::shortened(text, columns_in(width));
}

std::vector<std::string> in_lines(const std::string& text, double width, std::size_t most) {
  const std::size_t columns = columns_in(width);
  std::vector<std::string> lines = autograd::in_lines(text, columns, columns);
  for (; lines.size() > most; lines.pop_back()) lines[lines.size() - 2] += " " + lines.back();
  for (std::string& line : lines) line = autograd::shortened(line, columns);
  return lines;
}

std::string text_at(double x, double y, std::string_view css, std::string_view text) {
  if (text.empty()) return "";
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, css, escape(text));
}

std::string slanted_text_at(double x, double y, double degrees, std::string_view css, std::string_view text) {
  return fmt::format("<text class=\"{}\" transform=\"translate({:.1f} {:.1f}) rotate({})\">{}</text>\n", css, x, y,
                     degrees, escape(text));
}

std::string line(std::string_view css, double x1, double y1, double x2, double y2) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", css, x1, y1, x2,
                     y2);
}

std::string rectangle(std::string_view css, double x, double y, double width, double height, std::string_view more) {
  return fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"{}/>\n", css, x, y,
                     width, height, more);
}

std::string heading(const std::vector<std::string>& lines) {
  std::string svg;
  double y = edge + 16.0;
  for (const std::string& text : lines) {
    svg += text_at(edge, y, "heading", text);
    y += line_height;
  }
  return svg;
}

std::string picture(const Frame& frame, std::string_view title, std::string_view description, std::string_view style,
                    std::string_view content) {
  const auto [left, top, width, height] = frame;
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{0:.0f} {1:.0f} {2:.0f} {3:.0f}\" width=\"{2:.0f}\" "
             "height=\"{3:.0f}\" role=\"img\">\n<title>{4}</title>\n<desc>{5}</desc>\n",
             left, top, width, height, escape(title), escape(description)) +
         fmt::format("{}{}</style>\n", common_style, style) + rectangle("background", left, top, width, height) +
         std::string(content) + "</svg>\n";
}

}  // namespace autograd::svg
