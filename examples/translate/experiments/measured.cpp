#include "examples/translate/experiments/measured.h"

#include <fmt/format.h>

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

}  // namespace translate
