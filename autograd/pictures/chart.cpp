#include "autograd/pictures/chart.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "autograd/pictures/chart_axis.h"
#include "autograd/pictures/svg.h"
#include "autograd/tensor/error.h"

namespace autograd {
namespace {

using svg::edge;

// The first three colours are Okabe and Ito's (2008), the others chosen so that the distance between any two stays
// large for the three kinds of colour-blindness (simulated as Machado et al. 2009 do), and each has a contrast of 3 or
// more to the background. Markers and names differ as well. Names have the colour of all text, with a sample next to
// them.
constexpr const char* chart_style = R"(  .grid { stroke: #e4e8ec; stroke-width: 1 }
  .base { stroke: #818b98; stroke-width: 1 }
  .error { stroke: #1f2328; stroke-width: 1.2; fill: none }
  .curve { stroke: currentColor; stroke-width: 2.2; stroke-linejoin: round; stroke-linecap: round; fill: none }
  .dashed { stroke-dasharray: 7 5 }
  .marker { fill: currentColor; stroke: #ffffff; stroke-width: 1 }
  .c0 { color: #0072b2 } .c1 { color: #d55e00 } .c2 { color: #009e73 } .c3 { color: #7b2fbe }
  .c4 { color: #6b2d0e } .c5 { color: #4a4a4a } .c6 { color: #c26fd6 } .c7 { color: #16249c }
  @media (prefers-color-scheme: dark) {
    .grid { stroke: #21262d }
    .base { stroke: #656c76 }
    .error { stroke: #e6edf3 }
    .marker { stroke: #0d1117 }
    .c0 { color: #58a6ff } .c1 { color: #ff8c42 } .c2 { color: #3fc79a } .c3 { color: #fff07a }
    .c4 { color: #c9e6ff } .c5 { color: #ff4d7e } .c6 { color: #9a7fd1 } .c7 { color: #8d9aa8 }
  }
)";
constexpr std::size_t colours = 8;

constexpr double plot_height = 280.0;
constexpr double sample_width = 26.0;    // before a name
constexpr std::size_t many_points = 40;  // on a line, of which only some are marked
constexpr std::size_t marks_among_many = 7;
constexpr std::size_t crowd_of_dots = 100;  // drawn smaller

void check_series(const ChartSeries& series, std::size_t number, Where where) {
  const std::size_t points = series.y.size();
  const auto fits = [points](const std::vector<double>& list) { return list.empty() || list.size() == points; };
  const bool has_both_ends = series.low.empty() == series.high.empty();
  if (fits(series.x) && fits(series.low) && fits(series.high) && has_both_ends) return;
  fail(ErrorId::shape_mismatch, "chart_svg", where,
       fmt::format("series {} (\"{}\") has {} x, {} y, {} low and {} high", number, series.name, series.x.size(),
                   points, series.low.size(), series.high.size()),
       "give each point an x and a y, and either all points a low and a high or none");
}

// ---- the chart while it is drawn -------------------------------------------------------------------------------

struct Chart {
  std::vector<ChartSeries> series;
  ChartOptions options;
  ChartAxis x;
  ChartAxis y;
  double left = 0.0, right = 0.0, top = 0.0, bottom = 0.0;  // of the plot

  double x_at(double value) const { return left + x(value) * (right - left); }
  double y_at(double value) const { return bottom - y(value) * (bottom - top); }
  bool is_drawn(const ChartSeries& one, std::size_t point) const {
    return x.can_show(one.x[point]) && y.can_show(one.y[point]);
  }
  std::vector<std::size_t> points(const ChartSeries& one) const {
    std::vector<std::size_t> drawn;
    for (std::size_t i = 0; i < one.x.size(); ++i) {
      if (is_drawn(one, i)) drawn.push_back(i);
    }
    return drawn;
  }
};

Chart chart_of(std::vector<ChartSeries> series, const ChartOptions& options) {
  std::vector<double> all_x;
  std::vector<double> all_y;
  for (ChartSeries& one : series) {
    for (std::size_t i = one.x.size(); i < one.y.size(); ++i) one.x.push_back(static_cast<double>(i));
    all_x.insert(all_x.end(), one.x.begin(), one.x.end());
    for (const auto* some : {&one.y, &one.low, &one.high}) all_y.insert(all_y.end(), some->begin(), some->end());
  }
  Chart chart{std::move(series), options, ChartAxis(all_x, options.x_logarithmic, false),
              ChartAxis(all_y, options.y_logarithmic, options.y_from_zero)};
  double widest = 0.0;
  for (const ChartTick& tick : chart.y.ticks()) widest = std::max(widest, svg::text_width(tick.text));
  chart.left = edge + widest + 8.0;
  chart.right = options.width - edge;
  return chart;
}

// The number of the series, or of the one whose colour and markers it shares.
std::size_t look_of(const Chart& chart, std::size_t number) {
  return chart.series[number].same_colour_as.value_or(number);
}

// The class that gives a series its colour.
std::string css_of(const Chart& chart, std::size_t number) {
  return fmt::format("c{}", look_of(chart, number) % colours);
}

// Those beyond the first eight have the same colours again.
bool is_dashed(const Chart& chart, std::size_t number) {
  return chart.series[number].dashed || look_of(chart, number) / colours % 2 == 1;
}

// A line with many points is marked here and there if there are others, each at places of its own.
bool is_marked(const Chart& chart, std::size_t number, std::size_t point) {
  const std::size_t points = chart.series[number].x.size();
  if (chart.options.dots || points <= many_points) return true;
  const std::size_t every = points / marks_among_many;
  return chart.series.size() > 1 && point % every == number * every / chart.series.size();
}

// A circle, a square, a triangle or a diamond.
std::string marker(std::size_t look, double x, double y, double size = 1.0) {
  constexpr std::array<const char*, 4> shapes = {"M-4.5,0a4.5,4.5 0 1,0 9,0a4.5,4.5 0 1,0 -9,0z", "M-4,-4h8v8h-8z",
                                                 "M0,-5.5l5.5,9.5h-11z", "M0,-5.5l5.5,5.5l-5.5,5.5l-5.5,-5.5z"};
  return fmt::format("<path class=\"marker\" d=\"{}\" transform=\"translate({:.1f} {:.1f}) scale({})\"/>\n",
                     shapes[look % shapes.size()], x, y, size);
}

// ---- what stands around the plot -------------------------------------------------------------------------------

// The names of the series, each with a sample of its look; `y` becomes the lower edge of their lines.
std::string legend(const Chart& chart, double& y) {
  if (chart.series.size() < 2) return "";
  std::string svg;
  double x = edge;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const ChartSeries& one = chart.series[i];
    const std::string name = svg::shortened(one.name, chart.options.width - 2.0 * edge - sample_width);
    const double end = x + sample_width + 1.1 * svg::text_width(name);  // some letters are wider than most
    if (x > edge && end > chart.options.width - edge) {
      x = edge;
      y += svg::line_height;
    }
    svg += fmt::format("<g class=\"{}\"><title>{}</title>\n", css_of(chart, i), svg::escape(one.name));
    const char* const css = is_dashed(chart, i) ? "curve dashed" : "curve";
    if (!chart.options.dots) svg += svg::line(css, x, y + 9.0, x + sample_width - 6.0, y + 9.0);
    svg += marker(look_of(chart, i), x + (sample_width - 6.0) / 2.0, y + 9.0);
    svg += svg::text_at(x + sample_width, y + 14.0, "", name) + "</g>\n";
    x = end + 24.0;
  }
  y += svg::line_height + 6.0;
  return svg;
}

std::string axes(const Chart& chart) {
  std::string svg;
  for (const ChartTick& tick : chart.y.ticks()) {
    const double y = chart.y_at(tick.value);
    svg += svg::line("grid", chart.left, y, chart.right, y);
    svg += svg::text_at(chart.left - 8.0, y + 5.0, "axis end", tick.text);
  }
  double free_from = 0.0;  // where the next text would not touch the last one
  for (const ChartTick& tick : chart.x.ticks()) {
    const double x = chart.x_at(tick.value);
    svg += svg::line("base", x, chart.bottom, x, chart.bottom + 5.0);
    const double half = svg::text_width(tick.text) / 2.0;
    if (x - half < free_from) continue;
    free_from = x + half + 6.0;
    svg += svg::text_at(x, chart.bottom + 21.0, "axis middle", tick.text);
  }
  svg += svg::line("base", chart.left, chart.bottom, chart.right, chart.bottom);
  svg += svg::text_at((chart.left + chart.right) / 2.0, chart.bottom + 43.0, "axis middle",
                      svg::shortened(chart.options.x_axis, chart.right - chart.left));
  svg += svg::text_at(edge, chart.top - 14.0, "axis", svg::shortened(chart.options.y_axis, chart.right - edge));
  return svg;
}

// ---- the series ------------------------------------------------------------------------------------------------

std::string curve(const Chart& chart, std::size_t number) {
  const ChartSeries& one = chart.series[number];
  std::string path;
  bool is_pen_down = false;
  for (std::size_t i = 0; i < one.x.size(); ++i) {
    const bool is_drawn = chart.is_drawn(one, i);
    const std::string place = fmt::format("{:.1f} {:.1f}", chart.x_at(one.x[i]), chart.y_at(one.y[i]));
    if (is_drawn) path += is_pen_down ? "L" + place : "M" + place + "h0";  // which is a dot if nothing follows
    is_pen_down = is_drawn;
  }
  if (path.empty() || chart.options.dots) return "";
  return fmt::format("<path class=\"curve{}\" d=\"{}\"/>\n", is_dashed(chart, number) ? " dashed" : "", path);
}

std::string error_bar(const Chart& chart, const ChartSeries& one, std::size_t point) {
  if (one.low.empty() || std::isnan(one.low[point]) || std::isnan(one.high[point])) return "";
  const double x = chart.x_at(one.x[point]);
  return fmt::format(
      "<path class=\"error\" d=\"M{0:.1f} {1:.1f}V{2:.1f}M{3:.1f} {1:.1f}H{4:.1f}M{3:.1f} {2:.1f}H{4:.1f}\"/>\n", x,
      chart.y_at(one.low[point]), chart.y_at(one.high[point]), x - 4.0, x + 4.0);
}

std::string all_series(const Chart& chart) {
  std::string svg;
  for (std::size_t number = 0; number < chart.series.size(); ++number) {
    const ChartSeries& one = chart.series[number];
    svg += fmt::format("<g class=\"{}\"><title>{}</title>\n", css_of(chart, number), svg::escape(one.name));
    svg += curve(chart, number);
    const double size = chart.options.dots && one.x.size() > crowd_of_dots ? 0.6 : 1.0;
    for (const std::size_t i : chart.points(one)) {
      if (is_marked(chart, number, i)) {
        svg += marker(look_of(chart, number), chart.x_at(one.x[i]), chart.y_at(one.y[i]), size);
      }
      svg += error_bar(chart, one, i);
    }
    svg += "</g>\n";
  }
  return svg;
}

// ---- in words --------------------------------------------------------------------------------------------------

std::string extent(const ChartAxis& axis) {
  return fmt::format("{:.4g} to {:.4g}{}", axis.low(), axis.high(), axis.is_logarithmic() ? ", logarithmic" : "");
}

std::string description(const Chart& chart) {
  const auto named = [](const std::string& name, const char* otherwise) { return name.empty() ? otherwise : name; };
  std::string text = fmt::format("{} ({}) against {} ({}).", named(chart.options.y_axis, "y"), extent(chart.y),
                                 named(chart.options.x_axis, "x"), extent(chart.x));
  for (const ChartSeries& one : chart.series) {
    const std::vector<std::size_t> drawn = chart.points(one);
    const auto is_less = [&one](std::size_t a, std::size_t b) { return one.y[a] < one.y[b]; };
    const auto point = [&one](std::size_t i) { return fmt::format("{:.4g} at {:.4g}", one.y[i], one.x[i]); };
    text += fmt::format(" {}: ", named(one.name, "without a name"));
    if (drawn.empty()) {
      text += "no points.";
    } else {
      const auto [least, most] = std::minmax_element(drawn.begin(), drawn.end(), is_less);
      text += fmt::format("{} points, first {}, last {}, least {}, most {}.", drawn.size(), point(drawn.front()),
                          point(drawn.back()), point(*least), point(*most));
    }
  }
  return text;
}

}  // namespace

std::string chart_svg(const std::vector<ChartSeries>& series, const ChartOptions& options, Where where) {
  for (std::size_t i = 0; i < series.size(); ++i) check_series(series[i], i, where);
  Chart chart = chart_of(series, options);
  const double room_for_title = (options.width - 2.0 * edge) * svg::letter / svg::title_letter;
  const std::vector<std::string> title = svg::in_lines(options.title, room_for_title);
  double y = edge + svg::line_height * static_cast<double>(title.size()) + 8.0;
  std::string content = svg::heading(title) + legend(chart, y);

  chart.top = y + svg::line_height + 8.0;
  chart.bottom = chart.top + plot_height;
  content += axes(chart) + all_series(chart);
  return svg::picture({0.0, 0.0, options.width, chart.bottom + 57.0}, options.title, description(chart), chart_style,
                      content);
}

ChartSpan chart_span(const std::vector<ChartSeries>& series, const ChartOptions& options) {
  const Chart chart = chart_of(series, options);
  return {chart.left, chart.right, chart.x.low(), chart.x.high()};
}

}  // namespace autograd
