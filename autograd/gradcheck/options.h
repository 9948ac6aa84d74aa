// The options of a gradient check.
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
  double atol = 1e-10;  // of an input whose gradients are all smaller, no more than rtol of the largest
  double error_bars = 2.0;
  // The widest error bar with which an element passes, relative to the derivatives of its input; with a wider one it is
  // NOISY. So PASS means that a relative mistake of error_bars * resolution + rtol would have been found.
  double resolution = 1e-4;

  std::uint64_t seed = 0;               // of the random cotangents; the default generator is left as it was
  std::vector<std::string> names = {};  // of the inputs; otherwise their Tensor::name(), or "input 0"

  bool reseed = false;         // same random numbers in every evaluation: for functions with dropout
  bool allow_vacuous = false;  // accept an input whose gradient is zero everywhere
  bool allow_kinks = false;    // accept elements that lie exactly on a kink
  bool second_order = false;   // check the gradient's own gradients too
  bool blame = true;           // after a failure, search the tape for the first wrong op

  // For check_node: the elements of each input to check, by their position in row-major order, if all would take too
  // long. All of them for an input without a list or with an empty one.
  std::vector<std::vector<std::size_t>> elements = {};
};

}  // namespace autograd
