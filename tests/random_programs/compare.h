// What is different, in words; empty if nothing is.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "words.h"

namespace random_programs {

constexpr double to_the_bit = 0.0;  // a tolerance

std::string difference(const std::string& what, const Tensor& found, const Tensor& wanted, double tolerance);
std::string difference(const std::string& what, const std::vector<Tensor>& found, const std::vector<Tensor>& wanted,
                       double tolerance);

double largest_in(const std::vector<Tensor>& tensors);  // among those that are finite, and 1

// ---- a derivative along a direction, against differences ---------------------------------------------------------------

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

std::string difference(double analytic, const Slope& slope, double tolerance);

// A random tensor for each of these, in its shape.
std::vector<Tensor> directions(const std::vector<Tensor>& tensors, std::int64_t seed);
double dot(const std::vector<Tensor>& a, const std::vector<Tensor>& b);  // of those that are defined

}  // namespace random_programs
