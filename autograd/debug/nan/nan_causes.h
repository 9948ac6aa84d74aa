// Explains a NaN or an infinity: the usual cause in this op and what to do about it, from the op's name and its numbers
// at the bad element.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "autograd/tape/node.h"

namespace autograd::debug {

// One operand of the op that made the bad number.
struct OperandReport {
  std::string name;  // "input 0", with its own name if it has one; "dy"
  Shape shape;
  double smallest = 0.0;  // of the finite elements
  double largest = 0.0;
  bool has_finite = false;
  std::int64_t nans = 0;
  std::int64_t infinities = 0;
  std::optional<double> at_element;  // the element from which the bad one was computed, if it is a single one
};

struct NanCase {
  std::string op;
  DType dtype = float32;
  double result = 0.0;                       // NaN or +-infinity
  std::vector<OperandReport> operands;       // the inputs; in backward then dy
  bool slice_is_all_minus_infinity = false;  // of input 0, along some dim, through the element
};

struct Explanation {
  std::string cause;  // "0 / 0"
  std::string advice;
};
Explanation explain_forward(const NanCase& found);
Explanation explain_backward(const NanCase& found);

}  // namespace autograd::debug
