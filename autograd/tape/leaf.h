// Leaf: a tensor that no op made, such as a parameter, seen from the graph. There its gradient arrives.
#pragma once

#include "autograd/tape/node.h"

namespace autograd {

// Where a leaf's gradient arrives: adds it to tensor.grad(). One per leaf and graph.
class Leaf final : public Node {
 public:
  static constexpr OpText text{"leaf", "y = x", "x.grad += dy"};
  explicit Leaf(const Tensor& x);
  ~Leaf() override;

  Tensor forward(const Inputs& x) const override { return x[0]; }
  Grads backward(const Tensor& dy) override;

  Tensor tensor;
};

// x.grad += dy. The old gradient is not written over: who holds it keeps it as it is, and a pass that fails can put it
// back.
void add_to_grad(GradientSlot& slot, const Tensor& dy);

// Where gradients with respect to this tensor arrive: the op that made it, or its Leaf, made on first use;
// none if it needs no gradient.
Ref<Node> gradient_node(const Tensor& tensor);

}  // namespace autograd
