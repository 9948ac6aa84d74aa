// Heatmaps as SVG pictures.
#include <fmt/core.h>

#include <algorithm>

#include "autograd/pictures/heatmap.h"
#include "autograd/pictures/heatmap_cells.h"
#include "autograd/pictures/svg.h"
#include "autograd/text/layout.h"
#include "autograd/text/printable.h"

namespace autograd {
namespace {

using svg::edge;
using svg::line_height;

// In pixels.
constexpr double cell_size = 28.0;
constexpr double letter = 8.0;  // about the width of one
constexpr double gap = 8.0;     // between labels and cells
constexpr double scale_width = 12.0;
constexpr double least_title = 340.0;       // the width that a title may have beside a small matrix
constexpr double label_slope = 0.75;        // of slanted labels: a little more than the sine of 45 degrees
constexpr std::size_t upright_letters = 2;  // labels up to here are not slanted

// The strength of a cell is the opacity of one colour, so that "nothing" is the background in light and in dark.
constexpr const char* heatmap_style = R"(  .ground { fill: #f3f5f8 }
  .weight { fill: #0b4f9e; shape-rendering: crispEdges }
  .lines { stroke: #ffffff; stroke-width: 1.5; fill: none }
  .frame { stroke: #d0d7de; fill: none }
  .value { font-size: 11.5px; text-anchor: middle }
  .on-strong { fill: #ffffff }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #161b22 }
    .weight { fill: #6cb6ff }
    .lines { stroke: #0d1117 }
    .frame { stroke: #30363d }
    .on-strong { fill: #0d1117 }
  }
)";

// The places of all parts of the picture.
struct HeatmapLayout {
  std::vector<std::string> title;  // its lines
  double heading_height;           // that they take
  bool slanted;                    // the labels of the columns
  double left;                     // of the cells
  double top;                      // of the cells
  double right;                    // of the cells
  double bottom;                   // of the cells
  double width;                    // of the picture
  double height;                   // of the picture
};

// With some room to spare, because the letters of a short label may all be wide.
double label_length(std::size_t columns) {
  return letter * static_cast<double>(columns) + 6.0;
}

// How far the last slanted label reaches beyond the cells.
double overhang(const HeatmapCells& cells) {
  double furthest = 0.0;
  const std::size_t count = cells.column_labels.size();
  for (std::size_t i = 0; i < count; ++i) {
    const double end = label_slope * label_length(display_width(cells.column_labels[i])) + cell_size / 2;
    furthest = std::max(furthest, end - cell_size * static_cast<double>(count - i));
  }
  return furthest;
}

// The matrix decides how wide the picture is; a long title, such as a sentence, takes more lines.
void place_title(const std::string& title, HeatmapLayout& at) {
  const double room = std::max(at.width - 2.0 * edge, least_title);
  at.title = svg::in_lines(title, room * svg::letter / svg::title_letter, std::string::npos);
  at.heading_height = line_height * static_cast<double>(at.title.size()) + 12.0;
  for (const std::string& line : at.title) {
    at.width = std::max(at.width, 2.0 * edge + svg::title_letter * static_cast<double>(display_width(line)));
  }
}

HeatmapLayout lay_out(const HeatmapCells& cells, const HeatmapOptions& options) {
  HeatmapLayout at{};
  const std::size_t widest_column = display_width(cells.column_labels);
  at.slanted = widest_column > upright_letters;
  const double label_height = at.slanted ? label_slope * label_length(widest_column) + line_height : line_height;
  at.left = edge + line_height + label_length(display_width(cells.row_labels)) + gap;
  at.right = at.left + cell_size * static_cast<double>(cells.column_labels.size());
  const double scale_end = at.right + edge + scale_width + gap + label_length(4);
  const double matrix_end = std::max(scale_end, at.right + (at.slanted ? overhang(cells) : 0.0));
  at.width = matrix_end + edge;
  if (!options.title.empty()) place_title(printable(options.title), at);

  at.top = edge + at.heading_height + line_height + label_height;
  at.bottom = at.top + cell_size * static_cast<double>(cells.rows.size());
  at.height = at.bottom + edge;
  return at;
}

std::string headings(const HeatmapOptions& options, const HeatmapLayout& at) {
  const double below_title = edge + at.heading_height + 14.0;
  return svg::heading(at.title) +
         svg::text_at((at.left + at.right) / 2, below_title, "axis middle", options.column_axis) +
         svg::slanted_text_at(edge + 12.0, (at.top + at.bottom) / 2, -90.0, "axis middle", options.row_axis);
}

std::string labels(const HeatmapCells& cells, const HeatmapLayout& at) {
  std::string svg;
  for (std::size_t row = 0; row < cells.rows.size(); ++row) {
    const double middle = at.top + cell_size * (static_cast<double>(row) + 0.5);
    svg += svg::text_at(at.left - gap, middle + 5.0, "end", cells.row_labels[row]);
  }
  for (std::size_t column = 0; column < cells.column_labels.size(); ++column) {
    const double middle = at.left + cell_size * (static_cast<double>(column) + 0.5);
    if (!at.slanted) {
      svg += svg::text_at(middle, at.top - gap, "middle", cells.column_labels[column]);
      continue;
    }
    svg += svg::slanted_text_at(middle + 3.0, at.top - gap, -45.0, "", cells.column_labels[column]);
  }
  return svg;
}

std::string opacity(double share) {
  return fmt::format(" fill-opacity=\"{:.3f}\"", share);
}

std::string one_cell(const HeatmapCells& cells, std::size_t row, std::size_t column, const HeatmapOptions& options,
                     const HeatmapLayout& at) {
  constexpr double invisible = 0.005;
  constexpr double strong = 0.55;
  const double value = cells.rows[row][column];
  const double share = std::min(value / options.full, 1.0);
  if (share < invisible) return "";
  const double x = at.left + cell_size * static_cast<double>(column);
  const double y = at.top + cell_size * static_cast<double>(row);
  std::string svg = fmt::format("<g><title>{}, {}: {:.3f}</title>", svg::escape(cells.row_labels[row]),
                                svg::escape(cells.column_labels[column]), value);
  svg += svg::rectangle("weight", x, y, cell_size, cell_size, opacity(share)) + "</g>\n";
  if (options.show_values) {
    svg += svg::text_at(x + cell_size / 2, y + cell_size / 2 + 3.5, share > strong ? "value on-strong" : "value",
                        fmt::format("{:.2f}", value));
  }
  return svg;
}

// The thin lines between the cells.
std::string lines(const HeatmapCells& cells, const HeatmapLayout& at) {
  std::string path;
  for (std::size_t row = 1; row < cells.rows.size(); ++row) {
    path += fmt::format("M{:.1f} {:.1f}H{:.1f}", at.left, at.top + cell_size * static_cast<double>(row), at.right);
  }
  for (std::size_t column = 1; column < cells.column_labels.size(); ++column) {
    path += fmt::format("M{:.1f} {:.1f}V{:.1f}", at.left + cell_size * static_cast<double>(column), at.top, at.bottom);
  }
  return fmt::format("<path class=\"lines\" d=\"{}\"/>\n", path);
}

std::string matrix_of(const HeatmapCells& cells, const HeatmapOptions& options, const HeatmapLayout& at) {
  const double width = at.right - at.left;
  const double height = at.bottom - at.top;
  std::string svg = svg::rectangle("ground", at.left, at.top, width, height);
  for (std::size_t row = 0; row < cells.rows.size(); ++row) {
    for (std::size_t column = 0; column < cells.column_labels.size(); ++column) {
      svg += one_cell(cells, row, column, options, at);
    }
  }
  return svg + lines(cells, at) + svg::rectangle("frame", at.left, at.top, width, height);
}

// The scale of shades at the side of the matrix.
std::string scale(const HeatmapOptions& options, const HeatmapLayout& at) {
  constexpr int steps = 28;  // whole pixels each
  const double x = at.right + edge;
  const double height = std::min(at.bottom - at.top, 6.0 * cell_size);
  std::string svg = svg::rectangle("ground", x, at.top, scale_width, height);
  for (int step = 0; step < steps; ++step) {
    svg += svg::rectangle("weight", x, at.top + height * (steps - 1 - step) / steps, scale_width, height / steps,
                          opacity((step + 0.5) / steps));
  }
  svg += svg::rectangle("frame", x, at.top, scale_width, height);
  svg += svg::text_at(x + scale_width + gap, at.top + 10.0, "small", fmt::format("{:g}", options.full));
  return svg + svg::text_at(x + scale_width + gap, at.top + height, "small", "0");
}

// Describes the picture in words, for readers who cannot see it.
std::string description(const HeatmapCells& cells, const HeatmapOptions& options) {
  std::string text = fmt::format("A heatmap with {} rows ({}) and {} columns ({}).", cells.rows.size(),
                                 options.row_axis, cells.column_labels.size(), options.column_axis);
  for (std::size_t row = 0; row < cells.rows.size(); ++row) {
    const std::vector<double>& values = cells.rows[row];
    if (values.empty()) continue;
    const auto largest = std::max_element(values.begin(), values.end());
    text += fmt::format(" \"{}\": most at \"{}\" ({:.2f}).", cells.row_labels[row],
                        cells.column_labels[static_cast<std::size_t>(largest - values.begin())], *largest);
  }
  return text;
}

std::string draw(const HeatmapCells& cells, const HeatmapOptions& options) {
  const HeatmapLayout at = lay_out(cells, options);
  const std::string content =
      headings(options, at) + labels(cells, at) + matrix_of(cells, options, at) + scale(options, at);
  return svg::picture({0.0, 0.0, at.width, at.height}, options.title.empty() ? "Attention weights" : options.title,
                      description(cells, options), heatmap_style, content);
}

}  // namespace

std::string heatmap_svg(const Tensor& matrix, const std::vector<std::string>& row_labels,
                        const std::vector<std::string>& column_labels, const HeatmapOptions& options, Where where) {
  return draw(HeatmapCells("heatmap_svg", matrix, row_labels, column_labels, options, where), options);
}

}  // namespace autograd
