// Heatmaps for the terminal.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "autograd/pictures/heatmap.h"
#include "autograd/pictures/heatmap_cells.h"
#include "autograd/text/layout.h"
#include "autograd/text/printable.h"

namespace autograd {
namespace {

constexpr std::size_t page_width = 100;  // columns
constexpr std::size_t narrow_cell = 2;   // columns; about as wide as high

// Viridis (van der Walt and Smith 2015) in colours of xterm: even steps of lightness, also for the colour-blind.
constexpr std::array<int, 9> viridis = {53, 54, 60, 24, 30, 36, 77, 149, 220};

// The one for a share from 0 to 1.
template <class Level, std::size_t count> Level level_of(const std::array<Level, count>& levels, double share) {
  return levels[static_cast<std::size_t>(std::lround(share * static_cast<double>(count - 1)))];
}

// One cell, `width` columns wide.
std::string cell(double share, std::size_t width, HeatmapStyle style) {
  constexpr std::array<std::string_view, 10> ascii = {" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"};
  constexpr std::array<std::string_view, 5> shading = {" ", "░", "▒", "▓", "█"};
  if (style == HeatmapStyle::colours) {
    return fmt::format("\x1b[48;5;{}m{:{}}\x1b[0m", level_of(viridis, share), "", width);
  }
  const std::string_view level = style == HeatmapStyle::ascii ? level_of(ascii, share) : level_of(shading, share);
  std::string text;
  for (std::size_t i = 0; i < width; ++i) text += level;
  return text;
}

// The widths of the columns: those of their labels where a line has room for that, else all narrow.
std::vector<std::size_t> column_widths(const HeatmapCells& cells, std::size_t margin) {
  std::vector<std::size_t> widths;
  std::size_t line = margin;
  for (const std::string& label : cells.column_labels) {
    widths.push_back(std::max(display_width(label) + 1, narrow_cell));
    line += widths.back();
  }
  if (line > page_width) widths.assign(widths.size(), narrow_cell);
  return widths;
}

bool labels_fit(const HeatmapCells& cells, const std::vector<std::size_t>& widths) {
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (display_width(cells.column_labels[i]) >= widths[i]) return false;
  }
  return true;
}

std::string heading_in_one_line(const HeatmapCells& cells, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    line += padded(cells.column_labels[i], widths[i]);
  }
  return line;
}

// Labels written downwards, ending above their columns.
std::vector<std::string> heading_downwards(const HeatmapCells& cells, const std::vector<std::size_t>& widths) {
  std::vector<std::vector<std::string>> labels;
  std::size_t height = 0;
  for (const std::string& label : cells.column_labels) {
    labels.push_back(letters_of(label));
    height = std::max(height, labels.back().size());
  }
  std::vector<std::string> lines(height);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::size_t start = height - labels[i].size();
    for (std::size_t y = 0; y < height; ++y) {
      const std::string letter = y < start ? "" : labels[i][y - start];
      lines[y] += padded(letter, widths[i]);
    }
  }
  return lines;
}

std::string without_blanks_at_end(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string legend(const HeatmapOptions& options) {
  std::string scale;
  for (int step = 0; step <= 4; ++step) scale += cell(step / 4.0, narrow_cell, options.style);
  return fmt::format("0 {} {:g}", scale, options.full);
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value;
}

bool contains(const char* variable, std::string_view part) {
  const char* value = std::getenv(variable);
  return value && std::string_view(value).find(part) != std::string_view::npos;
}

// By the first of the three variables that is set, as the C library does.
bool locale_is_utf8() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (!is_set(variable)) continue;
    return contains(variable, "UTF-8") || contains(variable, "utf8") || contains(variable, "UTF8");
  }
  return false;
}

}  // namespace

HeatmapStyle heatmap_style_for(std::FILE* stream) {
  if (!isatty(fileno(stream))) return HeatmapStyle::shading;
  if (!is_set("NO_COLOR") && contains("TERM", "256color")) return HeatmapStyle::colours;
  return locale_is_utf8() ? HeatmapStyle::shading : HeatmapStyle::ascii;
}

std::string heatmap_text(const Tensor& matrix, const std::vector<std::string>& row_labels,
                         const std::vector<std::string>& column_labels, const HeatmapOptions& options, Where where) {
  const HeatmapCells cells("heatmap_text", matrix, row_labels, column_labels, options, where);
  const std::string corner = printable(options.row_axis) + " \\ " + printable(options.column_axis);
  const std::size_t margin = std::max(display_width(cells.row_labels), display_width(corner)) + 2;
  const std::vector<std::size_t> widths = column_widths(cells, margin);

  std::vector<std::string> heading = {heading_in_one_line(cells, widths)};
  if (!labels_fit(cells, widths)) heading = heading_downwards(cells, widths);

  std::string text = options.title.empty() ? "" : printable(options.title) + "\n\n";
  for (std::size_t y = 0; y < heading.size(); ++y) {
    const std::string left = y + 1 == heading.size() ? corner : "";
    text += without_blanks_at_end(padded_left(left, margin - 2) + "  " + heading[y]) + "\n";
  }
  for (std::size_t row = 0; row < cells.rows.size(); ++row) {
    std::string line = padded_left(cells.row_labels[row], margin - 2) + "  ";
    for (std::size_t column = 0; column < widths.size(); ++column) {
      line += cell(std::min(cells.rows[row][column] / options.full, 1.0), widths[column], options.style);
    }
    text += without_blanks_at_end(line) + "\n";
  }
  return text + std::string(margin, ' ') + legend(options) + "\n";
}

}  // namespace autograd
