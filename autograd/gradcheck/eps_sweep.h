// eps_sweep: measures the error of finite differences at many steps. A wide step is off by the terms of the Taylor
// series that it leaves out, a narrow one by the rounding of the function, which is divided by the step. The plot of
// error against step is a V, and in float32 its tip is at three correct digits.
//
//   const EpsSweep sweep = eps_sweep(f, {x, w});
//   fmt::print("{}\n", sweep);
//   sweep.write_svg("sweep.svg");
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "autograd/gradcheck/checked_function.h"
#include "autograd/tensor/format.h"
#include "autograd/tensor/tensor.h"

namespace autograd {

struct EpsSweepOptions {
  std::vector<double> steps = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12};
  bool five_point = true;  // also (L(x-2h) - 8 L(x-h) + 8 L(x+h) - L(x+2h)) / 12h
  std::uint64_t seed = 0;  // of the random cotangents
  bool reseed = false;     // as in GradcheckOptions
};

struct EpsSweep {
  struct Curve {
    std::string name;  // "float64, central"
    DType dtype;
    bool five_point;
    std::vector<double> errors;  // one per step
    std::size_t best() const;    // the position of the smallest
  };
  std::vector<double> steps;
  std::vector<Curve> curves;
  std::vector<std::string> left_out;  // curves that could not be computed, and why

  std::string svg() const;
  // Throws bad-file if the file cannot be written.
  void write_svg(const std::string& path, Where where = Where::current()) const;
};

// For each step h: the largest |difference quotient - gradient| over all elements of an input, relative to the largest
// gradient of that input; the worst input counts. The gradient is that of backward() in float64, so that a wrong
// derivative shows as a curve that stays high at every step. Each curve computes x + h in its own dtype, as a naive
// program does. Inputs and function are as for gradcheck(); float64 inputs are rounded to float32 first, so that both
// dtypes see the same numbers. Throws as gradcheck() does.
EpsSweep eps_sweep(const CheckedFunction& function, const std::vector<Tensor>& inputs,
                   const EpsSweepOptions& options = {}, Where where = Where::current());

std::string to_string(const EpsSweep& sweep);  // a table

}  // namespace autograd

template <> struct fmt::formatter<autograd::EpsSweep> : autograd::TextFormatter<autograd::EpsSweep> {};
