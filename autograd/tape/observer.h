// Observer: an instrument that watches the engine at its three funnels: recording an op, running its
// backward, accumulating a gradient. The gradient checker uses it to find the op to blame, the debugger to step, the
// tests to plant mistakes. When none is attached, each funnel tests one pointer.
#pragma once

#include <cstddef>

#include "autograd/tape/node.h"

namespace autograd {

class Observer {
 public:
  virtual ~Observer() = default;
  // `node` was put on the tape.
  virtual void recorded(Node& node, const Inputs& inputs, const Tensor& output);
  // Runs the node's backward; may look at, or replace, what it returns.
  virtual Grads run(Node& node, const Tensor& dy);
  // `from`'s backward contributed to the gradient of the output of `from.inputs[input]`.
  virtual void accumulated(const Node& from, std::size_t input, const Tensor& contribution);
  // A backward pass is about to run its first op: the gradients it starts from are in place.
  virtual void pass_begins(Pass& pass);
  // It has run its last op, or an exception is on its way; pass.has_ended() tells which. Must not throw.
  virtual void pass_ends(Pass& pass);
};

// The observer of this thread, or nullptr.
extern constinit thread_local Observer* attached_observer;
inline Observer* observer() {
  return attached_observer;
}

// An observer that lets the one before it go on working. A program under check may have one of its own attached, and
// what that one sees and replaces is part of what is checked.
class ForwardingObserver : public Observer {
 public:
  ForwardingObserver() : next_(observer()) {}

  void recorded(Node& node, const Inputs& inputs, const Tensor& output) override {
    if (next_) next_->recorded(node, inputs, output);
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

 private:
  Observer* next_;
};

// Attaches an observer for the lifetime of the object; the one before is back afterwards.
class ObserverGuard {
 public:
  explicit ObserverGuard(Observer& observer);
  ~ObserverGuard();
  ObserverGuard(const ObserverGuard&) = delete;
  ObserverGuard& operator=(const ObserverGuard&) = delete;

 private:
  Observer* before_;
};

}  // namespace autograd
