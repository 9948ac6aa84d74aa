// Steps: what an answer computed, op by op, beside what is expected. For `learn step`.
#pragma once

#include <string>
#include <vector>

#include "course/exercise.h"

namespace course {

struct Step {
  enum class Kind { op, probe, result };
  Kind kind = Kind::op;
  std::string name;  // of the op, the probe, or what the check calls the result
  std::string file;  // of an op
  int line = 0;
  Tensor value;
  Tensor expected;  // of a probe or a result that the solution has too; undefined otherwise
  bool differs = false;
  bool in_solution = false;  // of an op: the solution computes this value somewhere, too
};

std::vector<Step> steps_of(Run answer);

}  // namespace course
