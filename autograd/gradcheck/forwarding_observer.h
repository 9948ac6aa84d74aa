// ForwardingObserver: an observer that lets the one before it go on working. A program under check may have one of
// its own attached, and what that one sees and replaces is part of what is checked.
#pragma once

#include "autograd/observer.h"

namespace autograd::checker {

class ForwardingObserver : public Observer {
 public:
  ForwardingObserver() : next_(observer()) {}

  void recorded(Node& node, const Inputs& inputs, const Tensor& output) override {
    if (next_) next_->recorded(node, inputs, output);
  }
  Grads run(Node& node, const Tensor& dy) override { return next_ ? next_->run(node, dy) : node.backward(dy); }
  void accumulated(const Node& from, const Node& to, const Tensor& contribution) override {
    if (next_) next_->accumulated(from, to, contribution);
  }

 private:
  Observer* next_;
};

}  // namespace autograd::checker
