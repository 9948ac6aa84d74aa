// Line charts as SVG pictures: training curves, quality against length.
//
//   nn::ChartSeries train{.name = "training", .x = updates, .y = losses};
//   nn::ChartSeries validation{.name = "validation", .x = {454, 908}, .y = {2.71, 1.96}, .markers = true};
//   nn::write_line_chart_svg("curve.svg", {train, validation}, {.title = "Loss", .x_axis = "updates", .y_axis =
//   "nats"});
//
// The picture follows the reader's choice of light or dark, its colours differ for the colour-blind too, and it
// contains a description in words.
#pragma once

#include <autograd/tensor/where.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace nn {

using autograd::Where;

// Points that are joined in the order given. A point that is not finite, or not positive on a logarithmic axis, is a
// gap in the line.
struct ChartSeries {
  std::string name = "";
  std::vector<double> x = {};
  std::vector<double> y = {};
  std::vector<double> low = {};   // the lower ends of the error bars, one per point, or none at all
  std::vector<double> high = {};  // the upper ends
  bool markers = false;           // on each point; points with error bars, and single ones, have one anyway
  bool dashed = false;
  std::optional<std::size_t> same_colour_as = {};  // the number of another series; one of the two should be dashed
};

struct LineChartOptions {
  std::string title = "";
  std::string x_axis = "";
  std::string y_axis = "";
  bool x_logarithmic = false;
  bool y_logarithmic = false;
  bool y_from_zero = false;  // the axis reaches down to 0, so that heights can be compared
};

// Throws shape-mismatch for a series whose lists differ in length.
std::string line_chart_svg(const std::vector<ChartSeries>& series, const LineChartOptions& options = {},
                           Where where = Where::current());

// The picture in a file, written completely or not at all. Throws bad-file too.
void write_line_chart_svg(const std::string& path, const std::vector<ChartSeries>& series,
                          const LineChartOptions& options = {}, Where where = Where::current());

}  // namespace nn
