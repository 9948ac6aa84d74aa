// The dice of what is random here, and sizes by letters.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "words.h"

namespace random_programs {

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : random_(seed) {}

  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(count));
  }
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }
  template <class T> const T& one_of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(below(std::ssize(choices)))];
  }

 private:
  std::mt19937_64 random_;
};

// The sizes that the letters of a layout stand for, in one call.
using Sizes = std::map<char, std::int64_t>;

// `another` gives the size of a letter that is new.
std::int64_t size_of_letter(char letter, Sizes& sizes, const std::function<std::int64_t()>& another);
Shape shape_of_layout(const std::string& layout, Sizes& sizes, const std::function<std::int64_t()>& another);
// Has the shape this layout? Fills in the sizes of new letters.
bool has_layout(const Shape& shape, const std::string& layout, Sizes& sizes);

}  // namespace random_programs
