// Ties: equal elements that lie on one kink, as two that are both the largest of a max. Moved one by one, each has one
// slope to the left and another to the right, and any gradient between the two is right. Moved together, they stay
// equal: L has one slope, and their gradients must add up to it. How they share it is a convention.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "autograd/gradcheck/kink.h"
#include "autograd/gradcheck/options.h"
#include "autograd/gradcheck/probe.h"
#include "autograd/gradcheck/report.h"

namespace autograd::checker {

// An element on a kink.
struct KinkElement {
  std::size_t input = 0;
  std::size_t position = 0;
  std::string name;  // "x at [2]"
  double* element = nullptr;
  double analytic = 0.0;
  Branch branch;
};
using Tie = std::vector<KinkElement>;

// Groups of elements that may be tied: of equal value, and on kinks that the same op makes.
std::vector<Tie> find_ties(const std::vector<KinkElement>& kinks);

// Moves all elements of a tie together. The report lacks the names of the others. No report if there is a kink even
// then (relu at 0), or if the slope is too uncertain.
// `epsilon` is that of the dtype of the gradients.
std::optional<TieReport> move_together(const Tie& tie, const Probe& probe, const GradcheckOptions& options,
                                       double epsilon);
std::vector<std::string> names_of_others(const Tie& tie, const KinkElement& one);

// The likely mistake behind a wrong tie.
Diagnosis diagnose(const TieReport& tie);

}  // namespace autograd::checker
