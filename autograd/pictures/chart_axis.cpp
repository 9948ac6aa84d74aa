#include "autograd/pictures/chart_axis.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace autograd {
namespace {

constexpr double largest = 1e300;    // differences of such values are still finite
constexpr double smallest = 1e-300;  // steps within such ranges are still exact
constexpr double tolerance = 1e-9;   // of a step: rounding must not lose a tick
constexpr int about = 6;             // ticks on an axis

int exponent_of(double value) {
  return static_cast<int>(std::floor(std::log10(std::abs(value)) + tolerance));
}

std::string power_of_ten(int exponent) {
  constexpr std::array<std::string_view, 10> digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = "10";
  for (const char c : std::to_string(exponent)) text += c == '-' ? "⁻" : digits[static_cast<std::size_t>(c - '0')];
  return text;
}

// With as many decimals as the step from one tick to the next needs.
ChartTick tick_at(double value, double step) {
  if (std::abs(value) < step * tolerance) return {0.0, "0"};
  const int exponent = exponent_of(value);
  if (exponent >= -4 && exponent <= 5) return {value, fmt::format("{:.{}f}", value, std::max(0, -exponent_of(step)))};
  const std::string factor = fmt::format("{:.3g}", value / std::pow(10.0, exponent));
  return {value, (factor == "1" ? "" : factor + "×") + power_of_ten(exponent)};
}

// 1, 2 or 5 times a power of ten apart, or whole numbers where only those occur.
std::vector<ChartTick> linear_ticks(double low, double high, double least_step) {
  const double rough = (high - low) / about;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10.0 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (rough <= factor * power * (1.0 + tolerance)) step = factor * power;
  }
  step = std::max(step, least_step);
  std::vector<ChartTick> ticks;
  const double last = std::ceil(high / step - tolerance);
  for (double i = std::floor(low / step + tolerance); i <= last; ++i) ticks.push_back(tick_at(i * step, step));
  return ticks;
}

// Powers of ten; 1, 2 and 5 times these where there are few; round numbers where the axis reaches over less.
std::vector<ChartTick> logarithmic_ticks(double low, double high) {
  const double decades = std::log10(high) - std::log10(low);
  if (decades < 0.8) {
    std::vector<ChartTick> ticks = linear_ticks(low, high, 0.0);
    std::erase_if(ticks, [](const ChartTick& tick) { return tick.value <= 0.0; });
    return ticks;
  }
  const int every = std::max(1, static_cast<int>(std::ceil(decades / about)));
  std::vector<ChartTick> ticks;
  for (int exponent = exponent_of(low) / every * every - every; exponent <= exponent_of(high) + every;
       exponent += every) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10.0, exponent);
      if (factor == 1.0 || decades < 3.0) ticks.push_back(tick_at(value, value));
    }
  }
  // One at each end is enough.
  while (ticks.size() > 2 && ticks[1].value <= low * (1.0 + tolerance)) ticks.erase(ticks.begin());
  while (ticks.size() > 2 && ticks[ticks.size() - 2].value >= high * (1.0 - tolerance)) ticks.pop_back();
  return ticks;
}

}  // namespace

ChartAxis::ChartAxis(const std::vector<double>& values, bool logarithmic, bool from_zero) : logarithmic_(logarithmic) {
  std::vector<double> shown;
  for (const double value : values) {
    if (can_show(value)) shown.push_back(value);
  }
  if (from_zero && !logarithmic) shown.push_back(0.0);
  if (shown.empty()) shown = {logarithmic ? 0.1 : 0.0, 1.0};
  const auto [least, most] = std::minmax_element(shown.begin(), shown.end());
  low_ = *least;
  high_ = *most;
  const double size = std::max(std::abs(low_), std::abs(high_));
  // Around a single value there is some room.
  if (logarithmic && high_ <= low_ * (1.0 + tolerance)) {
    low_ /= 2.0;
    high_ *= 2.0;
  } else if (!logarithmic && high_ - low_ <= std::max(size * tolerance, smallest)) {
    const double room = size > smallest * 1e3 ? size / 10.0 : 1.0;
    low_ -= room;
    high_ += room;
  }
  const bool are_counts = std::all_of(shown.begin(), shown.end(), [](double x) { return x == std::floor(x); });
  ticks_ = logarithmic ? logarithmic_ticks(low_, high_) : linear_ticks(low_, high_, are_counts ? 1.0 : 0.0);
  low_ = std::min(low_, ticks_.front().value);
  high_ = std::max(high_, ticks_.back().value);
}

bool ChartAxis::can_show(double value) const {
  return std::abs(value) <= largest && (!logarithmic_ || value >= smallest);  // NaN is not
}

double ChartAxis::scaled(double value) const {
  return logarithmic_ ? std::log10(std::max(value, smallest)) : value;
}

double ChartAxis::operator()(double value) const {
  return std::clamp((scaled(value) - scaled(low_)) / (scaled(high_) - scaled(low_)), 0.0, 1.0);
}

}  // namespace autograd
