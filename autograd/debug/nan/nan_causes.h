// What usually makes a NaN or an infinity in this op, and what to do about it. Told from the op's name and the numbers
// that it was given at the element that went wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "autograd/tape/node.h"

namespace autograd::debug {

// One number tensor of an op, where it went wrong.
struct OperandReport {
  std::string name;  // "input 0", with its own name if it has one; "dy"
  Shape shape;
  double smallest = 0.0;  // of the finite elements
  double largest = 0.0;
  bool has_finite = false;
  std::int64_t nans = 0;
  std::int64_t infinities = 0;
  std::optional<double> at_element;  // the element that belongs to the bad one, where it is one
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
