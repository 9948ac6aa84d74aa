// gradcheck: is this gradient right? Every element of every input is compared with a numeric derivative that has an
// error bar, and the answer is a verdict, the worst element, the likely mistake and the first wrong op on the tape.
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
// Everything runs in float64: a float32 input is converted first, for in float32 no step gives more than three digits.
// Inputs become contiguous leaves. Only floating inputs that require gradients are checked, or all floating ones if
// none does; ids and masks are passed on as they are. The function must be deterministic, must not depend on
// anything float32 besides its inputs, and must not change them.
//
// Beyond the numbers: a zero cotangent must give a zero gradient, -2v must give -2 times the gradient of v, two runs
// must give the same bits, and the inputs must stay as they were.
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

// Checks the gradient of `function` with respect to `inputs`. Never throws because of a wrong gradient; throws
// bad-argument for a function without a floating input or output, and what the function itself throws (its
// dtype-mismatch with a note, since float32 tensors that it captures meet float64 inputs).
//
// A function without parameters uses the inputs by capture: gradcheck([&] { return loss(model(x)); }, {w, x}). Then the
// tensors themselves become float64 and are moved during the check, and are given back as they were, to the last bit.
// They must be leaves.
GradcheckReport gradcheck(const CheckedFunction& function, const std::vector<Tensor>& inputs,
                          const GradcheckOptions& options = {}, Where where = Where::current());

// Second derivatives: the same check for the function that maps inputs and cotangents to the gradient. It compares
// what grad(.., {.create_graph = true}) gives with differences of first gradients, and so does not see a mistake
// in the first gradient itself. An input whose second derivatives are zero (of a linear function) is no objection.
GradcheckReport gradgradcheck(const CheckedFunction& function, const std::vector<Tensor>& inputs,
                              const GradcheckOptions& options = {}, Where where = Where::current());

}  // namespace autograd
