// Patterns: what connects an array of numbers with the one that it should be. These are facts: a gradient check and the
// judge of an exercise each make their own sentences of them.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/tensor/shape.h"

namespace autograd::checker {

using Values = std::vector<double>;

// The largest absolute value of those that are finite; 0 if none is.
double largest_finite(const Values& values);

// NaN is close to nothing, an infinity to itself.
bool is_close(double a, double b, double slack);
// Close, or both NaN.
bool is_same(double a, double b, double slack);
// As many, and the same one by one.
bool all_same(const Values& a, const Values& b, double slack);

struct Arrays {
  Values found;
  Values right;
  Values slack;  // of each element: smaller differences mean nothing
  Shape shape;

  bool is_wrong(std::size_t i) const { return !is_close(found[i], right[i], slack[i]); }
  std::vector<std::size_t> wrong() const;
  // Are these the numbers that were found?
  bool fits(const Values& candidate) const;
  // A list of some elements.
  Arrays only(const std::vector<std::size_t>& elements) const;
};

// Are all numbers the right ones times this?
bool is_multiple(const Arrays& arrays, double factor);
// The factor that brings the right numbers closest to those found; 0 if they are all 0.
double best_factor(const Arrays& arrays);

// The right numbers in the order in which they lie after exchanging two dims.
bool is_exchanged(const Arrays& arrays, int first, int second);
// The right numbers in some order.
bool is_rearranged(const Arrays& arrays);
// For each position along the dim: is anything wrong there?
std::vector<bool> wrong_along(const Arrays& arrays, int dim);

// How an array of the same shape may come between the numbers found and the right ones, at every element.
enum class Relation { itself, factor_missing, factor_too_many, term_missing, term_too_many };
bool is_related(const Arrays& arrays, Relation relation, const Values& other);

}  // namespace autograd::checker
