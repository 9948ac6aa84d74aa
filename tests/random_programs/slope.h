// A derivative along a direction, against differences.
#pragma once

#include <cmath>
#include <string>

namespace random_programs {

// The derivative of f at 0 by central differences with two steps, and how far they can be trusted.
struct Slope {
  static constexpr double step = 1e-4;
  double ahead = 0.0, behind = 0.0;  // f(step), f(-step)
  double value = 0.0, error = 0.0;
};

template <class F> Slope slope_of(F&& f) {
  const double wide = (f(2.0 * Slope::step) - f(-2.0 * Slope::step)) / (4.0 * Slope::step);
  const double ahead = f(Slope::step);
  const double behind = f(-Slope::step);
  const double narrow = (ahead - behind) / (2.0 * Slope::step);
  return {ahead, behind, narrow + (narrow - wide) / 3.0, std::abs(narrow - wide)};
}

// Says what is wrong with a derivative that is further away than that; empty if nothing is.
std::string judge_slope(double analytic, const Slope& slope, double tolerance);

}  // namespace random_programs
