// Unobserved: detaches the observer and turns recording off while an instrument computes:  const Unobserved unobserved;
// What it records all the same leaves no gap in the program's numbers.
#pragma once

#include "autograd/tape/backward.h"
#include "autograd/tape/observer.h"
#include "autograd/tape/record.h"

namespace autograd::debug {

class Unobserved {
 public:
  Unobserved() : guard_(silent_) {}

 private:
  Observer silent_;
  ObserverGuard guard_;
  NoGradGuard no_grad_;
  NumbersGuard numbers_;
};

}  // namespace autograd::debug
