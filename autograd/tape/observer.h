// Observer: an instrument that sees every op as it is recorded, every backward as it runs, and every gradient as it is
// accumulated. The gradient checker finds the op to blame with it, the debugger steps, and tests plant mistakes.
// Without an observer, each of these three places tests one pointer.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "autograd/tape/node.h"

namespace autograd {

class Observer;
inline constinit thread_local Observer* attached_observer = nullptr;

// While it lives, every op of this thread runs by its formula: a fused op gives way to the ops that it is made of.
//   const FormulaGuard formulas;
class FormulaGuard {
 public:
  FormulaGuard() { ++alive; }
  ~FormulaGuard() { --alive; }
  FormulaGuard(const FormulaGuard&) = delete;
  FormulaGuard& operator=(const FormulaGuard&) = delete;

  static inline constinit thread_local int alive = 0;
};
// Does somebody watch, or ask for formulas? Always true in a Debug build, which is there to be stepped through, and
// with -DBACKSTEP_FUSED=OFF. A composite that has a fused op asks nothing else (ops/fused.h).
bool runs_formulas();

// A use of a tensor that needs a gradient, which put no node on the tape: there a path to the loss ends.
struct Untaped {
  enum class Why { detached, grad_mode_off, no_derivative, overwritten };
  Why why = Why::detached;
  const char* op = "";  // what used it
  Where where;
};

class Observer {
 public:
  virtual ~Observer() = default;
  // `node` was put on the tape.
  virtual void recorded(Node& /*node*/, const Inputs& /*inputs*/, const Tensor& /*output*/) {}
  // `input` needs a gradient, and was used without a node.
  virtual void untaped(const Tensor& /*input*/, const Untaped& /*use*/) {}
  // Runs the node's backward, and may replace the gradients that this returns.
  virtual Grads run(Node& node, const Tensor& dy) { return node.backward(dy); }
  // The backward of `from` contributes to the gradient of the output of `from.inputs[input]`.
  virtual void accumulated(const Node& /*from*/, std::size_t /*input*/, const Tensor& /*contribution*/) {}
  // A backward pass is about to run its first op: the gradients it starts from are in place.
  virtual void pass_begins(Pass& /*pass*/) {}
  // The pass is over. pass.has_ended() is false if an exception ended it. Must not throw.
  virtual void pass_ends(Pass& /*pass*/) {}
};

// The observer of this thread, or nullptr.
inline Observer* observer() {
  return attached_observer;
}

// An observer that passes everything on to the one that was attached before it, so that both work. A program under
// check may have its own observer, and the gradients that this one replaces are part of the check.
class ForwardingObserver : public Observer {
 public:
  ForwardingObserver() : next_(observer()) {}

  void recorded(Node& node, const Inputs& inputs, const Tensor& output) override {
    if (next_) next_->recorded(node, inputs, output);
  }
  void untaped(const Tensor& input, const Untaped& use) override {
    if (next_) next_->untaped(input, use);
  }
  Grads run(Node& node, const Tensor& dy) override { return next_ ? next_->run(node, dy) : node.backward(dy); }
  void accumulated(const Node& from, std::size_t input, const Tensor& contribution) override {
    if (next_) next_->accumulated(from, input, contribution);
  }
  void pass_begins(Pass& pass) override {
    if (next_) next_->pass_begins(pass);
  }
  void pass_ends(Pass& pass) override {
    if (next_) next_->pass_ends(pass);
  }

 protected:
  bool passes_on() const { return next_ != nullptr; }

 private:
  Observer* next_;
};

// Attaches an observer, or none, for the lifetime of the object, in place of the one before.
class ObserverGuard {
 public:
  explicit ObserverGuard(Observer& observer) : ObserverGuard(&observer) {}
  explicit ObserverGuard(Observer* observer) : before_(std::exchange(attached_observer, observer)) { ++alive; }
  ~ObserverGuard() {
    attached_observer = before_;
    --alive;
  }
  ObserverGuard(const ObserverGuard&) = delete;
  ObserverGuard& operator=(const ObserverGuard&) = delete;

  // An observer that attaches or detaches itself does so under its own guard alone: a later one would undo it.
  static inline constinit thread_local int alive = 0;

 private:
  Observer* before_;
};

// Instruments are told here of what an Observer does not see: passes that run while it is not attached, and threads.
using Told = void (*)();
inline constinit std::atomic<Told> told_of_passes = nullptr;   // at the beginning of a pass that is inside no other
inline constinit std::atomic<Told> told_of_threads = nullptr;  // before a thread's first op, or its first pass
using ToldOfLeaf = void (*)(const Tensor& leaf, Where where);
inline constinit std::atomic<ToldOfLeaf> told_of_leaves = nullptr;  // requires_grad_() or set_name() of a leaf

// How many passes of this thread have begun, but for those inside others.
inline constinit thread_local std::int64_t outer_passes_begun = 0;

// For the tape. Only the first call in a thread counts.
inline void begin_thread() {
  static constinit thread_local bool has_begun = false;
  if (std::exchange(has_begun, true)) return;
  if (const Told tell = told_of_threads) tell();
}

}  // namespace autograd
