// Grad mode: the switch that turns the recording of ops on and off. Each thread has its own.
#pragma once

namespace autograd {

inline constinit thread_local bool grad_mode = true;

// Are ops recorded? The innermost guard decides; true without one. backward() and grad() open a guard too.
inline bool grad_enabled() {
  return grad_mode;
}

// Turns recording on or off for the lifetime of the object.
class GradModeGuard {
 public:
  explicit GradModeGuard(bool enabled) : before_(grad_mode) { grad_mode = enabled; }
  ~GradModeGuard() { grad_mode = before_; }
  GradModeGuard(const GradModeGuard&) = delete;
  GradModeGuard& operator=(const GradModeGuard&) = delete;

 private:
  bool before_;
};

// Turns recording off for the lifetime of the object:  NoGradGuard no_grad;
class NoGradGuard : public GradModeGuard {
 public:
  NoGradGuard() : GradModeGuard(false) {}
};

}  // namespace autograd
