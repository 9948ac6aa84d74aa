// The numeric derivative with an error bar: Ridders' method (C. J. F. Ridders, "Accurate computation of F'(x) and
// F'(x) F''(x)", Advances in Engineering Software 4(2), 1982; Numerical Recipes, section 5.7).
//
// A central difference with step h is off by a h^2 + b h^4 + ... From the differences with steps h, h/1.4, h/1.4^2, ..
// Neville's scheme removes one term after the other, which extrapolates to h = 0. The value is the entry of its table
// that agrees best with its neighbours, and the error bar is the difference from them.
#pragma once

#include <limits>

#include "autograd/gradcheck/probe.h"

namespace autograd::checker {

struct Estimate {
  double value = std::numeric_limits<double>::quiet_NaN();
  double error = std::numeric_limits<double>::infinity();  // the error bar
  bool finite = false;                                     // the function is finite at every step that was tried
  bool smooth = false;  // the slopes to the left and to the right approach each other as the step shrinks
  bool flat = false;    // no output changes, whatever the step
  double step = 0.0;    // where it began
  std::size_t changed = std::numeric_limits<std::size_t>::max();  // the fewest outputs that changed at a step
  bool stairs = false;  // outputs change at wide steps but not at narrow ones: the function is rounded, or near a kink
};

// Slopes up to `negligible` count as zero.
Estimate ridders(const Probe& probe, double& element, double first_step, double negligible = 0.0);

// The unit in which steps are measured: max(1, |x|).
double step_unit(double x);

}  // namespace autograd::checker
