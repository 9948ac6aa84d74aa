// SmallVector<T, N>: a list that keeps up to N elements in place, so that the usual op (one to three
// inputs) allocates nothing. Longer lists live on the heap.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace autograd {

template <class T, std::size_t N> class SmallVector {
 public:
  SmallVector() {}
  // {a, b, c}, each copied or moved once; an initializer_list would copy it again. (SmallVector() first: if the memory
  // for an element is missing, the destructor frees those before it.)
  template <std::convertible_to<T>... Values>
  requires(sizeof...(Values) > 0) SmallVector(Values&&... values) : SmallVector() {
    (push_back(std::forward<Values>(values)), ...);
  }
  explicit SmallVector(std::size_t count) : SmallVector() {
    for (std::size_t i = 0; i < count; ++i) push_back(T());
  }
  SmallVector(const SmallVector& other) : SmallVector() {
    for (const T& value : other) push_back(value);
  }
  SmallVector(SmallVector&& other) noexcept { take(other); }
  SmallVector& operator=(const SmallVector& other) { return *this = SmallVector(other); }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this == &other) return *this;
    clear();
    take(other);
    return *this;
  }
  ~SmallVector() { clear(); }

  void push_back(T value) { emplace_back(std::move(value)); }
  // Appends T(values...), constructed in place.
  template <class... Values> void emplace_back(Values&&... values) {
    if (size_ == capacity_) grow();
    new (end()) T(std::forward<Values>(values)...);
    ++size_;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return capacity_ == N ? in_place_ : heap_; }
  T* end() { return begin() + size_; }
  const T* begin() const { return capacity_ == N ? in_place_ : heap_; }
  const T* end() const { return begin() + size_; }
  T& operator[](std::size_t i) { return begin()[i]; }
  const T& operator[](std::size_t i) const { return begin()[i]; }

 private:
  [[gnu::noinline]] void grow() {
    const std::uint32_t larger = 2 * capacity_;
    T* elements = std::allocator<T>().allocate(larger);
    std::uninitialized_move(begin(), end(), elements);
    const std::uint32_t count = size_;
    clear();
    heap_ = elements;
    capacity_ = larger;
    size_ = count;
  }

  // Takes over the other list's elements. This list must be empty.
  void take(SmallVector& other) {
    if (other.capacity_ == N) {
      std::uninitialized_move(other.begin(), other.end(), begin());
      size_ = other.size_;
      other.clear();
      return;
    }
    heap_ = other.heap_;
    capacity_ = std::exchange(other.capacity_, static_cast<std::uint32_t>(N));
    size_ = std::exchange(other.size_, 0);
  }

  void clear() {
    std::destroy(begin(), end());
    if (capacity_ > N) std::allocator<T>().deallocate(heap_, capacity_);
    size_ = 0;
    capacity_ = N;
  }

  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = N;  // more than N: the elements are on the heap
  union {
    T in_place_[N];
    T* heap_;
  };
};

}  // namespace autograd
