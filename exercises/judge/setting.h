// Setting: what the inputs of a run depend on: the sizes of the axes, the seed, and of what kind the numbers are. An
// answer is judged at the usual setting, which the exercise's check names, and is not right before it is right at some
// others, too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace judge {

struct Axis {
  std::string name;
  std::int64_t size = 0;
  bool operator==(const Axis&) const = default;
};
using Axes = std::vector<Axis>;
extern const Axes axes;  // each exercise's check.cpp defines it; empty if the exercise has none

inline constexpr std::uint64_t usual_seed = 20150407;

// What randn() gives.
enum class Numbers {
  usual,
  zeros_and_ties,  // multiples of 1/2
  positive,
  negative,
  far_apart  // one in four is 20 times as large, one in four a 20th
};

struct Setting {
  Axes sizes;
  std::uint64_t seed = usual_seed;
  Numbers numbers = Numbers::usual;
  bool operator==(const Setting&) const = default;
};

Setting usual_setting();
// Other sizes and seeds, at which every exercise's check must work. No length is less than two: a sum over one entry
// proves nothing. `seed` chooses other numbers for them, as graders do.
std::vector<Setting> other_settings(std::uint64_t seed = 0);
// And what is easily forgotten: the same sizes a second time, with other numbers; one of something; zeros and ties.
// Where an exercise has no right answer there, nothing is asked.
std::vector<Setting> special_settings(std::uint64_t seed = 0);
// And sizes drawn at random, one of them far from the usual one, with numbers of each kind.
std::vector<Setting> drawn_settings(std::uint64_t seed = 0);

Axes with_size(Axes sizes, const std::string& name, std::int64_t size);

}  // namespace judge
