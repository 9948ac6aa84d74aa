// Runs one recorded op again, on copies of its inputs and outside of the program's graph, for slopes that the pass does
// not compute.
#pragma once

#include "autograd/debug/step/view.h"

namespace autograd::debug {

// The gradients that this op's own backward gives for `dy`. Throws Refused for a leaf, whose backward would change the
// program's .grad, and for an op whose graph was released.
Grads run_backward(const Node& node, const Tensor& dy);

// What a node's backward was given, and what it returned: as recorded; of the current op, which it runs. Both undefined
// if its turn has not come.
struct Ran {
  Tensor dy;
  Grads gradients;
};
Ran ran_of(const Node& node, const View& view);

// The directional derivative of the op's output when its i-th input moves along `direction`. A gradient of the output,
// times this, is its contribution to <direction, gradient of the input>.
Tensor push_forward(const Call& call, std::size_t input, const Tensor& direction);

// The gradients of the op's inputs when its output has this one: with a unit gradient, a row of its Jacobian. Of inputs
// that need no gradient in the program, too; undefined where the output does not depend on one.
Grads pull_back(const Call& call, const Tensor& dy);

// All zeros but for a 1 at this element.
Tensor unit(const Shape& shape, DType dtype, const std::vector<std::int64_t>& index);
double dot(const Tensor& a, const Tensor& b);

}  // namespace autograd::debug
