// gradcheck: is this gradient right? It compares every element of every input with a numeric derivative that has an
// error bar, and reports a verdict, the worst element, the likely mistake and the first wrong op on the tape.
//
//   const auto f = [](const Tensor& x, const Tensor& w) { return matmul(x, w).tanh(); };
//   EXPECT_TRUE(gradcheck(f, {x, w}));
//   fmt::print("{}\n", gradcheck(f, {x, w}));
//
// What is checked. The outputs y_i become one number, L = sum_i <v_i, y_i>, with random signed cotangents v_i. For each
// element of each input, dL/dx from backward is compared with
//
//   (L(x + h) - L(x - h)) / 2h       where that is good enough, and else with
//   Ridders' extrapolation of it to h = 0, whose error bar goes into the verdict (numeric_derivative.h).
//
// Everything runs in float64: float32 inputs are converted first, because in float32 no step gives more than three
// correct digits. Inputs become contiguous leaves. Only floating inputs that require gradients are checked, or all
// floating ones if none does; ids and masks are passed on as they are. The function must be deterministic, must not use
// float32 tensors other than its inputs, and must not change its inputs.
//
// It also checks that a zero cotangent gives a zero gradient, that -2v gives -2 times the gradient of v, that two runs
// give the same bits, and that the inputs stay as they were.
//
// Use inputs whose sizes are larger than one and all different: square shapes hide transposes, and sizes of one hide
// missing sums.
//
// After: Ridders 1982; Numerical Recipes, 5.7. The rest (verdicts, blame) is this project's; see docs.
#pragma once

#include <vector>

#include "autograd/gradcheck/check_node.h"
#include "autograd/gradcheck/checked_function.h"
#include "autograd/gradcheck/options.h"
#include "autograd/gradcheck/report.h"
#include "autograd/tensor/tensor.h"

namespace autograd {

// Checks the gradient of `function` with respect to `inputs`. A wrong gradient is not a reason to throw; it throws
// bad-argument for a function without a floating input or output, and what the function itself throws (with a note at
// a dtype-mismatch, which float32 tensors that the function captures would cause).
//
// A function without parameters uses the inputs by capture: gradcheck([&] { return loss(model(x)); }, {w, x}). Then the
// tensors themselves, which must be leaves, become float64 and are changed during the check. Afterwards they are as
// before, to the last bit.
GradcheckReport gradcheck(const CheckedFunction& function, const std::vector<Tensor>& inputs,
                          const GradcheckOptions& options = {}, Where where = Where::current());

// Second derivatives: the same check for the function that maps inputs and cotangents to the gradient. It compares
// grad(.., {.create_graph = true}) with differences of first gradients, and so does not notice a mistake in the first
// gradient itself. Second derivatives may be zero, as those of a linear function.
GradcheckReport gradgradcheck(const CheckedFunction& function, const std::vector<Tensor>& inputs,
                              const GradcheckOptions& options = {}, Where where = Where::current());

}  // namespace autograd
