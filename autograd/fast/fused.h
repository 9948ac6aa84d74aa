// Fused: the node of an op that is a composite of others, made one for speed. Its shortcut is a kernel. Where somebody
// looks on after all, or differentiates it again, its composite runs once more and the tape differentiates that.
#pragma once

#include "autograd/fast/step.h"

namespace autograd::fast {

class Fused : public Node {
 public:
  static constexpr bool stands_for_composite = true;

  Tensor forward(const Inputs& x) const final { return composite(x); }
  Grads backward(const Tensor& dy) final;

  // The function that the user called, on these inputs.
  virtual Tensor composite(const Inputs& x) const = 0;
  // One per input; undefined where an input may be left out and was.
  SmallVector<Saved, 3> inputs_saved;

  // The i-th input as a kernel reads it.
  Tensor input(std::size_t i) const;
  bool has(std::size_t i) const { return inputs_saved[i].defined(); }
};

// Puts a fused op on the tape, as record() does, and keeps all its inputs.
template <class Op> Op* record_fused(Tensor& output, std::initializer_list<const Tensor*> inputs, Where where) {
  Op* node = record<Op>(output, inputs, where);
  if (!node) return nullptr;
  for (const Tensor* input : inputs) {
    node->inputs_saved.push_back(input->defined() ? node->save(*input) : Saved());
  }
  return node;
}

}  // namespace autograd::fast
