// Leaf: the node of a tensor that no op made, such as a parameter. Here gradients leave the graph for x.grad().
#pragma once

#include "autograd/tape/node.h"

namespace autograd {

// Its backward() adds the gradient to tensor.grad(). A tensor has one Leaf at most, shared by all graphs that use it.
class Leaf final : public Node {
 public:
  static constexpr OpText text{"leaf", "y = x", "x.grad += dy"};
  explicit Leaf(const Tensor& x);
  ~Leaf() override;

  Tensor forward(const Inputs& x) const override { return x[0]; }
  Grads backward(const Tensor& dy) override;

  Tensor tensor;
};

// x.grad += dy, as a new tensor: whoever holds the old gradient keeps its values, and a failed pass can restore it.
void add_to_grad(GradientSlot& slot, const Tensor& dy);

// The gradient if nobody else holds it, otherwise a copy: what the user is given may be changed in place.
Tensor own_memory(const Tensor& gradient);
// A gradient of the running pass lies in this memory: to change it in place is an error.
inline void lend(const Tensor& gradient) {
  gradient.impl()->storage->lend();
}

// The node at which gradients with respect to this tensor arrive: the op that made it, or its Leaf, made on first use.
// No node if the tensor needs no gradient.
Ref<Node> gradient_node(const Tensor& tensor);

}  // namespace autograd
