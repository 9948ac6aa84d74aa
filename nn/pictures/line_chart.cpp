#include "nn/pictures/line_chart.h"

#include <autograd/gradcheck/svg.h>
#include <autograd/tensor/error.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nn/atomic_file.h"
#include "nn/pictures/chart_axis.h"
#include "nn/pictures/chart_drawing.h"
#include "nn/pictures/display_text.h"

namespace nn {
namespace {

using autograd::svg::escape;

constexpr double margin = 10.0;           // left and right of the lines
constexpr double name_height = 18.0;      // of the names beside the ends of their lines
constexpr double widest_name = 190.0;     // that stands there
constexpr double sample = 24.0;           // before such a name
constexpr std::size_t many_markers = 60;  // points on one line that can be told apart

void check_series(const ChartSeries& series, std::size_t number, Where where) {
  const std::size_t points = series.x.size();
  const auto fits = [points](const std::vector<double>& bars) { return bars.empty() || bars.size() == points; };
  const bool has_both_ends = series.low.empty() == series.high.empty();
  if (series.y.size() == points && fits(series.low) && fits(series.high) && has_both_ends) return;
  autograd::fail(autograd::ErrorId::shape_mismatch, "line_chart_svg", where,
                 fmt::format("series {} (\"{}\") has {} x, {} y, {} low and {} high", number, printable(series.name),
                             points, series.y.size(), series.low.size(), series.high.size()),
                 "give each point an x and a y, and either all points a low and a high or none");
}

// The chart while it is drawn.
struct LineChart {
  std::vector<ChartSeries> series;
  LineChartOptions options;
  ChartAxis x;
  ChartAxis y;
  bool names_at_lines = false;  // else in a legend

  bool is_drawn(const ChartSeries& one, std::size_t point) const {
    return can_be_drawn(one.x[point], options.x_logarithmic) && can_be_drawn(one.y[point], options.y_logarithmic);
  }
  // The drawable points of a series, in order.
  std::vector<std::size_t> points(const ChartSeries& one) const {
    std::vector<std::size_t> drawn;
    for (std::size_t i = 0; i < one.x.size(); ++i) {
      if (is_drawn(one, i)) drawn.push_back(i);
    }
    return drawn;
  }
};

std::vector<double> all_x(const std::vector<ChartSeries>& series) {
  std::vector<double> values;
  for (const ChartSeries& one : series) values.insert(values.end(), one.x.begin(), one.x.end());
  return values;
}

std::vector<double> all_y(const std::vector<ChartSeries>& series) {
  std::vector<double> values;
  for (const ChartSeries& one : series) {
    for (const std::vector<double>& some : {one.y, one.low, one.high}) {
      values.insert(values.end(), some.begin(), some.end());
    }
  }
  return values;
}

// The chart with printable texts. The places of the axes are set later.
LineChart chart_of(const std::vector<ChartSeries>& series, const LineChartOptions& options, Where where) {
  for (std::size_t i = 0; i < series.size(); ++i) check_series(series[i], i, where);
  LineChart chart{
      series, options, ChartAxis(all_x(series), {.logarithmic = options.x_logarithmic, .ticks = 7}, 0, 1),
      ChartAxis(all_y(series),
                {.logarithmic = options.y_logarithmic, .from_zero = options.y_from_zero, .round_ends = true}, 0, 1)};
  for (ChartSeries& one : chart.series) one.name = printable(one.name);
  chart.options.title = printable(options.title);
  chart.options.x_axis = printable(options.x_axis);
  chart.options.y_axis = printable(options.y_axis);
  return chart;
}

// The number of the series, or of the one whose colour and markers it shares.
std::size_t look_of(const LineChart& chart, std::size_t series) {
  return chart.series[series].same_colour_as.value_or(series);
}

std::vector<chart::LegendEntry> legend_of(const LineChart& chart) {
  std::vector<chart::LegendEntry> legend;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const ChartSeries& one = chart.series[i];
    legend.push_back({one.name, look_of(chart, i), one.dashed ? chart::Sample::dashed_line : chart::Sample::line});
  }
  return legend;
}

double widest_name_of(const LineChart& chart) {
  double width = 0.0;
  for (const ChartSeries& one : chart.series) width = std::max(width, chart::text_width(one.name));
  return width;
}

// Is there room for the names beside the lines?
bool names_fit_at_lines(const LineChart& chart) {
  const double height = name_height * static_cast<double>(chart.series.size());
  return height <= chart::plot_height && widest_name_of(chart) <= widest_name;
}

double widest_tick(const ChartAxis& axis) {
  double width = 0.0;
  for (const ChartTick& tick : axis.ticks()) width = std::max(width, chart::text_width(tick.text));
  return width;
}

// ---- the frame -----------------------------------------------------------------------------------------------

struct Plot {
  double left;
  double right;
  double top;
  double bottom;
};

std::string grid(const LineChart& chart, const Plot& plot) {
  std::string svg;
  for (const ChartTick& tick : chart.y.ticks()) {
    const double y = chart.y(tick.value);
    svg += chart::line("grid", plot.left, y, plot.right, y);
    svg += chart::text_at(plot.left - 8.0, y + 5.0, "axis end", tick.text);
  }
  double free_from = -1e9;  // where the next text would not touch the last one
  for (const ChartTick& tick : chart.x.ticks()) {
    const double x = chart.x(tick.value);
    svg += chart::line("base", x, plot.bottom, x, plot.bottom + 5.0);
    const double half = chart::text_width(tick.text) / 2.0;
    if (x - half < free_from) continue;
    svg += chart::text_at(x, plot.bottom + 21.0, "axis middle", tick.text);
    free_from = x + half + 6.0;
  }
  svg += chart::line("base", plot.left, plot.bottom, plot.right, plot.bottom);
  return svg;
}

std::string axis_names(const LineChart& chart, const Plot& plot) {
  const std::string across = chart::shortened(chart.options.x_axis, plot.right - plot.left);
  const std::string upwards = chart::shortened(chart.options.y_axis, plot.right - chart::edge);
  std::string svg;
  if (!across.empty()) svg += chart::text_at((plot.left + plot.right) / 2.0, plot.bottom + 43.0, "axis middle", across);
  if (!upwards.empty()) svg += chart::text_at(chart::edge, plot.top - 14.0, "axis", upwards);
  return svg;
}

// ---- the lines -----------------------------------------------------------------------------------------------

std::string curve(const LineChart& chart, const ChartSeries& one) {
  std::string path;
  bool is_pen_down = false;
  for (std::size_t i = 0; i < one.x.size(); ++i) {
    const bool drawn = chart.is_drawn(one, i);
    if (drawn) path += fmt::format("{}{:.1f} {:.1f}", is_pen_down ? "L" : "M", chart.x(one.x[i]), chart.y(one.y[i]));
    is_pen_down = drawn;
  }
  if (path.empty()) return "";
  return fmt::format("<path class=\"curve{}\" d=\"{}\"/>\n", one.dashed ? " dashed" : "", path);
}

// A point between two gaps, which no line shows.
bool is_alone(const LineChart& chart, const ChartSeries& one, std::size_t point) {
  const bool joined_before = point > 0 && chart.is_drawn(one, point - 1);
  const bool joined_after = point + 1 < one.x.size() && chart.is_drawn(one, point + 1);
  return !joined_before && !joined_after;
}

bool has_markers(const ChartSeries& one) {
  return (one.markers || !one.low.empty()) && one.x.size() <= many_markers;
}

std::string error_bars(const LineChart& chart, const ChartSeries& one) {
  std::string svg;
  for (const std::size_t i : chart.points(one)) {
    if (one.low.empty() || std::isnan(one.low[i]) || std::isnan(one.high[i])) continue;
    svg += chart::error_bar(chart.x(one.x[i]), chart.y(one.low[i]), chart.y(one.high[i]));
  }
  return svg;
}

std::string markers(const LineChart& chart, std::size_t number) {
  const ChartSeries& one = chart.series[number];
  const bool on_all = has_markers(one);
  std::string svg;
  for (const std::size_t i : chart.points(one)) {
    if (!on_all && !is_alone(chart, one, i)) continue;
    svg += fmt::format("<g><title>{}: {} at {}</title>{}</g>\n", escape(one.name), chart::number(one.y[i]),
                       chart::number(one.x[i]),
                       chart::marker(look_of(chart, number), chart.x(one.x[i]), chart.y(one.y[i])));
  }
  return svg;
}

std::string lines(const LineChart& chart) {
  std::string svg;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const ChartSeries& one = chart.series[i];
    svg += fmt::format("<g class=\"{}\"><title>{}</title>\n", chart::css_of(look_of(chart, i)), escape(one.name));
    svg += curve(chart, one) + error_bars(chart, one) + markers(chart, i) + "</g>\n";
  }
  return svg;
}

// ---- names beside the lines ----------------------------------------------------------------------------------

struct LineName {
  std::size_t series;
  double x;  // where the line ends
  double y;
  double at;  // where the name stands, from the upper edge
};

// Moves the names apart by the height of a name, in their order and within the plot.
void spread(std::vector<LineName>& names, const Plot& plot) {
  std::stable_sort(names.begin(), names.end(), [](const LineName& a, const LineName& b) { return a.y < b.y; });
  double least = plot.top;
  for (LineName& name : names) {
    name.at = std::max(name.y, least);
    least = name.at + name_height;
  }
  double most = plot.bottom;
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    name->at = std::min(name->at, most);
    most = name->at - name_height;
  }
}

std::string names_at_lines(const LineChart& chart, const Plot& plot) {
  std::vector<LineName> names;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const ChartSeries& one = chart.series[i];
    const std::vector<std::size_t> drawn = chart.points(one);
    if (one.name.empty()) continue;
    const double bottom = plot.bottom;
    if (drawn.empty()) {
      names.push_back({i, plot.right, bottom, bottom});
    } else {
      names.push_back({i, chart.x(one.x[drawn.back()]), chart.y(one.y[drawn.back()]), 0.0});
    }
  }
  spread(names, plot);
  std::string svg;
  for (const LineName& name : names) {
    const double start = plot.right + 6.0;
    const bool is_beside = name.x > plot.right - margin - 2.0 && std::abs(name.at - name.y) < 4.0;
    if (!is_beside) svg += chart::line("leader", name.x + 5.0, name.y, start - 2.0, name.at);
    const ChartSeries& one = chart.series[name.series];
    const double sample_end = start + sample - 6.0;
    const std::size_t look = look_of(chart, name.series);
    svg += fmt::format("<g class=\"{}\">", chart::css_of(look));
    svg += chart::line(one.dashed ? "curve dashed" : "curve", start, name.at, sample_end, name.at);
    if (has_markers(one)) svg += chart::marker(look, (start + sample_end) / 2.0, name.at);
    svg += chart::text_at(start + sample, name.at + 5.0, "", chart.series[name.series].name) + "</g>\n";
  }
  return svg;
}

// ---- in words ------------------------------------------------------------------------------------------------

std::string description(const LineChart& chart) {
  const auto named = [](const std::string& name, const char* otherwise) { return name.empty() ? otherwise : name; };
  std::string text = fmt::format("A line chart. Across: {}, {} to {}{}. Upwards: {}, {} to {}{}.",
                                 named(chart.options.x_axis, "x"), chart::number(chart.x.low()),
                                 chart::number(chart.x.high()), chart.options.x_logarithmic ? ", logarithmic" : "",
                                 named(chart.options.y_axis, "y"), chart::number(chart.y.low()),
                                 chart::number(chart.y.high()), chart.options.y_logarithmic ? ", logarithmic" : "");
  for (const ChartSeries& one : chart.series) {
    text += fmt::format(" {}: ", named(one.name, "a line"));
    const std::vector<std::size_t> drawn = chart.points(one);
    if (drawn.empty()) {
      text += "no points.";
      continue;
    }
    const auto is_less = [&one](std::size_t a, std::size_t b) { return one.y[a] < one.y[b]; };
    const auto [least, most] = std::minmax_element(drawn.begin(), drawn.end(), is_less);
    const auto point = [&one](std::size_t i) {
      return fmt::format("{} at {}", chart::number(one.y[i]), chart::number(one.x[i]));
    };
    text += fmt::format("{} points, first {}, last {}, least {}, most {}.", drawn.size(), point(drawn.front()),
                        point(drawn.back()), point(*least), point(*most));
  }
  return text;
}

std::string draw(LineChart chart) {
  const bool has_names = widest_name_of(chart) > 0.0;
  const bool at_lines = has_names && names_fit_at_lines(chart);
  const double width = chart::picture_width;
  std::vector<chart::LegendEntry> legend;
  if (has_names && !at_lines) legend = legend_of(chart);
  const chart::Head head = chart::head(chart.options.title, legend, width);

  Plot plot{};
  plot.left = chart::edge + widest_tick(chart.y) + 8.0;
  plot.right = width - chart::edge - (at_lines ? widest_name_of(chart) + sample + 6.0 : 6.0);
  plot.top = head.height + (chart.options.y_axis.empty() ? 6.0 : chart::line_height + 8.0);
  plot.bottom = plot.top + chart::plot_height;
  const double height = plot.bottom + 26.0 + (chart.options.x_axis.empty() ? 0.0 : chart::line_height) + 12.0;
  chart.x = chart.x.moved(plot.left + margin, plot.right - margin);
  chart.y = chart.y.moved(plot.bottom, plot.top);

  std::string content = head.svg + grid(chart, plot) + axis_names(chart, plot) + lines(chart);
  if (at_lines) content += names_at_lines(chart, plot);
  const auto has_points = [&chart](const ChartSeries& one) { return !chart.points(one).empty(); };
  if (std::none_of(chart.series.begin(), chart.series.end(), has_points)) {
    content += chart::text_at((plot.left + plot.right) / 2.0, (plot.top + plot.bottom) / 2.0, "axis middle", "no data");
  }
  const std::string title = chart.options.title.empty() ? "Line chart" : chart.options.title;
  return chart::picture(width, height, title, description(chart), content);
}

}  // namespace

std::string line_chart_svg(const std::vector<ChartSeries>& series, const LineChartOptions& options, Where where) {
  return draw(chart_of(series, options, where));
}

void write_line_chart_svg(const std::string& path, const std::vector<ChartSeries>& series,
                          const LineChartOptions& options, Where where) {
  write_file(path, line_chart_svg(series, options, where), where);
}

}  // namespace nn
