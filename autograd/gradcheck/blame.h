// Blame: finds the first op on the tape whose derivative is wrong. The program runs once more, with an observer that
// keeps each op's inputs and gradients. Then each op is checked by itself, in the order in which the program ran them,
// so that a mistake in one makes no other look wrong.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "autograd/gradcheck/options.h"
#include "autograd/gradcheck/report.h"

namespace autograd::checker {

struct Blame {
  std::optional<NodeReport> wrong;
  std::int64_t ops = 0;      // whose backward ran
  std::int64_t checked = 0;  // of these, up to the wrong one
};
// `run` runs the forward and the backward pass.
Blame find_first_wrong_op(const std::function<void()>& run, const GradcheckOptions& options);

}  // namespace autograd::checker
