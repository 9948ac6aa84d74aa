// What functions take as a dim, a count or a flag. C++ would convert true or 1.5 to dim 1, and a second dim to
// keepdim: calls that PyTorch refuses or means otherwise. For these types they do not compile.
#pragma once

#include <concepts>
#include <cstdint>

namespace autograd {

template <class T>
concept WholeNumber = std::integral<T> && !std::same_as<T, bool>;

class Int {
 public:
  template <WholeNumber T> constexpr Int(T value) : value_(static_cast<std::int64_t>(value)) {}
  constexpr operator std::int64_t() const { return value_; }

 private:
  std::int64_t value_;
};

class Flag {
 public:
  template <std::same_as<bool> T> constexpr Flag(T value) : value_(value) {}
  constexpr operator bool() const { return value_; }

 private:
  bool value_;
};

// Of var and std: the divisor is n - correction. PyTorch's older form of it is the bool `unbiased`, and true is 1.
class Correction {
 public:
  template <std::integral T> constexpr Correction(T value) : value_(static_cast<std::int64_t>(value)) {}
  constexpr operator std::int64_t() const { return value_; }

 private:
  std::int64_t value_;
};

}  // namespace autograd
