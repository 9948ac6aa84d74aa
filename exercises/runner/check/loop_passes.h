// Passes: in a loop the same line computes again and again; which time each step is.
#pragma once

#include <cstddef>
#include <vector>

#include "runner/check/steps.h"

namespace learn {

struct Pass {
  std::size_t number = 1;    // 1, 2, ..
  std::size_t of = 1;        // 1: computed once
  std::size_t position = 0;  // among the ops of its line in this pass
};

std::vector<Pass> passes_of(const std::vector<Step>& steps);

// The first op whose value the solution has nowhere, while it has those of all passes before; steps.size() if there is
// none.
std::size_t first_bad_pass(const std::vector<Step>& steps, const std::vector<Pass>& passes);

}  // namespace learn
