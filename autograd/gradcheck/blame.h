// Blame: which op is it? The program runs once more, with an observer that keeps what every op was given and what its
// backward returned; then each op is checked by itself, in the order in which the program ran. The first wrong one is
// the one to mend: those after it were checked on the same numbers and are right or wrong on their own account.
#pragma once

#include <functional>
#include <optional>

#include "autograd/gradcheck/options.h"
#include "autograd/gradcheck/report.h"

namespace autograd::checker {

// `run` does the forward and the backward passes.
std::optional<NodeReport> find_first_wrong_op(const std::function<void()>& run, const GradcheckOptions& options);

}  // namespace autograd::checker
