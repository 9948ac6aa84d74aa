#include "nn/pictures/bar_chart.h"

#include <autograd/gradcheck/svg.h>
#include <autograd/tensor/error.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "nn/atomic_file.h"
#include "nn/pictures/chart_axis.h"
#include "nn/pictures/chart_drawing.h"
#include "nn/pictures/display_text.h"

namespace nn {
namespace {

using autograd::svg::escape;

// In pixels.
constexpr double least_bar = 14.0;
constexpr double widest_bar = 64.0;
constexpr double gap_share = 0.3;      // of a category's width, between the groups of bars
constexpr double longest_label = 180;  // of a category whose name is slanted
constexpr double name_slope = 0.64;    // sine of the 40 degrees of slanted names
constexpr double value_size = 0.9;     // of the numbers at the bars, beside that of other texts

void check_series(const BarSeries& series, std::size_t categories, Where where) {
  const auto fits = [categories](const std::vector<double>& bars) { return bars.empty() || bars.size() == categories; };
  const bool has_both_ends = series.low.empty() == series.high.empty();
  if (series.values.size() == categories && fits(series.low) && fits(series.high) && has_both_ends) return;
  autograd::fail(autograd::ErrorId::shape_mismatch, "bar_chart_svg", where,
                 fmt::format("\"{}\" has {} values, {} low and {} high for {} categories", printable(series.name),
                             series.values.size(), series.low.size(), series.high.size(), categories),
                 "give one value per category (NaN where there is none), and one low and high each or none");
}

// The chart while it is drawn.
struct BarChart {
  std::vector<std::string> categories;
  std::vector<BarSeries> series;
  BarChartOptions options;
  ChartAxis y;
};

std::vector<double> all_values(const std::vector<BarSeries>& series) {
  std::vector<double> values;
  for (const BarSeries& one : series) {
    for (const std::vector<double>& some : {one.values, one.low, one.high}) {
      values.insert(values.end(), some.begin(), some.end());
    }
  }
  return values;
}

// The chart with printable texts. The place of the axis is set later.
BarChart chart_of(const std::vector<std::string>& categories, const std::vector<BarSeries>& series,
                  const BarChartOptions& options, Where where) {
  for (const BarSeries& one : series) check_series(one, categories.size(), where);
  BarChart chart{categories, series, options,
                 ChartAxis(all_values(series), {.from_zero = true, .round_ends = true}, 0, 1)};
  for (std::string& category : chart.categories) category = printable(category);
  for (BarSeries& one : chart.series) one.name = printable(one.name);
  chart.options.title = printable(options.title);
  chart.options.category_axis = printable(options.category_axis);
  chart.options.value_axis = printable(options.value_axis);
  return chart;
}

struct BarLayout {
  double left;
  double right;
  double top;
  double bottom;
  double category;     // the width of one
  double bar;          // the width of one
  bool slanted;        // the names of the categories
  double names_below;  // the height that these take
  double width;
  double height;
};

double widest_category(const BarChart& chart) {
  double width = 0.0;
  for (const std::string& category : chart.categories) width = std::max(width, chart::text_width(category));
  return std::min(width, longest_label);
}

double count(std::size_t number) {
  return static_cast<double>(std::max<std::size_t>(number, 1));
}

// The picture is as wide as others, or wider if the bars need it.
BarLayout lay_out(const BarChart& chart) {
  double widest_tick = 0.0;
  for (const ChartTick& tick : chart.y.ticks()) widest_tick = std::max(widest_tick, chart::text_width(tick.text));
  BarLayout at{};
  at.left = chart::edge + widest_tick + 8.0;
  const double least_category = least_bar * count(chart.series.size()) / (1.0 - gap_share);
  const double usual_category = (chart::picture_width - at.left - chart::edge) / count(chart.categories.size());
  at.category = std::max(least_category, usual_category);
  at.bar = std::min(at.category * (1.0 - gap_share) / count(chart.series.size()), widest_bar);
  at.right = at.left + at.category * count(chart.categories.size());
  at.width = at.right + chart::edge;
  const double room = chart::picture_width > at.category ? at.category - 8.0 : chart::picture_width;
  at.slanted = widest_category(chart) > room;
  at.names_below = at.slanted ? name_slope * widest_category(chart) + 24.0 : 26.0;
  return at;
}

// How many decimals the numbers at the bars have: all the same where that is readable, such as "100.0" beside "8.6"; -1
// for three digits each.
int decimals_of_values(const BarChart& chart) {
  double largest = 0.0;
  bool are_whole = true;
  for (const BarSeries& one : chart.series) {
    for (const double value : one.values) {
      if (!can_be_drawn(value)) continue;
      largest = std::max(largest, std::abs(value));
      are_whole = are_whole && value == std::floor(value);
    }
  }
  if (largest >= 999.5 || largest < 0.1) return -1;
  if (are_whole) return 0;
  return largest >= 9.95 ? 1 : 2;
}

// The text of a value, with the same minus sign as on the axis.
std::string value_text(double value, int decimals) {
  const double size = std::abs(value);
  std::string text = decimals >= 0 ? fmt::format("{:.{}f}", size, decimals) : fmt::format("{:.3g}", size);
  if (size >= 999.5 && size < 1e5) text = fmt::format("{:.0f}", size);
  return (value < 0.0 ? "−" : "") + text;
}

bool values_fit(const BarChart& chart, const BarLayout& at) {
  const int decimals = decimals_of_values(chart);
  double widest = 0.0;
  for (const BarSeries& one : chart.series) {
    for (const double value : one.values) {
      if (can_be_drawn(value)) widest = std::max(widest, chart::text_width(value_text(value, decimals)));
    }
  }
  return widest * value_size <= at.bar + 1.0;
}

// ---- drawing -------------------------------------------------------------------------------------------------

std::string grid(const BarChart& chart, const BarLayout& at) {
  std::string svg;
  for (const ChartTick& tick : chart.y.ticks()) {
    const double y = chart.y(tick.value);
    svg += chart::line("grid", at.left, y, at.right, y);
    svg += chart::text_at(at.left - 8.0, y + 5.0, "axis end", tick.text);
  }
  return svg;
}

std::string category_names(const BarChart& chart, const BarLayout& at) {
  std::string svg;
  for (std::size_t i = 0; i < chart.categories.size(); ++i) {
    const double middle = at.left + at.category * (static_cast<double>(i) + 0.5);
    const std::string name = chart::shortened(chart.categories[i], longest_label);
    if (!at.slanted) {
      svg += chart::text_at(middle, at.bottom + 21.0, "middle", name);
      continue;
    }
    svg += fmt::format("<text class=\"end\" transform=\"translate({:.1f} {:.1f}) rotate(-40)\">{}</text>\n",
                       middle + 5.0, at.bottom + 16.0, escape(name));
  }
  return svg;
}

std::string axis_names(const BarChart& chart, const BarLayout& at) {
  const std::string across = chart::shortened(chart.options.category_axis, at.right - at.left);
  const std::string upwards = chart::shortened(chart.options.value_axis, at.right - chart::edge);
  std::string svg;
  if (!across.empty()) {
    svg += chart::text_at((at.left + at.right) / 2.0, at.bottom + at.names_below + 17.0, "axis middle", across);
  }
  if (!upwards.empty()) svg += chart::text_at(chart::edge, at.top - 16.0, "axis", upwards);
  return svg;
}

std::string one_bar(const BarChart& chart, std::size_t number, std::size_t category, const BarLayout& at,
                    std::optional<int> value_decimals) {
  const BarSeries& one = chart.series[number];
  const double value = one.values[category];
  if (!can_be_drawn(value)) return "";
  const double group = at.bar * count(chart.series.size());
  const double middle = at.left + at.category * (static_cast<double>(category) + 0.5);
  const double x = middle - group / 2.0 + at.bar * static_cast<double>(number);
  const double zero = chart.y(0.0);
  const double end = chart.y(value);
  const double between = std::min(2.0, at.bar * 0.1);
  std::string svg = fmt::format(
      "<rect class=\"area\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>{}, {}: "
      "{}</title></rect>\n",
      x + between / 2.0, std::min(zero, end), at.bar - between, std::abs(zero - end),
      escape(chart.categories[category]), escape(one.name), chart::number(value));

  double highest = std::min(zero, end);  // of bar and error bar, from the upper edge
  double lowest = std::max(zero, end);
  if (!one.low.empty() && !std::isnan(one.low[category]) && !std::isnan(one.high[category])) {
    const double low = chart.y(one.low[category]);
    const double high = chart.y(one.high[category]);
    svg += chart::error_bar(x + at.bar / 2.0, low, high);
    highest = std::min(highest, high);
    lowest = std::max(lowest, low);
  }
  if (value_decimals) {
    const double y = value < 0.0 ? lowest + 14.0 : highest - 5.0;
    svg += chart::text_at(x + at.bar / 2.0, y, "value middle", value_text(value, *value_decimals));
  }
  return svg;
}

std::string bars(const BarChart& chart, const BarLayout& at) {
  std::optional<int> value_decimals;  // none: no numbers at the bars
  if (chart.options.show_values && values_fit(chart, at)) value_decimals = decimals_of_values(chart);
  std::string svg;
  for (std::size_t number = 0; number < chart.series.size(); ++number) {
    svg += fmt::format("<g class=\"{}\">\n", chart::css_of(number));
    for (std::size_t category = 0; category < chart.categories.size(); ++category) {
      svg += one_bar(chart, number, category, at, value_decimals);
    }
    svg += "</g>\n";
  }
  return svg;
}

// ---- in words ------------------------------------------------------------------------------------------------

std::string description(const BarChart& chart) {
  std::string text = fmt::format("A bar chart of {} categories", chart.categories.size());
  if (!chart.options.category_axis.empty()) text += fmt::format(" ({})", chart.options.category_axis);
  if (!chart.options.value_axis.empty()) text += fmt::format(", showing {}", chart.options.value_axis);
  text += ".";
  for (std::size_t category = 0; category < chart.categories.size(); ++category) {
    text += fmt::format(" {}:", chart.categories[category]);
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
      const double value = chart.series[i].values[category];
      const std::string found = can_be_drawn(value) ? chart::number(value) : "none";
      text += fmt::format("{}{}{}{}", i == 0 ? " " : ", ", chart.series[i].name,
                          chart.series[i].name.empty() ? "" : " ", found);
    }
    text += ".";
  }
  return text;
}

// Empty if no series has a name.
std::vector<chart::LegendEntry> legend_of(const BarChart& chart) {
  std::vector<chart::LegendEntry> legend;
  bool has_names = false;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    legend.push_back({chart.series[i].name, i, chart::Sample::area});
    has_names = has_names || !chart.series[i].name.empty();
  }
  return has_names ? legend : std::vector<chart::LegendEntry>{};
}

std::string draw(BarChart chart) {
  BarLayout at = lay_out(chart);
  const chart::Head head = chart::head(chart.options.title, legend_of(chart), at.width);
  at.top = head.height + (chart.options.value_axis.empty() ? 10.0 : chart::line_height + 14.0);
  at.bottom = at.top + chart::plot_height;
  at.height = at.bottom + at.names_below + (chart.options.category_axis.empty() ? 0.0 : chart::line_height) + 12.0;
  chart.y = chart.y.moved(at.bottom, at.top);

  std::string content = head.svg + grid(chart, at) + bars(chart, at);
  content += chart::line("base", at.left, chart.y(0.0), at.right, chart.y(0.0));
  content += category_names(chart, at) + axis_names(chart, at);
  const std::vector<double> values = all_values(chart.series);
  if (std::none_of(values.begin(), values.end(), [](double value) { return can_be_drawn(value); })) {
    content += chart::text_at((at.left + at.right) / 2.0, (at.top + at.bottom) / 2.0, "axis middle", "no data");
  }
  const std::string title = chart.options.title.empty() ? "Bar chart" : chart.options.title;
  return chart::picture(at.width, at.height, title, description(chart), content);
}

}  // namespace

std::string bar_chart_svg(const std::vector<std::string>& categories, const std::vector<BarSeries>& series,
                          const BarChartOptions& options, Where where) {
  return draw(chart_of(categories, series, options, where));
}

void write_bar_chart_svg(const std::string& path, const std::vector<std::string>& categories,
                         const std::vector<BarSeries>& series, const BarChartOptions& options, Where where) {
  write_file(path, bar_chart_svg(categories, series, options, where), where);
}

}  // namespace nn
