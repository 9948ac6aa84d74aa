// The options of a gradient check. Nearly always the defaults will do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace autograd {

// An element passes if |analytic - numeric| <= atol + rtol * max(|analytic|, |numeric|) + error_bars * error bar.
// (PyTorch's defaults are 1e-3 and 1e-5, because its differences have no error bar.)
struct GradcheckOptions {
  double rtol = 1e-6;
  double atol = 1e-10;
  double error_bars = 2.0;
  // The widest error bar with which an element may still pass, relative to the derivatives of its input; beyond it
  // the verdict is NOISY. So PASS means: a mistake of error_bars * resolution + rtol would have been seen.
  double resolution = 1e-4;

  std::uint64_t seed = 0;               // of the random cotangents; the default generator is left as it was
  std::vector<std::string> names = {};  // of the inputs; otherwise their Tensor::name(), or "input 0"

  bool reseed = false;         // same random numbers in every evaluation: for functions with dropout
  bool allow_vacuous = false;  // an input whose gradient is zero everywhere does not spoil the check
  bool allow_kinks = false;    // neither do elements that lie exactly on a kink
  bool second_order = false;   // check the gradient's own gradients too
  bool blame = true;           // after a failure, search the tape for the first wrong op

  // check_node: the elements of each input to look at, by their position in row-major order, where all would take too
  // long. No list for an input, or an empty one: all of them.
  std::vector<std::vector<std::size_t>> elements = {};
};

}  // namespace autograd
