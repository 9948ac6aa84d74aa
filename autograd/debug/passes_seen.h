// PassesSeen: into how many of a thread's backward passes an instrument has looked.
#pragma once

#include <cstdint>
#include <utility>

#include "autograd/tape/observer.h"

namespace autograd::debug {

class PassesSeen {
 public:
  // Into the pass that is running.
  void look() {
    if (std::exchange(last_, *begun_) != *begun_) ++seen_;
  }
  std::int64_t seen() const { return seen_; }
  // Since this object was made; it counts on while the instrument is detached.
  std::int64_t all() const { return *begun_ - before_; }

 private:
  const std::int64_t* begun_ = &outer_passes_begun;  // of this thread, though another one may ask at the program's end
  std::int64_t before_ = outer_passes_begun;
  std::int64_t last_ = outer_passes_begun;
  std::int64_t seen_ = 0;
};

}  // namespace autograd::debug
