// Statistics of the elements of a tensor, for those who cannot show them all.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace autograd::debug {

struct Statistics {
  std::int64_t finite = 0, nan = 0, infinite = 0, zero = 0;  // how many
  // Of the finite ones; 0 where there are none:
  double smallest = 0.0, largest = 0.0, sum = 0.0, squares = 0.0;

  double mean() const { return finite > 0 ? sum / static_cast<double>(finite) : 0.0; }
  double norm() const { return std::sqrt(squares); }
};

inline Statistics statistics_of(const std::vector<double>& values) {
  Statistics result;
  for (const double value : values) {
    result.nan += std::isnan(value);
    result.infinite += std::isinf(value);
    result.zero += value == 0.0;
    if (!std::isfinite(value)) continue;
    const bool is_first = result.finite++ == 0;
    result.smallest = is_first ? value : std::min(result.smallest, value);
    result.largest = is_first ? value : std::max(result.largest, value);
    result.sum += value;
    result.squares += value * value;
  }
  return result;
}

}  // namespace autograd::debug
