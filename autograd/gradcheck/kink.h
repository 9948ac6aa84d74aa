// Kinks: places where a function has one slope to the left and another to the right, but no derivative, as relu and abs
// at 0, clamp at its limits, max and maximum at a tie. Central differences say nothing there: relu's is 1/2, and that
// of abs is 0, which agrees with the gradient by luck.
#pragma once

#include <string>
#include <vector>

#include "autograd/gradcheck/probe.h"
#include "autograd/tensor/where.h"

namespace autograd::checker {

// The slopes close to x, each from its own side.
struct Sides {
  enum class Kind {
    smooth,   // the slopes are equal
    corner,   // they differ, and still do as the step shrinks: a kink
    jump,     // they grow without limit as the step shrinks: the function itself jumps
    unclear,  // none of these
  };
  Kind kind = Kind::unclear;
  double left = 0.0;
  double right = 0.0;
};
Sides look_at_both_sides(const Probe& probe, double& element);

// The piecewise op that makes the kink: at x + step it has other slopes than at x - step (another sign, another winner
// of a max). `op` is empty if there is none. The inputs must require gradients, so that the ops are recorded.
struct Branch {
  std::string op;
  Where where;
  bool found() const { return !op.empty(); }
};
Branch find_flipped_branch(const Probe& probe, double& element, double step);

}  // namespace autograd::checker
