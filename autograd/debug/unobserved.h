// Unobserved: detaches the observer and turns recording off while an instrument computes:  const Unobserved unobserved;
#pragma once

#include "autograd/tape/backward.h"
#include "autograd/tape/observer.h"

namespace autograd::debug {

class Unobserved {
 public:
  Unobserved() : guard_(silent_) {}

 private:
  Observer silent_;
  ObserverGuard guard_;
  NoGradGuard no_grad_;
};

}  // namespace autograd::debug
