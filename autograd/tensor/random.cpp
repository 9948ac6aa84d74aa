#include "autograd/tensor/random.h"

#include <fmt/core.h>

#include <cmath>

#include "autograd/tensor/error.h"

namespace autograd {
namespace {

std::uint64_t rotate_left(std::uint64_t x, int k) {
  return (x << k) | (x >> (64 - k));
}

// splitmix64 (Steele, Lea and Flood 2014): spreads any seed over the whole state.
std::uint64_t splitmix(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// ln(x) for 0 < x, from additions, multiplications and divisions alone, which round the same way on every
// machine: x = m * 2^e with m in [sqrt(1/2), sqrt(2)), and ln(m) = 2 artanh((m - 1) / (m + 1)) as a series.
double portable_log(double x) {
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);  // exact
  if (mantissa < 0.70710678118654752) {
    mantissa *= 2.0;
    --exponent;
  }
  const double t = (mantissa - 1.0) / (mantissa + 1.0);
  const double t2 = t * t;
  double series = 0.0;
  for (int k = 21; k >= 1; k -= 2) series = series * t2 + 1.0 / k;
  return 2.0 * t * series + exponent * 0.69314718055994531;
}

}  // namespace

void Generator::manual_seed(std::uint64_t seed) {
  state_ = State{};
  for (std::uint64_t& word : state_.words) word = splitmix(seed);
}

std::uint64_t Generator::next() {
  auto& s = state_.words;
  const std::uint64_t result = rotate_left(s[1] * 5, 7) * 9;
  const std::uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate_left(s[3], 45);
  return result;
}

double Generator::uniform() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

// Marsaglia's polar method: a point in the unit disc gives two independent normal numbers.
double Generator::normal() {
  if (state_.has_spare) {
    state_.has_spare = false;
    return state_.spare_normal;
  }
  double u = 0.0, v = 0.0, square = 0.0;
  do {
    u = 2.0 * uniform() - 1.0;
    v = 2.0 * uniform() - 1.0;
    square = u * u + v * v;
  } while (square >= 1.0 || square == 0.0);
  const double factor = std::sqrt(-2.0 * portable_log(square) / square);
  state_.spare_normal = v * factor;
  state_.has_spare = true;
  return u * factor;
}

std::int64_t Generator::integer(std::int64_t low, std::int64_t high) {
  if (low >= high) {
    fail(ErrorId::bad_argument, "integer", Where{}, fmt::format("there is no integer in [{}, {})", low, high),
         "make high larger than low");
  }
  const std::uint64_t range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  // The last, incomplete stretch of the 64-bit range would favour small numbers; draw again there.
  const std::uint64_t usable = UINT64_MAX - UINT64_MAX % range;
  std::uint64_t bits = next();
  while (bits >= usable) bits = next();
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + bits % range);
}

Generator& default_generator() {
  thread_local Generator generator;
  return generator;
}

void manual_seed(std::uint64_t seed) {
  default_generator().manual_seed(seed);
}

}  // namespace autograd
