// Plot: the line plots of the book's chapters, written by their snippets.
//
//   docs::Plot plot({.title = "The norm of dL/dh_t", .x = "steps back", .y = "norm", .log_y = true});
//   plot.line("RNN", norms);                       // against 0, 1, 2, ..
//   plot.line("LSTM", steps, other_norms);
//   plot.write("pictures/norms.svg");
//
// The picture follows the reader's choice of light or dark and says in words what it shows, as the engine's own do. It
// is no wider than a phone shows legibly.
#pragma once

#include <autograd/gradcheck/svg.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace docs {

struct PlotOptions {
  std::string title;
  std::string x;
  std::string y;
  bool log_y = false;  // powers of ten; values that are not positive are left out
  bool dots = false;   // points without lines between them
};

class Plot {
 public:
  explicit Plot(PlotOptions options) : options_(std::move(options)) {}

  void line(const std::string& name, const std::vector<double>& x, const std::vector<double>& y) {
    curves_.push_back({name, x, y});
  }
  void line(const std::string& name, const std::vector<double>& y) {
    std::vector<double> x;
    for (std::size_t i = 0; i < y.size(); ++i) x.push_back(static_cast<double>(i));
    line(name, x, y);
  }

  void write(const std::string& path) {
    fit_axes();
    std::ofstream(path) << svg();
  }

 private:
  static constexpr double width = 470.0, height = 340.0, left = 18.0;

  struct Curve {
    std::string name;
    std::vector<double> x, y;
  };
  struct Axis {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    double step = 1.0;
    double from = 0.0, to = 0.0;  // in pixels

    void add(double value) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
    double operator()(double value) const { return from + (value - low) / (high - low) * (to - from); }
    // Ends at round numbers: 1, 2 or 5 times a power of ten apart, or whole powers of ten on a logarithmic axis.
    void round(bool is_log) {
      if (!(high > low)) high = low + 1.0;
      const double rough = (high - low) / 6.0;
      const double power = std::pow(10.0, std::floor(std::log10(rough)));
      const auto fits = [&](double factor) { return factor * power >= rough; };
      step = power * (fits(1.0) ? 1.0 : fits(2.0) ? 2.0 : fits(5.0) ? 5.0 : 10.0);
      if (is_log) step = std::max(1.0, std::ceil(step));
      low = std::floor(low / step + 1e-9) * step;
      high = std::ceil(high / step - 1e-9) * step;
    }
  };

  double height_of(double y) const { return options_.log_y ? std::log10(y) : y; }
  bool is_shown(double y) const { return std::isfinite(y) && (!options_.log_y || y > 0.0); }

  void fit_axes() {
    for (const Curve& curve : curves_) {
      for (std::size_t i = 0; i < curve.y.size(); ++i) {
        x_.add(curve.x[i]);
        if (is_shown(curve.y[i])) y_.add(height_of(curve.y[i]));
      }
    }
    x_.round(false);
    y_.round(options_.log_y);
    const double legend = 20.0 * std::ceil(static_cast<double>(curves_.size()) / 2.0);
    x_.from = 70.0, x_.to = width - 18.0;
    y_.from = height - 54.0, y_.to = 46.0 + (curves_.size() > 1 ? legend : 0.0);
  }

  std::string tick(double value) const {
    return options_.log_y ? fmt::format(R"(10<tspan dy="-5" font-size="12">{:g}</tspan>)", value)
                          : fmt::format("{:g}", std::abs(value) < 1e-12 ? 0.0 : value);
  }

  std::string grid() const {
    std::string svg;
    for (double at = x_.low; at <= x_.high + 1e-9 * x_.step; at += x_.step) {
      svg += fmt::format(R"(<line class="grid" x1="{0:.1f}" y1="{1}" x2="{0:.1f}" y2="{2}"/>)", x_(at), y_.to, y_.from);
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:g}</text>\n", x_(at), y_.from + 20,
                         std::abs(at) < 1e-9 * x_.step ? 0.0 : at);
    }
    for (double at = y_.low; at <= y_.high + 1e-9 * y_.step; at += y_.step) {
      svg += fmt::format(R"(<line class="grid" x1="{1}" y1="{0:.1f}" x2="{2}" y2="{0:.1f}"/>)", y_(at), x_.from, x_.to);
      svg +=
          fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", x_.from - 8, y_(at) + 5, tick(at));
    }
    const auto text = [](const std::string& plain) { return autograd::svg::escape(plain); };
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", (x_.from + x_.to) / 2, height - 12,
                       text(options_.x));
    svg += fmt::format("<text transform=\"translate(15 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                       (y_.from + y_.to) / 2, text(options_.y));
    return svg;
  }

  static std::string marker(std::size_t number, double x, double y, double size = 1.0) {
    constexpr std::array<const char*, 4> shapes = {"M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z", "M-4,-4h8v8h-8z",
                                                   "M0,-5l5,9h-10z", "M0,-5l5,5l-5,5l-5,-5z"};
    return fmt::format("<path class=\"marker\" d=\"{}\" transform=\"translate({:.1f} {:.1f}) scale({:g})\"/>",
                       shapes[number % 4], x, y, size);
  }

  std::string curve(std::size_t number) const {
    const Curve& one = curves_[number];
    const bool with_markers = options_.dots || one.y.size() <= 40;
    const double size = one.y.size() <= 100 ? 1.0 : 0.6;
    std::string points;
    std::string markers;
    for (std::size_t i = 0; i < one.y.size(); ++i) {
      if (!is_shown(one.y[i])) continue;
      const double x = x_(one.x[i]);
      const double y = y_(height_of(one.y[i]));
      points += fmt::format("{:.1f},{:.1f} ", x, y);
      if (with_markers) markers += marker(number, x, y, size);
    }
    const std::string path = options_.dots ? "" : fmt::format("<polyline class=\"curve\" points=\"{}\"/>", points);
    return fmt::format("<g class=\"c{}\">{}{}</g>\n", number % 6, path, markers);
  }

  // In two columns, the second behind the longest name of the first.
  std::string legend() const {
    std::string svg;
    std::size_t longest = 0;
    for (std::size_t i = 0; i < curves_.size(); i += 2) longest = std::max(longest, curves_[i].name.size());
    const double second = left + 42.0 + 6.8 * static_cast<double>(longest);
    for (std::size_t i = 0; i < curves_.size() && curves_.size() > 1; ++i) {
      const double x = i % 2 == 0 ? left : second;
      const double y = 48.0 + 20.0 * static_cast<double>(i / 2);
      svg += fmt::format("<g class=\"c{}\">{}<text x=\"{}\" y=\"{}\">{}</text></g>\n", i % 6, marker(i, x + 6, y - 4),
                         x + 18, y, autograd::svg::escape(curves_[i].name));
    }
    return svg;
  }

  // In words, for those who cannot see it.
  std::string description() const {
    std::string text = fmt::format("{} against {}.", options_.y, options_.x);
    for (const Curve& one : curves_) {
      if (one.y.empty()) continue;
      text += fmt::format(" {}: from {:.2g} at {:g} to {:.2g} at {:g}.", one.name, one.y.front(), one.x.front(),
                          one.y.back(), one.x.back());
    }
    return text;
  }

  std::string svg() const {
    // The colours differ for the colour-blind too (Okabe and Ito).
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "role=\"img\">\n",
        width, height);
    svg += fmt::format("<title>{}</title>\n<desc>{}</desc>\n", autograd::svg::escape(options_.title),
                       autograd::svg::escape(description()));
    svg += R"(<style>
  .background { fill: #ffffff }
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .heading { font-size: 15px; font-weight: 600 }
  .grid { stroke: #d0d7de; stroke-width: 1 }
  .c0 { color: #0072b2 } .c1 { color: #d55e00 } .c2 { color: #009e73 } .c3 { color: #b8860b } .c4 { color: #cc79a7 }
  .c5 { color: #666666 }
  .curve { fill: none; stroke: currentColor; stroke-width: 2 } .marker { fill: currentColor; stroke: none }
  @media (prefers-color-scheme: dark) {
    .background { fill: #0d1117 }
    text { fill: #e6edf3 }
    .grid { stroke: #30363d }
    .c0 { color: #58a6ff } .c1 { color: #ff9e64 } .c2 { color: #3fb98f } .c3 { color: #e3c55b } .c4 { color: #e0a3c6 }
    .c5 { color: #9da7b1 }
  }
</style>
<rect class="background" width="100%" height="100%"/>
)";
    svg += fmt::format("<text class=\"heading\" x=\"{}\" y=\"24\">{}</text>\n", left,
                       autograd::svg::escape(options_.title));
    svg += legend() + grid();
    for (std::size_t i = 0; i < curves_.size(); ++i) svg += curve(i);
    return svg + "</svg>\n";
  }

  PlotOptions options_;
  std::vector<Curve> curves_;
  Axis x_, y_;
};

}  // namespace docs
