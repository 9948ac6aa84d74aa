// What is given in exercise 02: the type of the functions whose derivatives are measured.
#pragma once

#include <judge/learner.h>

#include <functional>

namespace given {

// A number computed from several.
using Function = std::function<double(const std::vector<double>& x)>;

}  // namespace given

using given::Function;

// The derivative of f with respect to x[i], measured with a step of eps to each side. x is the caller's own: leave it
// as it was.
double central_difference(const Function& f, std::vector<double>& x, std::size_t i, double eps);

struct Answer {
  decltype(&::central_difference) central_difference;
};
