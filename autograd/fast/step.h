// Step: what a shortcut works with. It exists only while nobody looks on and nothing is recorded, and it alone may
// write over a gradient, add to one in place, or take the memory of a saved value.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/fast/kept.h"
#include "autograd/tape/record.h"

namespace autograd::fast {

class Step {
 public:
  Step(Node& node, const Tensor& dy) : node_(node), dy_(dy) {}
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

  bool needs(std::size_t input) const { return node_.needs(input); }
  // Are both inputs one tensor, whose gradient is still to come?
  bool begins_gradient_of_both() const {
    return node_.inputs[0] && node_.inputs[0] == node_.inputs[1] && !node_.inputs[0]->gradient.defined();
  }
  // The gradient of the output; contiguous, for a kernel.
  const Tensor& dy() const { return dy_; }
  Tensor contiguous_dy() const;

  // Where a gradient of dy's shape may be written: dy's own memory, if nobody else holds it, or a new tensor.
  Tensor room_for_gradient();
  // An input's gradient as far as it has arrived, to be added to in place. Undefined if none has, or somebody holds it.
  Tensor gradient_so_far(std::size_t input) const;
  // The same, but never undefined: zeros if none has arrived, a copy if somebody holds it.
  Tensor gradient_to_add_to(std::size_t input);
  // A kept value, to be overwritten, if the pass releases the graph and nobody else holds the value; otherwise
  // undefined. After this, the node cannot run again.
  Tensor take_kept(Kept& kept);

  // Hands on an input's gradient, as the tape does with what backward() returns. Does nothing if nobody needs it.
  void hand_on(std::size_t input, const Tensor& gradient);

 private:
  Node& node_;
  const Tensor& dy_;
};

// All ops that have a shortcut. For tests, which compare it with the formula and plant mistakes in it.
std::vector<OpInfo*>& ops_with_shortcut();

// Gives the op its shortcut:  const bool known = set_shortcut<Tanh, tanh_backward>();
template <class Op, bool (*run)(Op& node, Step& step)> bool set_shortcut() {
  OpInfo& op = Registered<Op>::info;
  op.shortcut = [](Node& node, Step& step) { return run(static_cast<Op&>(node), step); };
  ops_with_shortcut().push_back(&op);
  return true;
}

}  // namespace autograd::fast
