#include "examples/fast_kernels/roofline.h"

#include <fmt/core.h>
#include <nn/pictures/line_chart.h>

#include <algorithm>
#include <cmath>

#include "examples/fast_kernels/machine.h"

namespace fast_kernels {
namespace {

// min(peak, operations per byte * bytes per second)
nn::ChartSeries roof(const std::string& name, double bytes_per_second) {
  nn::ChartSeries line = {.name = name};
  for (double exponent = -3; exponent <= 10; exponent += 0.125) {
    const double flops_per_byte = std::exp2(exponent);
    line.x.push_back(flops_per_byte);
    line.y.push_back(std::min(peak_flops(), flops_per_byte * bytes_per_second) / 1e9);
  }
  return line;
}

}  // namespace

void write_roofline(const std::string& path, const std::vector<Point>& points) {
  std::vector<nn::ChartSeries> series = {roof("what memory allows", bandwidths().back().per_second)};
  series.push_back(roof("what the first cache allows", bandwidths().front().per_second));
  series.back().dashed = true;
  series.back().same_colour_as = 0;
  for (const Point& point : points) {
    if (series.back().name != point.kernel) series.push_back({.name = point.kernel, .markers = true});
    series.back().x.push_back(point.flops_per_byte);
    series.back().y.push_back(point.flops_per_second / 1e9);
  }
  nn::write_line_chart_svg(path, series,
                           {.title = "The roofline, and the versions of our kernels below it",
                            .x_axis = "floating-point operations per byte",
                            .y_axis = "GFLOP/s",
                            .x_logarithmic = true,
                            .y_logarithmic = true});
}

}  // namespace fast_kernels
