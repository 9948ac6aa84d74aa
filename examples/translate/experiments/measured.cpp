#include "examples/translate/experiments/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "examples/translate/report/report.h"

namespace translate {
double Measured::mean() const {
  if (values.empty()) return not_measured;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double Measured::spread() const {
  if (!has_spread()) return 0.0;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean()) * (value - mean());
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::string Measured::text(int digits) const {
  const std::string number = number_text(mean(), digits);
  return has_spread() && std::isfinite(mean()) ? fmt::format("{} ± {:.{}f}", number, spread(), digits) : number;
}

Held held_in(const Measured& larger, const std::vector<Measured>& others) {
  Held result;
  for (std::size_t seed = 0; seed < larger.values.size(); ++seed) {
    const double value = larger.values[seed];
    const auto is_measured = [seed](const Measured& other) {
      return seed < other.values.size() && !std::isnan(other.values[seed]);
    };
    if (std::isnan(value) || !std::ranges::all_of(others, is_measured)) continue;
    ++result.of;
    if (std::ranges::all_of(others, [&](const Measured& other) { return value > other.values[seed]; })) ++result.held;
  }
  return result;
}

}  // namespace translate
