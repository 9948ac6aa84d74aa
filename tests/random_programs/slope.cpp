#include "slope.h"

#include <fmt/core.h>

namespace random_programs {

std::string judge_slope(double analytic, const Slope& slope, double tolerance) {
  const double error = std::abs(analytic - slope.value);
  if (error <= slope.error + tolerance) return "";
  return fmt::format("the derivative along a direction is {:.12g}, differences say {:.12g}, error {:.2g}", analytic,
                     slope.value, error);
}

}  // namespace random_programs
