// What is given in exercise 03: a function whose derivative is known, so that the error of a measurement can be seen.
#pragma once

#include <judge/learner.h>

#include <functional>

namespace given {

struct Problem {
  std::function<double(double)> f;
  std::function<float(float)> f_float;       // the same function, computed in float
  std::function<double(double)> derivative;  // exact
  std::vector<double> points;                // where it is measured
};

}  // namespace given

using given::Problem;

// How far the central difference of f is from the derivative, at the worst of the points. All of it in double.
double error_in_double(const Problem& problem, double eps);
// The same with f_float: the places and their difference quotient in float. Only the last comparison is in double.
double error_in_float(const Problem& problem, double eps);
// The eps with the smallest error among 1e-1, 1e-2, ..., 1e-12.
double best_step(const std::function<double(double eps)>& error);

struct Answer {
  decltype(&::error_in_double) error_in_double;
  decltype(&::error_in_float) error_in_float;
  decltype(&::best_step) best_step;
};
