// While an instrument computes, no instrument sees it, and nothing is recorded.
#pragma once

#include "autograd/backward.h"
#include "autograd/observer.h"

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
