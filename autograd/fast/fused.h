// Fused: the node of a composite that runs as one op. Its shortcut is a kernel. If the backward pass has an observer or
// is recorded, the composite runs again instead, and the tape differentiates its parts.
#pragma once

#include "autograd/fast/kept.h"
#include "autograd/fast/step.h"

namespace autograd::fast {

class Fused : public Node {
 public:
  static constexpr bool stands_for_composite = true;

  Tensor forward(const Inputs& x) const final { return composite(x); }
  Grads backward(const Tensor& dy) final;

  // Runs the function that the user called, on these inputs.
  virtual Tensor composite(const Inputs& x) const = 0;
  // Do the parts of the composite keep this input for a gradient that is wanted? Then it must not have changed.
  virtual bool keeps(std::size_t input) const = 0;
  // One per input; undefined for an optional input that was left out.
  SmallVector<Kept, 3> inputs_kept;

  // Throws in-place-clobber where the composite would.
  void check_unchanged() const;
  // The i-th input, contiguous, for a kernel.
  Tensor input(std::size_t i) const;
  bool has(std::size_t i) const { return inputs_kept[i].defined(); }
};

// Puts a fused op on the tape, as record() does, and keeps all its inputs.
template <class Op> Op* record_fused(Tensor& output, std::initializer_list<const Tensor*> inputs, Where where) {
  Op* node = record<Op>(output, inputs, where);
  if (!node) return nullptr;
  for (const Tensor* input : inputs) node->inputs_kept.emplace_back(*input);
  return node;
}

template <class Op, bool (*run)(Op& node, Step& step)> bool run_unchanged(Op& node, Step& step) {
  node.check_unchanged();
  return run(node, step);
}
// Gives a fused op its shortcut, as set_shortcut() does.
template <class Op, bool (*run)(Op& node, Step& step)> bool set_fused_shortcut() {
  return set_shortcut<Op, run_unchanged<Op, run>>();
}

}  // namespace autograd::fast
