// Steps: what an answer computed, op by op.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "judge/exercise.h"
#include "judge/step.h"

namespace judge {

struct WatchedOp {
  std::string name;
  std::string file;
  int line = 0;
  Tensor value;
  NotFinite not_finite = NotFinite::none;
  std::size_t observations_before = 0;  // how much had been observed, which tells one call from the next
};

// A run, and every op in it.
struct Watched {
  Record record;
  std::vector<WatchedOp> ops;
};
Watched watch(Run run, const Setting& setting);

// What the answer computed beside what is expected.
std::vector<Step> compared_steps(const Watched& answer, const Watched& solution);

}  // namespace judge
