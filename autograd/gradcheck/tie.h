// Ties: equal elements that lie on one kink, as where two are the largest of a max. Moved one by one, each has one
// slope to the left and another to the right, and any gradient between the two is fair. Moved together they stay equal:
// L has one slope, and to this their gradients must add up. How they share it is a convention.
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

// Those that may be tied: of the same value, and on a kink that the same op makes.
std::vector<Tie> find_ties(const std::vector<KinkElement>& kinks);

// All of a tie moved together; without the names of the others. Nothing where there is a kink even then (relu at 0), or
// where the slope is too uncertain.
std::optional<TieReport> move_together(const Tie& tie, const Probe& probe, const GradcheckOptions& options);
std::vector<std::string> names_of_others(const Tie& tie, const KinkElement& one);

// The likely mistake in one that is wrong.
Diagnosis diagnose(const TieReport& tie);

}  // namespace autograd::checker
