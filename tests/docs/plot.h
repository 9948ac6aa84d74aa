// Plot: the charts of the book's chapters, written by their snippets.
//
//   docs::Plot plot({.title = "The norm of dL/dh_t", .x = "steps back", .y = "norm", .log_y = true});
//   plot.line("RNN", norms);                       // against 0, 1, 2, ..
//   plot.line("LSTM", steps, other_norms);
//   plot.write("pictures/norms.svg");
#pragma once

#include <autograd/pictures/chart.h>

#include <fstream>
#include <string>
#include <vector>

namespace docs {

struct PlotOptions {
  std::string title;
  std::string x;
  std::string y;
  bool log_y = false;
  bool dots = false;  // points without lines between them
};

class Plot {
 public:
  explicit Plot(const PlotOptions& options)
      : options_{.title = options.title,
                 .x_axis = options.x,
                 .y_axis = options.y,
                 .dots = options.dots,
                 .y_logarithmic = options.log_y,
                 .width = 470.0} {}  // which a phone shows legibly

  void line(const std::string& name, const std::vector<double>& x, const std::vector<double>& y) {
    series_.push_back({.name = name, .x = x, .y = y});
  }
  void line(const std::string& name, const std::vector<double>& y) { line(name, {}, y); }

  void write(const std::string& path) const { std::ofstream(path) << autograd::chart_svg(series_, options_); }

 private:
  autograd::ChartOptions options_;
  std::vector<autograd::ChartSeries> series_;
};

}  // namespace docs
