// Candidate: an answer that is judged, wherever it runs. A known mistake runs in the judge's own process; a learner's
// answer in another one (answer_process.h).
#pragma once

#include <functional>

#include "judge/steps.h"

namespace judge {

struct Candidate {
  std::function<Record(const Setting& setting, RunOptions options)> observe;
  std::function<Watched(const Setting& setting)> watch;
  std::function<void()> begin_anew = {};  // forgets what it was asked before; empty if it cannot
  std::vector<std::string> calls = {};  // what it is known to call of what it is to do without (Exercise::not_to_call)
};

// In this process.
Candidate candidate_here(Run run);

}  // namespace judge
