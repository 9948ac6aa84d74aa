// Fused: the node of a composite that runs as one op, such as a whole GRU layer. Its derivative is a kernel. While an
// instrument watches, under a FormulaGuard, and where the derivative is itself recorded, the composite runs instead,
// and the tape differentiates the ops that it is made of.
//
//   if (!runs_formulas()) return fused_gru_gates(..);     // in the function of the composite, before the formula
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>

#include "autograd/tape/record.h"

namespace autograd {

// A tensor as it is now, even if its memory is changed in place later. Nothing is copied before that. A fused op keeps
// its inputs so, and not as Saved (tape/node.h), which is refused after a change: the composite often saves none of
// them.
class Kept {
 public:
  Kept() = default;
  explicit Kept(Tensor tensor);  // may be undefined
  Kept(Kept&& other) noexcept : tensor_(std::exchange(other.tensor_, Tensor())), version_(other.version_) {}
  Kept& operator=(Kept&& other) noexcept {
    std::swap(tensor_, other.tensor_);
    std::swap(version_, other.version_);
    return *this;
  }
  ~Kept() {
    if (tensor_.defined()) let_go();
  }

  bool defined() const { return tensor_.defined(); }
  const Tensor& tensor() const { return tensor_; }  // as it is today
  bool has_changed() const;
  Tensor value() const;  // as it was; outside the graph if it has changed

 private:
  void let_go() const;

  Tensor tensor_;
  std::uint32_t version_ = 0;  // of the memory, when it was kept
};

// Does somebody watch, or ask for formulas? Always true in a Debug build, which is there to be stepped through, and
// with -DBACKSTEP_FUSED=OFF.
bool runs_formulas();
// May a derivative come from a kernel? Not if it is itself recorded, to be differentiated again.
bool derivative_by_kernel();

class Fused : public Node {
 public:
  Tensor forward(const Inputs& x) const final { return composite(x); }
  Grads backward(const Tensor& dy) final;

  // Runs the function that the user called, on these inputs.
  virtual Tensor composite(const Inputs& x) const = 0;
  // The gradients, computed by kernels: not to be differentiated again.
  virtual Grads run_kernel(const Tensor& dy) = 0;
  // Do the parts of the composite keep this input for a gradient that is wanted? Then it must not have changed.
  virtual bool keeps(std::size_t input) const = 0;
  // One per input; undefined for an optional input that was left out.
  SmallVector<Kept, 3> inputs_kept;

  // Throws in-place-clobber where the composite would.
  void check_unchanged() const;
  // The i-th input, contiguous, for a kernel.
  Tensor input(std::size_t i) const;
  bool has(std::size_t i) const { return inputs_kept[i].defined(); }

 private:
  Grads differentiate_composite(const Tensor& dy);
};

// Puts a fused op on the tape, as record() does, and keeps all its inputs.
template <class Op> Op* record_fused(Tensor& output, std::initializer_list<const Tensor*> inputs, Where where) {
  Op* node = record<Op>(output, inputs, where);
  if (!node) return nullptr;
  for (const Tensor* input : inputs) node->inputs_kept.emplace_back(*input);
  return node;
}

}  // namespace autograd
