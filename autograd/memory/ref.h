// Ref<T>: shared ownership with the count inside the object (T has a member `refs` and a function
// `release(T*)` that is called when the last Ref goes). Counts are not atomic: a graph belongs to
// one thread.
#pragma once

#include <utility>

namespace autograd {

template <class T> class Ref {
 public:
  Ref() = default;
  explicit Ref(T* object) : object_(object) {
    if (object_) ++object_->refs;
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(const Ref& other) {
    Ref copy(other);
    std::swap(object_, copy.object_);
    return *this;
  }
  Ref& operator=(Ref&& other) noexcept {
    Ref taken(std::move(other));
    std::swap(object_, taken.object_);
    return *this;
  }
  ~Ref() {
    if (object_ && --object_->refs == 0) release(object_);
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) { return a.object_ == b.object_; }

 private:
  T* object_ = nullptr;
};

// Frees objects one after the other. One that is released while another is being freed waits in a list, through its
// member `next_to_free`: what holds the next, which holds the next, a million deep, would otherwise overflow the stack.
// (Plain data: objects with static lifetime are freed when a container here would already be destroyed.)
template <class T> class FreedInTurn {
 public:
  template <class Free> void release(T* object, Free&& free) {
    object->next_to_free = waiting_;
    waiting_ = object;
    if (freeing_) return;
    freeing_ = true;
    while (waiting_) free(std::exchange(waiting_, waiting_->next_to_free));
    freeing_ = false;
  }

 private:
  T* waiting_ = nullptr;
  bool freeing_ = false;
};

}  // namespace autograd
