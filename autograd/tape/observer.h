// Observer: an instrument that sees every op as it is recorded, every backward as it runs, and every gradient as it is
// accumulated. The gradient checker finds the op to blame with it, the debugger steps, and tests plant mistakes.
// Without an observer, each of these three places tests one pointer.
#pragma once

#include <atomic>
#include <cstddef>

#include "autograd/tape/mode.h"
#include "autograd/tape/node.h"

namespace autograd {

// A use of a tensor that needs a gradient, which put no node on the tape: there a path to the loss ends.
struct Untaped {
  enum class Why { detached, grad_mode_off, no_derivative, overwritten };
  Why why = Why::detached;
  const char* op = "";  // what used it
  Where where;
};

class Observer {
 public:
  // Passes everything on to `next`, by default the observer that is attached already, so that both work: a program
  // under check may have its own, and the gradients that this one replaces are part of the check.
  explicit Observer(Observer* next = observer()) : next_(next) {}
  virtual ~Observer() = default;

  // `node` was put on the tape.
  virtual void recorded(Node& node, const Inputs& inputs, const Tensor& output) {
    if (next_) next_->recorded(node, inputs, output);
  }
  // `input` needs a gradient, and was used without a node.
  virtual void untaped(const Tensor& input, const Untaped& use) {
    if (next_) next_->untaped(input, use);
  }
  // Runs the node's backward, and may replace the gradients that this returns.
  virtual Grads run(Node& node, const Tensor& dy) { return next_ ? next_->run(node, dy) : node.backward(dy); }
  // The backward of `from` contributes to the gradient of the output of `from.inputs[input]`.
  virtual void accumulated(const Node& from, std::size_t input, const Tensor& contribution) {
    if (next_) next_->accumulated(from, input, contribution);
  }
  // A backward pass is about to run its first op: the gradients it starts from are in place.
  virtual void pass_begins(Pass& pass) {
    if (next_) next_->pass_begins(pass);
  }
  // The pass is over. pass.has_ended() is false if an exception ended it. Must not throw.
  virtual void pass_ends(Pass& pass) {
    if (next_) next_->pass_ends(pass);
  }

 protected:
  bool passes_on() const { return next_ != nullptr; }

 private:
  Observer* next_;
};

// Runs every op by its formula, as if somebody watched: a fused op gives way to the ops that it is made of.
//   const FormulaGuard formulas;
class FormulaGuard {
  Observer watches_;
  ObserverGuard guard_{watches_};
};

// What an instrument must hear of even if no Observer is attached (debug/moments.h).
struct Moments {
  void (*thread_begins)();                                // before a thread's first op, and at each pass
  void (*outer_pass_begins)();                            // of a pass that is inside no other
  void (*leaf_changes)(const Tensor& leaf, Where where);  // requires_grad_() or set_name() of a leaf
};
inline constinit std::atomic<const Moments*> moments_told = nullptr;

}  // namespace autograd
