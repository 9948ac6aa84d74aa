// Compares whole inputs: checks every element, and gathers the verdicts into a report for each input.
#pragma once

#include <string>
#include <vector>

#include "autograd/gradcheck/options.h"
#include "autograd/gradcheck/probe.h"
#include "autograd/gradcheck/report.h"
#include "autograd/tensor/tensor.h"

namespace autograd::checker {

// An input under check: its elements, which are moved in place, and the gradient that backward gave for it.
struct Variable {
  std::string name;
  Tensor values;                           // contiguous float64
  Tensor gradient;                         // undefined: none arrived
  std::vector<std::size_t> elements = {};  // those to check; empty: all
  double rounding = 0.0;                   // of the gradient; 0 if unknown
  double floor = 0.0;                      // the difference that any element may have
  double output_rounding = 0.0;            // how much the rounding of the op's results changes <dy, y>
  DType computed_in = float64;             // what the gradient was computed in
};

// One report per variable, with a cause for each that is FAIL. `output` is the function's only output, or undefined
// if there are several.
std::vector<InputReport> compare(const Probe& probe, const std::vector<Variable>& variables, const Tensor& output,
                                 const Tensor& cotangent, const GradcheckOptions& options);

}  // namespace autograd::checker
