#include "autograd/tape/observer.h"

namespace autograd {

constinit thread_local Observer* attached_observer = nullptr;

void Observer::recorded(Node&, const Inputs&, const Tensor&) {}

Grads Observer::run(Node& node, const Tensor& dy) {
  return node.backward(dy);
}

void Observer::accumulated(const Node&, std::size_t, const Tensor&) {}

void Observer::pass_begins(Pass&) {}

void Observer::pass_ends(Pass&) {}

ObserverGuard::ObserverGuard(Observer& observer) : before_(attached_observer) {
  attached_observer = &observer;
}

ObserverGuard::~ObserverGuard() {
  attached_observer = before_;
}

}  // namespace autograd
