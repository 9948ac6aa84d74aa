#include "autograd/gradcheck/patterns.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "autograd/gradcheck/positions.h"
#include "autograd/tensor/factories.h"

namespace autograd::checker {

double largest_finite(const Values& values) {
  double largest = 0.0;
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

bool is_close(double a, double b, double slack) {
  return a == b || std::abs(a - b) <= slack;
}

bool is_same(double a, double b, double slack) {
  return is_close(a, b, slack) || (std::isnan(a) && std::isnan(b));
}

bool all_same(const Values& a, const Values& b, double slack) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [=](double x, double y) { return is_same(x, y, slack); });
}

std::vector<std::size_t> Arrays::wrong() const {
  std::vector<std::size_t> elements;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (is_wrong(i)) elements.push_back(i);
  }
  return elements;
}

bool Arrays::fits(const Values& candidate) const {
  if (candidate.size() != found.size()) return false;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!is_close(found[i], candidate[i], slack[i])) return false;
  }
  return true;
}

Arrays Arrays::only(const std::vector<std::size_t>& elements) const {
  Arrays some;
  for (const std::size_t i : elements) {
    some.found.push_back(found[i]);
    some.right.push_back(right[i]);
    some.slack.push_back(slack[i]);
  }
  some.shape = Shape(std::ssize(elements));
  return some;
}

bool is_multiple(const Arrays& arrays, double factor) {
  Values multiple = arrays.right;
  for (double& value : multiple) value *= factor;
  return arrays.fits(multiple);
}

double best_factor(const Arrays& arrays) {
  double products = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < arrays.found.size(); ++i) {
    products += arrays.found[i] * arrays.right[i];
    squares += arrays.right[i] * arrays.right[i];
  }
  return squares > 0.0 ? products / squares : 0.0;
}

bool is_exchanged(const Arrays& arrays, int first, int second) {
  return arrays.fits(from_vector(arrays.right, arrays.shape, float64).transpose(first, second).to_vector());
}

bool is_rearranged(const Arrays& arrays) {
  Arrays sorted = arrays;
  std::sort(sorted.found.begin(), sorted.found.end());
  std::sort(sorted.right.begin(), sorted.right.end());
  std::fill(sorted.slack.begin(), sorted.slack.end(), largest_finite(arrays.slack));
  return sorted.fits(sorted.right);
}

std::vector<bool> wrong_along(const Arrays& arrays, int dim) {
  std::vector<bool> wrong(static_cast<std::size_t>(arrays.shape[dim]), false);
  for (const std::size_t i : arrays.wrong()) {
    wrong[static_cast<std::size_t>(index_of(i, arrays.shape)[static_cast<std::size_t>(dim)])] = true;
  }
  return wrong;
}

bool is_related(const Arrays& arrays, Relation relation, const Values& other) {
  const auto holds = [&](std::size_t i) {
    const double found = arrays.found[i];
    const double right = arrays.right[i];
    const double slack = arrays.slack[i];
    switch (relation) {
      case Relation::itself: return is_close(found, other[i], slack);
      case Relation::factor_missing: return is_close(found * other[i], right, slack);
      case Relation::factor_too_many: return is_close(found, right * other[i], slack);
      case Relation::term_missing: return is_close(found + other[i], right, slack);
      case Relation::term_too_many: return is_close(found - other[i], right, slack);
    }
    return false;
  };
  if (other.size() != arrays.found.size()) return false;
  for (std::size_t i = 0; i < other.size(); ++i) {
    if (!holds(i)) return false;
  }
  return true;
}

}  // namespace autograd::checker
