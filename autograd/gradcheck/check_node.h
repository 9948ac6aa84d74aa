// One op on the tape, checked by itself.
#pragma once

#include "autograd/gradcheck/options.h"
#include "autograd/gradcheck/probe.h"
#include "autograd/gradcheck/report.h"
#include "autograd/tape/node.h"

namespace autograd {

// Compares node.backward(dy), run through the attached Observer if there is one, with the numeric derivative of
// <dy, node.forward(inputs)>. `inputs` are those the op ran on, `dy` the gradient of its output.
//
// The forward runs in float64. The gradients of a float32 op may be off by its rounding: rtol is raised to
// float32_rtol. options.atol does not count: what any element may be off is relative to the largest derivative of its
// input, so that no mistake is too small to be seen in small gradients. NodeReport::tolerance says it in words. The
// forward of an op that keeps a float32 tensor (dropout, weights of a loss) runs in float32, with wider error bars.
//
// Elements at a kink or too noisy to decide do not fail; nor does a gradient that is truly zero, nor the padding row of
// an embedding. Throws what the forward throws if it cannot be repeated, and wrong-gradient for the wrong number of
// gradients.
NodeReport check_node(Node& node, const Inputs& inputs, const Tensor& dy, const GradcheckOptions& options = {});

// The same for gradients that backward() has already returned: for an Observer, inside its run().
NodeReport check_node(const Node& node, const Inputs& inputs, const Tensor& dy, const Grads& gradients,
                      const GradcheckOptions& options = {});

inline constexpr double float32_rtol = 1e-3;

namespace checker {

// The same for gradients that were recorded earlier. `asked` says for which inputs backward() had to compute one.
NodeReport check_node_gradients(const Node& node, const Inputs& inputs, const Tensor& dy, const Grads& gradients,
                                const std::vector<bool>& asked, const GradcheckOptions& options);

// The op as a function of its inputs: contiguous float64 copies of these, which require gradients so that an evaluation
// can be recorded; and the op's forward on them, in float64 if possible.
Inputs copies_of(const Inputs& inputs);
Inputs converted(const Inputs& inputs, DType dtype);  // the floating ones
Evaluate replay(const Node& node, const Inputs& copies);
// What a report says about the op, before any verdict.
NodeReport describe(const Node& node);
// The gradient in float64 and in the shape of its input. (Ops whose OpInfo::broadcasts is true may return gradients in
// the shape of their output.)
Tensor fitted(const Tensor& gradient, const Shape& shape);

}  // namespace checker
}  // namespace autograd
