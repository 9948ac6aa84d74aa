#include "autograd/gradcheck/rounding_noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "autograd/gradcheck/numeric_derivative.h"

namespace autograd::checker {
namespace {

constexpr int points = 12;
constexpr int lowest_order = 4;
constexpr int highest_order = 6;
constexpr double most_apart = 4.0;  // how much the orders may differ for pure noise
// With few bits, so that x + k d is exact, but no powers of two: 1e6 + x is rounded to multiples of one (about 1e-10),
// and steps that are multiples of that show no rounding. Wider roundings, as in float32, do not look like noise here.
constexpr std::array<double, 2> spacings = {0x1.5fp-43, 0x1.5fp-33};

void take_differences(std::vector<double>& values) {
  for (std::size_t i = 0; i + 1 < values.size(); ++i) values[i] = values[i + 1] - values[i];
  values.pop_back();
}

// The standard deviation of independent noise, from its differences of order k. These are larger than the noise by
// sqrt((2k)! / (k!)^2).
double deviation(const std::vector<double>& differences, int order) {
  double sum = 0.0;
  for (const double difference : differences) sum += difference * difference;
  double growth = 1.0;
  for (int k = 1; k <= order; ++k) growth *= static_cast<double>(order + k) / k;
  return std::sqrt(sum / static_cast<double>(differences.size()) / growth);
}

// The noise on one side of x, to the left if the spacing is negative. 0 if the orders do not agree: then the curve is
// not smooth at this scale.
double noise_beside(const Probe& probe, double& element, double spacing) {
  std::vector<double> values;
  for (int k = 1; k <= points; ++k) values.push_back(probe.change(element, element + k * spacing));
  double smallest = INFINITY;
  double largest = 0.0;
  for (int order = 1; order <= highest_order; ++order) {
    take_differences(values);
    if (order < lowest_order) continue;
    const double noise = deviation(values, order);
    if (!std::isfinite(noise)) return 0.0;
    smallest = std::min(smallest, noise);
    largest = std::max(largest, noise);
  }
  return largest <= most_apart * smallest ? smallest : 0.0;
}

}  // namespace

double rounding_noise(const Probe& probe, double& element) {
  double noise = 0.0;
  for (const double spacing : spacings) {
    const double d = spacing * std::exp2(std::ceil(std::log2(step_unit(element))));
    const double left = noise_beside(probe, element, -d);
    const double right = noise_beside(probe, element, d);
    noise = std::max({noise, left, right});
  }
  return noise;
}

}  // namespace autograd::checker
