// SmallVector<T, N>: a list that keeps its first N elements in place, so that the usual op (one to
// three inputs) allocates nothing. Longer lists move to the heap.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace autograd {

template <class T, std::size_t N> class SmallVector {
 public:
  SmallVector() = default;
  SmallVector(std::initializer_list<T> values) {
    for (const T& value : values) push_back(value);
  }
  explicit SmallVector(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) push_back(T());
  }

  void push_back(T value) {
    if (size_ < N) {
      inline_[size_] = std::move(value);
    } else {
      if (size_ == N) move_to_heap();
      heap_.push_back(std::move(value));
    }
    ++size_;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return size_ <= N ? inline_.data() : heap_.data(); }
  T* end() { return begin() + size_; }
  const T* begin() const { return size_ <= N ? inline_.data() : heap_.data(); }
  const T* end() const { return begin() + size_; }
  T& operator[](std::size_t i) { return begin()[i]; }
  const T& operator[](std::size_t i) const { return begin()[i]; }

 private:
  void move_to_heap() {
    for (T& value : inline_) heap_.push_back(std::move(value));
  }

  std::size_t size_ = 0;
  std::array<T, N> inline_{};
  std::vector<T> heap_;  // all elements, once there are more than N
};

}  // namespace autograd
