// Observer: an instrument that watches the engine at its three funnels: recording an op, running its
// backward, accumulating a gradient. The gradient checker uses it to find the op to blame, the tests to
// plant mistakes. When none is attached, each funnel tests one pointer.
#pragma once

#include "autograd/node.h"

namespace autograd {

class Observer {
 public:
  virtual ~Observer() = default;
  // `node` was put on the tape.
  virtual void recorded(Node& node, const Inputs& inputs, const Tensor& output);
  // Runs the node's backward; may look at, or replace, what it returns.
  virtual Grads run(Node& node, const Tensor& dy);
  // `from`'s backward contributed to the gradient of `to`'s output.
  virtual void accumulated(const Node& from, const Node& to, const Tensor& contribution);
};

// The observer of this thread, or nullptr.
Observer* observer();

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
