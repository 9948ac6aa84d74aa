// Steps: what an answer computed, op by op.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "judge/exercise.h"

namespace judge {

struct Step {
  enum class Kind { op, probe, threw, result };
  Kind kind = Kind::op;
  std::string name;          // of the op, the probe, or what the check calls the result
  std::string message = {};  // of what was thrown: the last thing that the answer did
  std::string file;          // of an op
  int line = 0;
  Tensor value;
  Tensor expected;  // of a probe or a result that the solution has too; undefined otherwise
  bool differs = false;
  bool in_solution = false;             // of an op: the solution computes this value on the way to the same result
  std::size_t observations_before = 0;  // of an op: how much had been observed, which tells one call from the next
};

// A run, and every op in it.
struct Watched {
  Record record;
  std::vector<Step> ops;
};
Watched watch(Run run, const Setting& setting);

// What the answer computed beside what is expected.
std::vector<Step> compared_steps(const Watched& answer, const Watched& solution);

}  // namespace judge
