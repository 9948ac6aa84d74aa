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
// The numbers are those of float64. For a float32 op the forward is repeated in float64 with the same numbers, and
// what backward gives in float32 may be off by its rounding: rtol and atol are raised to float32_rtol, relative to the
// largest derivative. Where the op keeps a float32 tensor for itself (dropout, weights of a loss), its forward runs in
// float32 too, with wider error bars.
//
// Elements at a kink, or too noisy to decide, are not held against the op; nor is a gradient that is truly zero, nor
// the row of an embedding that gets none (padding_idx). Throws what the forward throws where it cannot be repeated, and
// wrong-gradient for the wrong number of gradients.
NodeReport check_node(Node& node, const Inputs& inputs, const Tensor& dy, const GradcheckOptions& options = {});

// The same where backward has run already and gave these gradients: for an Observer, inside its run().
NodeReport check_node(const Node& node, const Inputs& inputs, const Tensor& dy, const Grads& gradients,
                      const GradcheckOptions& options = {});

inline constexpr double float32_rtol = 1e-3;

namespace checker {

// The same for gradients that are known already. `asked` tells which inputs backward was asked for.
NodeReport check_node_gradients(const Node& node, const Inputs& inputs, const Tensor& dy, const Grads& gradients,
                                const std::vector<bool>& asked, const GradcheckOptions& options);

// The op as a function of its inputs. Contiguous float64 copies that take part in a graph, so that an evaluation can be
// recorded; and its forward on them, in float64 if it can be.
Inputs copies_of(const Inputs& inputs);
Evaluate replay(const Node& node, const Inputs& copies);
// A gradient in float64 and in its input's shape: an op may return that of a repeated input in the shape of its output
// (OpInfo::broadcasts).
Tensor fitted(const Tensor& gradient, const Shape& shape);

}  // namespace checker
}  // namespace autograd
