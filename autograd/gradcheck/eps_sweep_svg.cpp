// The plot of a sweep: error against step, both axes logarithmic.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>

#include "autograd/gradcheck/eps_sweep.h"
#include "autograd/gradcheck/svg.h"
#include "autograd/tensor/error.h"

namespace autograd {
namespace {

constexpr double width = 720.0;
constexpr double height = 460.0;
constexpr double left = 76.0;
constexpr double right = 700.0;
constexpr double top = 88.0;
constexpr double bottom = 400.0;

// Colours that differ for the colour-blind too (Okabe and Ito); the markers differ as well.
constexpr const char* style = R"(<style>
  .background { fill: #ffffff }
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .heading { font-size: 16px; font-weight: 600 }
  .grid { stroke: #d0d7de; stroke-width: 1 }
  .curve { fill: none; stroke-width: 2 }
  .c0 { color: #0072b2 } .c1 { color: #56a0d3 } .c2 { color: #d55e00 } .c3 { color: #b8860b }
  .curve { stroke: currentColor } .marker { fill: currentColor; stroke: none }
  @media (prefers-color-scheme: dark) {
    .background { fill: #0d1117 }
    text { fill: #e6edf3 }
    .grid { stroke: #30363d }
    .c0 { color: #58a6ff } .c1 { color: #a5d6ff } .c2 { color: #ff9e64 } .c3 { color: #e3c55b }
  }
</style>
)";

// Powers of ten from one end of an axis to the other, and where a value lies between the ends.
struct Axis {
  double low;  // log10
  double high;
  double from;  // in pixels
  double to;

  double operator()(double value) const {
    const double clamped = std::clamp(std::log10(value), low, high);
    return from + (clamped - low) / (high - low) * (to - from);
  }
  int first() const { return static_cast<int>(low); }
  int last() const { return static_cast<int>(high); }
};

Axis axis_over(const std::vector<double>& values, double from, double to) {
  double low = 0.0;
  double high = 0.0;
  bool is_first = true;
  for (const double value : values) {
    if (!std::isfinite(value) || value <= 0.0) continue;
    const double exponent = std::log10(value);
    low = is_first ? exponent : std::min(low, exponent);
    high = is_first ? exponent : std::max(high, exponent);
    is_first = false;
  }
  low = std::floor(low + 1e-9);
  high = std::max(std::ceil(high - 1e-9), low + 1.0);
  return {low, high, from, to};
}

std::string power_of_ten(int exponent) {
  return fmt::format(R"(10<tspan dy="-5" font-size="12">{}</tspan>)", exponent);
}

std::string grid(const Axis& x, const Axis& y) {
  std::string svg;
  for (int e = x.first(); e <= x.last(); ++e) {
    const double at = x(std::pow(10.0, e));
    svg += fmt::format(R"(<line class="grid" x1="{0:.1f}" y1="{1}" x2="{0:.1f}" y2="{2}"/>)", at, top, bottom);
    svg += fmt::format(R"(<text x="{:.1f}" y="{}" text-anchor="middle">{}</text>)", at, bottom + 22, power_of_ten(e));
    svg += "\n";
  }
  const int every = y.last() - y.first() > 12 ? 2 : 1;
  for (int e = y.first(); e <= y.last(); e += every) {
    const double at = y(std::pow(10.0, e));
    svg += fmt::format(R"(<line class="grid" x1="{1}" y1="{0:.1f}" x2="{2}" y2="{0:.1f}"/>)", at, left, right);
    svg += fmt::format(R"(<text x="{}" y="{:.1f}" text-anchor="end">{}</text>)", left - 8, at + 5, power_of_ten(e));
    svg += "\n";
  }
  svg += fmt::format(R"(<text x="{}" y="{}" text-anchor="middle">step h</text>)", (left + right) / 2, height - 14);
  svg +=
      fmt::format(R"svg(<text transform="translate(20 {}) rotate(-90)" text-anchor="middle">relative error</text>)svg",
                  (top + bottom) / 2);
  return svg + "\n";
}

// A circle, a square, a triangle or a diamond.
std::string marker(std::size_t curve, double x, double y) {
  constexpr std::array<const char*, 4> shapes = {"M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z", "M-4,-4h8v8h-8z",
                                                 "M0,-5l5,9h-10z", "M0,-5l5,5l-5,5l-5,-5z"};
  return fmt::format(R"svg(<path class="marker" d="{}" transform="translate({:.1f} {:.1f})"/>)svg", shapes[curve % 4],
                     x, y);
}

// Errors of exactly zero lie on the lower edge, infinite ones on the upper.
std::string curve_path(const EpsSweep& sweep, std::size_t number, const Axis& x, const Axis& y) {
  const EpsSweep::Curve& curve = sweep.curves[number];
  std::string points;
  std::string markers;
  for (std::size_t i = 0; i < sweep.steps.size(); ++i) {
    const double at_x = x(sweep.steps[i]);
    const double at_y = y(curve.errors[i]);
    points += fmt::format("{:.1f},{:.1f} ", at_x, at_y);
    markers += marker(number, at_x, at_y);
  }
  return fmt::format(
      "<g class=\"c{}\"><title>{}: best {:.1e} at step {:.0e}</title><polyline class=\"curve\" "
      "points=\"{}\"/>{}</g>\n",
      number % 4, svg::escape(curve.name), curve.errors[curve.best()], sweep.steps[curve.best()], points, markers);
}

std::string legend(const EpsSweep& sweep) {
  std::string svg;
  for (std::size_t i = 0; i < sweep.curves.size(); ++i) {
    const double x = left + 300.0 * static_cast<double>(i % 2);
    const double y = 50.0 + 20.0 * static_cast<double>(i / 2);
    const EpsSweep::Curve& curve = sweep.curves[i];
    svg += fmt::format(R"(<g class="c{}">{})", i % 4, marker(i, x + 6, y - 4));
    svg += fmt::format(R"(<text x="{}" y="{}">{}: best {:.0e} at {:.0e}</text></g>)", x + 18, y,
                       svg::escape(curve.name), curve.errors[curve.best()], sweep.steps[curve.best()]);
    svg += "\n";
  }
  return svg;
}

// Describes the plot in words, for readers who cannot see it.
std::string description(const EpsSweep& sweep) {
  std::string text = "Largest relative error of finite differences against the step h, both axes logarithmic.";
  for (const EpsSweep::Curve& curve : sweep.curves) {
    text += fmt::format(" {}: smallest error {:.1e} at h = {:.0e}.", curve.name, curve.errors[curve.best()],
                        sweep.steps[curve.best()]);
  }
  return text;
}

}  // namespace

std::string EpsSweep::svg() const {
  std::vector<double> errors;
  for (const Curve& curve : curves) errors.insert(errors.end(), curve.errors.begin(), curve.errors.end());
  const Axis x = axis_over(steps, left, right);
  const Axis y = axis_over(errors, bottom, top);

  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" role=\"img\" aria-labelledby=\"title description\">\n",
      width, height);
  svg += "<title id=\"title\">Error of finite differences against the step</title>\n";
  svg += fmt::format("<desc id=\"description\">{}</desc>\n", svg::escape(description(*this)));
  svg += style;
  svg += fmt::format("<rect class=\"background\" width=\"{}\" height=\"{}\"/>\n", width, height);
  svg += fmt::format("<text class=\"heading\" x=\"{}\" y=\"26\">Error of finite differences</text>\n", left);
  svg += legend(*this) + grid(x, y);
  for (std::size_t i = 0; i < curves.size(); ++i) svg += curve_path(*this, i, x, y);
  return svg + "</svg>\n";
}

void EpsSweep::write_svg(const std::string& path, Where where) const {
  std::ofstream file(path, std::ios::binary);
  file << svg();
  file.close();
  if (file) return;
  fail(ErrorId::bad_file, "write_svg", where, fmt::format("\"{}\" cannot be written", path),
       "check that the folder exists and may be written to");
}

}  // namespace autograd
