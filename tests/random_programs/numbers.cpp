#include "numbers.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace random_programs {

using autograd::Shape;
using autograd::Tensor;

std::uint64_t random_bits(std::int64_t seed, std::int64_t position) {
  std::uint64_t z = static_cast<std::uint64_t>(seed) * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(position);
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double random_number(std::int64_t seed, std::int64_t position) {
  return static_cast<double>(random_bits(seed, position) >> 11) * 0x1p-53;
}

namespace {

template <class Next> Tensor generate(const Shape& shape, autograd::DType dtype, Next&& next) {
  std::vector<double> values(static_cast<std::size_t>(shape.numel()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = next(static_cast<std::int64_t>(i));
  return autograd::from_vector(values, shape, dtype);
}

}  // namespace

Tensor random_signed(std::int64_t seed, const Shape& shape) {
  return generate(shape, autograd::float64, [&](std::int64_t i) { return 4.0 * random_number(seed, i) - 2.0; });
}

Tensor random_positive(std::int64_t seed, const Shape& shape) {
  return generate(shape, autograd::float64, [&](std::int64_t i) { return 1.75 * random_number(seed, i) + 0.25; });
}

Tensor random_integers(std::int64_t seed, std::int64_t bound, const Shape& shape) {
  return generate(shape, autograd::int64, [&](std::int64_t i) {
    return static_cast<double>(random_bits(seed, i) % static_cast<std::uint64_t>(bound));
  });
}

Tensor random_mask(std::int64_t seed, const Shape& shape) {
  return generate(shape, autograd::boolean, [&](std::int64_t i) { return random_bits(seed, i) % 4 != 0; });
}

double largest_of(const Tensor& x) {
  double largest = 0.0;
  for (const double value : x.to_vector()) {
    if (!(std::abs(value) <= largest)) largest = std::abs(value);  // NaN too
  }
  return largest;
}

double largest_finite(const Tensor& x) {
  double largest = 0.0;
  if (!x.defined()) return largest;
  for (const double value : x.to_vector()) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

}  // namespace random_programs
