#include "compare.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "numbers.h"

namespace random_programs {
namespace {

bool agree(double a, double b, double tolerance) {
  if (std::isnan(a) && std::isnan(b)) return true;
  if (tolerance == to_the_bit) return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  return std::abs(a - b) <= tolerance || a == b;
}

}  // namespace

std::string difference(const std::string& what, const Tensor& found, const Tensor& wanted, double tolerance) {
  if (!found.defined() && !wanted.defined()) return "";
  if (!found.defined()) return fmt::format("{} is undefined, should be {}", what, wanted);
  if (!wanted.defined()) return fmt::format("{} is {}, should be undefined", what, found);
  if (!(found.shape() == wanted.shape())) {
    return fmt::format("{} is {}, should be {}", what, found.shape(), wanted.shape());
  }
  const std::vector<double> a = found.to_vector();
  const std::vector<double> b = wanted.to_vector();
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!agree(a[i], b[i], tolerance)) {
      return fmt::format("{}, {}, element {}: {:.17g}, should be {:.17g}", what, wanted.shape(), i, a[i], b[i]);
    }
  }
  return "";
}

std::string difference(const std::string& what, const std::vector<Tensor>& found, const std::vector<Tensor>& wanted,
                       double tolerance) {
  if (found.size() != wanted.size()) return fmt::format("{} {}, should be {}", found.size(), what, wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string wrong = difference(fmt::format("number {} of the {}", i, what), found[i], wanted[i], tolerance);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

double largest_in(const std::vector<Tensor>& tensors) {
  double largest = 1.0;
  for (const Tensor& tensor : tensors) largest = std::max(largest, largest_finite(tensor));
  return largest;
}

std::string difference(double analytic, const Slope& slope, double tolerance) {
  const double error = std::abs(analytic - slope.value);
  if (error <= slope.error + tolerance) return "";
  return fmt::format("the derivative along a direction is {:.12g}, differences say {:.12g}, error {:.2g}", analytic,
                     slope.value, error);
}

std::vector<Tensor> directions(const std::vector<Tensor>& tensors, std::int64_t seed) {
  std::vector<Tensor> result;
  for (const Tensor& tensor : tensors) result.push_back(random_signed(seed++, tensor.shape()));
  return result;
}

double dot(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].defined() && b[i].defined()) sum += (a[i].detach() * b[i]).sum().item();
  }
  return sum;
}

}  // namespace random_programs
