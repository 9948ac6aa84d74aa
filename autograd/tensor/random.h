// The random number generator: xoshiro256** (Blackman and Vigna 2018), seeded by splitmix64. Normal numbers by
// Marsaglia's polar method with a logarithm of our own, because the C library's differs from machine to machine:
// the same seed gives the same bits everywhere.
#pragma once

#include <array>
#include <cstdint>

namespace autograd {

class Generator {
 public:
  explicit Generator(std::uint64_t seed = 0) { manual_seed(seed); }
  void manual_seed(std::uint64_t seed);

  std::uint64_t next();                                       // 64 random bits
  double uniform();                                           // [0, 1), 53 random bits
  double normal();                                            // mean 0, standard deviation 1
  std::int64_t integer(std::int64_t low, std::int64_t high);  // [low, high), unbiased

  // All that is needed to continue the sequence later.
  struct State {
    std::array<std::uint64_t, 4> words{};
    double spare_normal = 0.0;
    bool has_spare = false;
  };
  const State& state() const { return state_; }
  void set_state(const State& state) { state_ = state; }

 private:
  State state_;
};

// The generator that factories, initialisers and dropout draw from (one per thread), and its seed: 0 at the start.
Generator& default_generator();
void manual_seed(std::uint64_t seed);

}  // namespace autograd
