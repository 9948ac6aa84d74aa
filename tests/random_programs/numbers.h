// Random numbers by seed and position, the same in C++ and in Python (fixtures/random_programs.py): so that a program
// need not carry the elements of its tensors.
#pragma once

#include <autograd/autograd.h>

#include <cstdint>

namespace random_programs {

// SplitMix64 (Steele, Lea and Flood 2014) of seed and position.
std::uint64_t random_bits(std::int64_t seed, std::int64_t position);
// On [0, 1), a multiple of 2^-53.
double random_number(std::int64_t seed, std::int64_t position);

autograd::Tensor random_signed(std::int64_t seed, const autograd::Shape& shape);    // on [-2, 2)
autograd::Tensor random_positive(std::int64_t seed, const autograd::Shape& shape);  // on [0.25, 2)
autograd::Tensor random_integers(std::int64_t seed, std::int64_t bound, const autograd::Shape& shape);
autograd::Tensor random_mask(std::int64_t seed, const autograd::Shape& shape);  // three of four are true

// The largest element without its sign: NaN if there is one, and 0 where there is none.
double largest_of(const autograd::Tensor& x);
double largest_finite(const autograd::Tensor& x);  // among those that are finite

}  // namespace random_programs
