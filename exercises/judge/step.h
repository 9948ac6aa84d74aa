// Step: one thing that an answer computed, and what is expected in its place. Facts only: `learn step` shows them.
#pragma once

#include <string>

#include "judge/thrown.h"

namespace judge {

// What an op's result has that is not a finite number. An op that only moves numbers has nothing to do with it.
enum class NotFinite {
  none,
  infinity,
  nan,
  nan_handed_on,  // one came in
};

struct Step {
  enum class Kind { op, probe, threw, result };
  Kind kind = Kind::op;
  std::string name = {};  // of the op, the probe, or what the check calls the result
  Thrown thrown = {};     // the last thing that the answer did
  std::string file = {};  // of an op
  int line = 0;           // likewise
  NotFinite not_finite = NotFinite::none;
  std::string shape = {};
  std::string value = {};
  std::string expected_shape = {};  // of a probe or a result that the solution has too; empty otherwise
  std::string expected = {};
  bool differs = false;
  bool in_solution = false;  // of an op: the solution computes this value on the way to the same result
};

}  // namespace judge
