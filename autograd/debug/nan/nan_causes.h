// Explains a NaN or an infinity: the usual cause, from the numbers that the op was given, and what to do about it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "autograd/debug/statistics.h"
#include "autograd/tape/node.h"

namespace autograd::debug {

// One operand of the op that made the bad number.
struct OperandReport {
  std::string name;          // "input 0", with its own name if it has one; "dy"
  bool is_gradient = false;  // it is dy
  Shape shape;
  Statistics numbers;
  std::optional<double> at_element;  // the element from which the bad one was computed, if it is a single one
};

struct NanCase {
  const OpInfo* op = nullptr;
  DType dtype = float32;
  double result = 0.0;                       // NaN or +-infinity
  std::vector<OperandReport> operands;       // the inputs; in backward then dy
  bool slice_is_all_minus_infinity = false;  // of input 0, along some dim, through the element
  double slope = 0.0;                        // in backward: what it makes of a dy of ones at the element
};

enum class NanCause {
  other,           // said in words alone
  pole,            // the function is infinite at 0
  domain,          // the function is not defined at these numbers
  infinities,      // infinity - infinity, 0 * infinity or the like
  overflow,        // beyond the dtype's range
  masked_row,      // every number of a row is -infinity
  of_nothing,      // 0 / 0, as the mean of no numbers
  on_purpose,      // it was given
  infinite_slope,  // the function has no finite derivative here
};

struct Explanation {
  std::string cause;  // "div(0, 0) is NaN"
  std::string advice;
  NanCause kind = NanCause::other;
};
Explanation explain_forward(const NanCase& found);
Explanation explain_backward(const NanCase& found);

}  // namespace autograd::debug
