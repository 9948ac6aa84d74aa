#include "autograd/observer.h"

#include "autograd/debug/start.h"

namespace autograd {

// Defined here, so that every program that records an op links this file, and with it what follows.
constinit thread_local Observer* attached_observer = nullptr;

namespace {

// Instruments that the environment variable BACKSTEP asks for are there before main(). Named here, where no program
// that links the engine can leave it out.
[[maybe_unused]] const bool started = debug::start_from_environment();

}  // namespace

void Observer::recorded(Node&, const Inputs&, const Tensor&) {}

Grads Observer::run(Node& node, const Tensor& dy) {
  return node.backward(dy);
}

void Observer::accumulated(const Node&, std::size_t, const Tensor&) {}

void Observer::pass_begins(Pass&) {}

void Observer::pass_ends(Pass&) {}

bool runs_op_by_op() {
#ifdef BACKSTEP_EVERY_BACKWARD_RUNS
  return true;
#else
  return attached_observer != nullptr;
#endif
}

ObserverGuard::ObserverGuard(Observer& observer) : before_(attached_observer) {
  attached_observer = &observer;
}

ObserverGuard::~ObserverGuard() {
  attached_observer = before_;
}

}  // namespace autograd
