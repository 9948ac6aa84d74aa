// Fused: the node of a composite that runs as one op. Its shortcut is a kernel. If the backward pass has an observer or
// is recorded, the composite runs again instead, and the tape differentiates its parts.
#pragma once

#include "autograd/fast/step.h"

namespace autograd::fast {

class Fused : public Node {
 public:
  static constexpr bool stands_for_composite = true;

  Tensor forward(const Inputs& x) const final { return composite(x); }
  Grads backward(const Tensor& dy) final;

  // Runs the function that the user called, on these inputs.
  virtual Tensor composite(const Inputs& x) const = 0;
  // One per input; undefined for an optional input that was left out.
  SmallVector<Saved, 3> inputs_saved;

  // The i-th input, contiguous, for a kernel.
  Tensor input(std::size_t i) const;
  bool has(std::size_t i) const { return inputs_saved[i].defined(); }
};

// Puts a fused op on the tape, as record() does, and saves all its inputs.
template <class Op> Op* record_fused(Tensor& output, std::initializer_list<const Tensor*> inputs, Where where) {
  Op* node = record<Op>(output, inputs, where);
  if (!node) return nullptr;
  for (const Tensor* input : inputs) {
    node->inputs_saved.push_back(input->defined() ? node->save(*input) : Saved());
  }
  return node;
}

}  // namespace autograd::fast
