// Bar charts as SVG pictures: a group of bars for each category, one bar per series.
//
//   nn::write_bar_chart_svg("bleu.svg", {"short", "middle", "long"},
//                           {{.name = "attention", .values = {38.6, 33.7, 20.2}},
//                            {.name = "fixed context", .values = {33.2, 23.4, 11.9}}},
//                           {.title = "Quality by length of the sentence", .value_axis = "BLEU"});
//
// Otherwise as line_chart.h.
#pragma once

#include <autograd/tensor/where.h>

#include <string>
#include <vector>

namespace nn {

using autograd::Where;

struct BarSeries {
  std::string name = "";
  std::vector<double> values = {};  // one per category; none is drawn for one that is not finite
  std::vector<double> low = {};     // the lower ends of the error bars, one per category, or none at all
  std::vector<double> high = {};    // the upper ends
};

struct BarChartOptions {
  std::string title = "";
  std::string category_axis = "";
  std::string value_axis = "";
  bool show_values = true;  // as numbers at the ends of the bars, where there is room
};

// Throws shape-mismatch for a series that has more or fewer values than there are categories.
std::string bar_chart_svg(const std::vector<std::string>& categories, const std::vector<BarSeries>& series,
                          const BarChartOptions& options = {}, Where where = Where::current());

// The picture in a file, written completely or not at all. Throws bad-file too.
void write_bar_chart_svg(const std::string& path, const std::vector<std::string>& categories,
                         const std::vector<BarSeries>& series, const BarChartOptions& options = {},
                         Where where = Where::current());

}  // namespace nn
