// Part of an answer that has to do without the tape, since the derivative is what is to be written.
#pragma once

#include <autograd/tape/observer.h>

#include <stdexcept>

namespace judge {

class NoTape final : public autograd::ForwardingObserver {
 public:
  void pass_begins(autograd::Pass&) override {
    throw std::runtime_error("your code calls backward() or grad(); here the formulas are to be written by you");
  }
};

// Calls it; backward() and grad() are errors until it returns.
template <class Call> auto by_hand(Call call) {
  NoTape no_tape;
  const autograd::ObserverGuard guard(no_tape);
  return call();
}

}  // namespace judge
