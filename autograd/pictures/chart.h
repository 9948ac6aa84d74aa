// Charts of lines as SVG pictures: training curves, quality against length.
//
//   const std::vector<ChartSeries> losses = {{.name = "training", .x = updates, .y = training_losses},
//                                            {.name = "validation", .x = {454, 908}, .y = {2.71, 1.96}}};
//   const std::string svg = chart_svg(losses, {.title = "Loss", .x_axis = "updates", .y_axis = "nats"});
//
// The picture follows the reader's choice of light or dark, its colours differ for the colour-blind too, and it
// contains a description in words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "autograd/tensor/where.h"

namespace autograd {

// Points that are joined in the order given. A point that is not finite, or not positive on a logarithmic axis, is a
// gap in the line.
struct ChartSeries {
  std::string name = "";
  std::vector<double> x = {};  // 0, 1, 2, .. if it is empty
  std::vector<double> y = {};
  std::vector<double> low = {};   // the lower ends of the error bars, one per point, or none at all
  std::vector<double> high = {};  // the upper ends
  bool dashed = false;
  std::optional<std::size_t> same_colour_as = {};  // the number of another series; one of the two should be dashed
};

struct ChartOptions {
  std::string title = "";
  std::string x_axis = "";
  std::string y_axis = "";
  bool dots = false;  // points without lines between them
  bool x_logarithmic = false;
  bool y_logarithmic = false;
  bool y_from_zero = false;  // the axis reaches down to 0, so that heights can be compared
  double width = 760.0;      // in pixels
};

// Throws shape-mismatch for a series whose lists differ in length.
std::string chart_svg(const std::vector<ChartSeries>& series, const ChartOptions& options = {},
                      Where where = Where::current());

// Where the x axis stands in that picture, in pixels from its left side, and the values at its ends.
struct ChartSpan {
  double left, right;
  double low, high;
};
ChartSpan chart_span(const std::vector<ChartSeries>& series, const ChartOptions& options = {});

}  // namespace autograd
