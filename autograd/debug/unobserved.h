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
  ~Unobserved() { numbers_of_thread = numbers_; }
  Unobserved(const Unobserved&) = delete;
  Unobserved& operator=(const Unobserved&) = delete;

 private:
  Observer silent_{nullptr};
  ObserverGuard guard_;
  NoGradGuard no_grad_;
  const Numbers numbers_ = numbers_of_thread;
};

}  // namespace autograd::debug
