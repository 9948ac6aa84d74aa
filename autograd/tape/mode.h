// Mode: how the ops of this thread run. Are they recorded, and does somebody watch? Each guard sets one of these for
// the lifetime of the object.
#pragma once

namespace autograd {

class Observer;  // an instrument that watches; observer.h

struct Mode {
  bool records = true;
  Observer* observer = nullptr;
  int observer_guards = 0;  // how many are open: only under its own may an instrument detach itself for a while
};
inline constinit thread_local Mode mode_of_thread;

// Are ops recorded? The innermost guard decides; true without one. backward() and grad() open a guard too.
inline bool grad_enabled() {
  return mode_of_thread.records;
}

// Turns recording on or off.
class GradModeGuard {
 public:
  explicit GradModeGuard(bool enabled) : before_(mode_of_thread.records) { mode_of_thread.records = enabled; }
  ~GradModeGuard() { mode_of_thread.records = before_; }
  GradModeGuard(const GradModeGuard&) = delete;
  GradModeGuard& operator=(const GradModeGuard&) = delete;

 private:
  bool before_;
};

// Turns recording off:  NoGradGuard no_grad;
class NoGradGuard : public GradModeGuard {
 public:
  NoGradGuard() : GradModeGuard(false) {}
};

// The observer of this thread, or nullptr.
inline Observer* observer() {
  return mode_of_thread.observer;
}

// Attaches an observer, or none, in place of the one before.
class ObserverGuard {
 public:
  explicit ObserverGuard(Observer& observer) : ObserverGuard(&observer) {}
  explicit ObserverGuard(Observer* observer) : before_(mode_of_thread.observer) {
    mode_of_thread.observer = observer;
    ++mode_of_thread.observer_guards;
  }
  ~ObserverGuard() {
    mode_of_thread.observer = before_;
    --mode_of_thread.observer_guards;
  }
  ObserverGuard(const ObserverGuard&) = delete;
  ObserverGuard& operator=(const ObserverGuard&) = delete;

 private:
  Observer* before_;
};

}  // namespace autograd
