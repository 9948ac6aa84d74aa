// Part of an answer that must do without the tape: the derivative is what you write.
#pragma once

#include <autograd/tape/observer.h>

#include <stdexcept>

namespace judge {

class NoTape final : public autograd::Observer {
 public:
  void pass_begins(autograd::Pass&) override {
    throw std::runtime_error("your code calls backward() or grad(); write the formulas yourself here");
  }
};

// Calls it; backward() and grad() are errors until it returns.
template <class Call> auto by_hand(Call call) {
  NoTape no_tape;
  const autograd::ObserverGuard guard(no_tape);
  return call();
}

}  // namespace judge
