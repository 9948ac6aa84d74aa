// The contributions to one gradient element, grouped by the place in the program that made them: a weight of a
// recurrent layer gets one at each time step, all from a few lines.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "autograd/debug/step/view.h"

namespace autograd::debug {

struct AmountGiven {
  const Contribution* contribution = nullptr;
  KeptTensor value;  // of the element
  double amount = 0.0;
};

// Of one op, at one line, in one module, whatever the time step.
struct ContributionGroup {
  double sum = 0.0;
  std::vector<AmountGiven> given;  // the largest first
};

// The contributions so far, in the order of their arrival.
std::vector<AmountGiven> amounts_given(const Node& node, const std::vector<std::int64_t>& index, const View& view);
// The largest sum first.
std::vector<ContributionGroup> grouped(const std::vector<AmountGiven>& all);
// A few lines for each group, with the largest contributions of each, and whether they cancel.
std::string groups_text(const std::vector<AmountGiven>& all);

// "%12 matmul at gru.h:8 in rnn.l0, step 3, input 1", or "the start of the pass".
std::string giver(const Contribution& contribution);
// " = 12.5%", "" if the whole is 0.
std::string percent(double part, double whole);

}  // namespace autograd::debug
