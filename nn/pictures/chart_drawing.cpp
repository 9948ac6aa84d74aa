#include "nn/pictures/chart_drawing.h"

#include <autograd/gradcheck/svg.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "nn/pictures/display_text.h"

namespace nn::chart {
namespace {

using autograd::svg::escape;

// The first three colours are Okabe and Ito's (2008), the others chosen so that the distance between any two stays
// large for the three kinds of colour-blindness (simulated as Machado et al. 2009 do), and each has a contrast of 3 or
// more to the background. Markers and names differ as well. Names have the colour of all text, with a sample next to
// them.
constexpr const char* style = R"(<style>
  .background { fill: #ffffff }
  text { font: 14px system-ui, sans-serif; fill: #1f2328 }
  .heading { font-size: 17px; font-weight: 600 }
  .axis { fill: #59636e; font-size: 13px }
  .value { font-size: 12px }
  .middle { text-anchor: middle }
  .end { text-anchor: end }
  .grid { stroke: #e4e8ec; stroke-width: 1 }
  .base { stroke: #818b98; stroke-width: 1 }
  .leader { stroke: #b6bec7; stroke-width: 1; stroke-dasharray: 2 3 }
  .error { stroke: #1f2328; stroke-width: 1.2; stroke-dasharray: none; fill: none }
  .curve { stroke: currentColor; stroke-width: 2.2; stroke-linejoin: round; stroke-linecap: round; fill: none }
  .dashed { stroke-dasharray: 7 5 }
  .area { fill: currentColor }
  .marker { fill: currentColor; stroke: #ffffff; stroke-width: 1; stroke-dasharray: none }
  .c0 { color: #0072b2 } .c1 { color: #d55e00 } .c2 { color: #009e73 } .c3 { color: #7b2fbe }
  .c4 { color: #6b2d0e } .c5 { color: #4a4a4a } .c6 { color: #c26fd6 } .c7 { color: #16249c }
  @media (prefers-color-scheme: dark) {
    .background { fill: #0d1117 }
    text { fill: #e6edf3 }
    .axis { fill: #9198a1 }
    .grid { stroke: #21262d }
    .base { stroke: #656c76 }
    .leader { stroke: #484f58 }
    .error { stroke: #e6edf3 }
    .marker { stroke: #0d1117 }
    .c0 { color: #58a6ff } .c1 { color: #ff8c42 } .c2 { color: #3fc79a } .c3 { color: #fff07a }
    .c4 { color: #c9e6ff } .c5 { color: #ff4d7e } .c6 { color: #9a7fd1 } .c7 { color: #8d9aa8 }
  }
</style>
)";
constexpr std::size_t colours = 8;

constexpr double sample_width = 22.0;

std::string joined(const std::vector<std::string>& letters, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += letters[i];
  return text;
}

std::string sample_of(const LegendEntry& entry, double x, double y) {
  if (entry.sample == Sample::area) {
    return fmt::format(R"(<rect class="area" x="{:.1f}" y="{:.1f}" width="14" height="12"/>)", x + 2.0, y - 10.5);
  }
  const bool is_dashed =
      entry.sample == Sample::dashed_line || css_of(entry.series).find("dashed") != std::string::npos;
  return line(is_dashed ? "curve dashed" : "curve", x, y - 5.0, x + sample_width - 4.0, y - 5.0);
}

}  // namespace

double text_width(std::string_view text) {
  return letter * static_cast<double>(display_width(text));
}

std::string shortened(const std::string& text, double width) {
  if (text_width(text) <= width) return text;
  const std::vector<std::string> letters = characters(text);
  std::size_t count = letters.size();
  while (count > 0 && text_width(joined(letters, count)) + letter > width) --count;
  return joined(letters, count) + "…";
}

std::vector<std::string> in_lines(const std::string& text, double width, std::size_t most) {
  std::vector<std::string> lines;
  std::string rest = text;
  while (lines.size() + 1 < most && text_width(rest) > width) {
    std::size_t end = rest.find(' ');  // of the line: the last blank that is not too far, or that of a long first word
    for (std::size_t i = end; i != std::string::npos && text_width(rest.substr(0, i)) <= width;) {
      end = i;
      i = rest.find(' ', i + 1);
    }
    if (end == std::string::npos) break;
    lines.push_back(shortened(rest.substr(0, end), width));
    rest.erase(0, end + 1);
  }
  lines.push_back(shortened(rest, width));
  return lines;
}

std::vector<std::string> title_lines(const std::string& title, double width, std::size_t most) {
  return in_lines(title, width * letter / title_letter, most);  // in_lines measures in letters of ordinary text
}

std::string number(double value) {
  return fmt::format("{:.4g}", value);
}

std::string text_at(double x, double y, std::string_view css, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, css, escape(text));
}

std::string line(std::string_view css, double x1, double y1, double x2, double y2) {
  return fmt::format(R"(<line class="{}" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>)", css, x1, y1, x2, y2) +
         "\n";
}

std::string css_of(std::size_t series) {
  const bool is_repeated = series / colours % 2 == 1;
  return fmt::format("c{}{}", series % colours, is_repeated ? " dashed" : "");
}

std::string marker(std::size_t series, double x, double y) {
  constexpr std::array<const char*, 4> shapes = {"M-4.5,0a4.5,4.5 0 1,0 9,0a4.5,4.5 0 1,0 -9,0z", "M-4,-4h8v8h-8z",
                                                 "M0,-5.5l5.5,9.5h-11z", "M0,-5.5l5.5,5.5l-5.5,5.5l-5.5,-5.5z"};
  return fmt::format(R"svg(<path class="marker" d="{}" transform="translate({:.1f} {:.1f})"/>)svg",
                     shapes[series % shapes.size()], x, y);
}

std::string error_bar(double x, double low, double high) {
  return fmt::format(
             R"(<path class="error" d="M{0:.1f} {1:.1f}V{2:.1f}M{3:.1f} {1:.1f}H{4:.1f}M{3:.1f} {2:.1f}H{4:.1f}"/>)", x,
             low, high, x - 4.0, x + 4.0) +
         "\n";
}

Head head(const std::string& title, const std::vector<LegendEntry>& legend, double width) {
  Head made{.svg = "", .height = edge};
  if (!title.empty()) {
    for (const std::string& text : title_lines(title, width - 2.0 * edge)) {
      made.svg += text_at(edge, made.height + 16.0, "heading", text);
      made.height += line_height;
    }
    made.height += 8.0;
  }
  double x = edge;
  for (const LegendEntry& entry : legend) {
    const std::string name = shortened(entry.name, width - 2.0 * edge - sample_width);
    const double end = x + sample_width + text_width(name);
    if (x > edge && end > width - edge) {
      x = edge;
      made.height += line_height;
    }
    made.svg += fmt::format("<g class=\"{}\"><title>{}</title>", css_of(entry.series), escape(entry.name));
    made.svg += sample_of(entry, x, made.height + 14.0);
    made.svg += text_at(x + sample_width, made.height + 14.0, "", name) + "</g>\n";
    x += sample_width + text_width(name) + 20.0;
  }
  if (!legend.empty()) made.height += line_height + 6.0;
  return made;
}

std::string picture(double width, double height, const std::string& title, const std::string& description,
                    const std::string& content) {
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" role=\"img\">\n",
      width, height);
  svg += fmt::format("<title>{}</title>\n<desc>{}</desc>\n", escape(title), escape(description));
  svg += style;
  svg += fmt::format("<rect class=\"background\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", width, height);
  return svg + content + "</svg>\n";
}

}  // namespace nn::chart
