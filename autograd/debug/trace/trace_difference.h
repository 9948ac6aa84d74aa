// Compares the traces of two runs, to find where a wrong program first differs from the right one.
#pragma once

#include <string>

#include "autograd/debug/trace/trace.h"

namespace autograd::debug {

struct DifferenceOptions {
  // Two elements differ if |right - other| > tolerance * (|right| + 0.05 * the largest of the tensor). The default is
  // 1e-5 for float32 and 1e-10 for float64.
  double tolerance = 0;
};

struct TraceDifference {
  bool found = false;
  // "structure": another op ran. "value": the same op gave other numbers. "gradient": its output's gradient is another.
  std::string kind;
  bool backward = false;
  std::uint64_t node = 0;        // of the second trace; 0 if there is no such op in it
  std::uint64_t right_node = 0;  // of the first one
  std::string element;           // "[1, 2]", the one that differs most
  double right = 0, other = 0;
  double relative = 0;  // |right - other| / |right|
  std::string text;     // all of it in one sentence
};

// Ops are aligned by their order: the i-th op of `other` is the i-th of `right` as long as op, module and shape are the
// same. Compares the values in the order of the program; if all are equal, the gradients in the order of the pass.
TraceDifference first_difference(const Trace& right, const Trace& other, const DifferenceOptions& options = {});

}  // namespace autograd::debug
