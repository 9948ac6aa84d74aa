#include "nn/pictures/chart_axis.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace nn {
namespace {

constexpr double largest = 1e300;    // differences of such values are still finite
constexpr double smallest = 1e-300;  // steps within such ranges are still exact
constexpr double tolerance = 1e-9;   // of a step: rounding must not lose a tick

// 1, 2 or 5 times a power of ten.
double round_step(double range, int about) {
  const double step = range / about;
  const double power = std::pow(10.0, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (step <= factor * power * (1.0 + tolerance)) return factor * power;
  }
  return 10.0 * power;
}

int exponent_of(double value) {
  return static_cast<int>(std::floor(std::log10(std::abs(value)) + tolerance));
}

std::string superscript(int number) {
  constexpr std::array<std::string_view, 10> digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char letter : std::to_string(number)) {
    text += letter == '-' ? "⁻" : digits[static_cast<std::size_t>(letter - '0')];
  }
  return text;
}

// "-1234567.5" -> "−1,234,567.5"
std::string with_separators(std::string digits) {
  const bool negative = digits.front() == '-';
  if (negative) digits.erase(0, 1);
  std::size_t end = std::min(digits.find('.'), digits.size());
  if (end >= 5) {  // four digits are read at once
    while (end > 3) {
      end -= 3;
      digits.insert(end, ",");
    }
  }
  return (negative ? "−" : "") + digits;
}

// "5×10⁻⁷", "10⁶"; decimals are those of the 5.
std::string in_powers_of_ten(double value, int exponent, int decimals) {
  const std::string power = "10" + superscript(exponent);
  const std::string factor = fmt::format("{:.{}f}", value / std::pow(10.0, exponent), decimals);
  if (factor == "1") return power;
  return with_separators(factor) + "×" + power;
}

// All ticks of an axis are written alike: as many decimals as their step needs.
std::string linear_text(double value, double step, double furthest) {
  if (std::abs(value) < step * tolerance) return "0";
  const int last_digit = exponent_of(step);
  if (furthest >= 1e7 || step < 1e-4) {
    const int exponent = exponent_of(furthest);
    return in_powers_of_ten(value, exponent, std::clamp(exponent - last_digit, 0, 15));
  }
  return with_separators(fmt::format("{:.{}f}", value, std::max(0, -last_digit)));
}

std::string logarithmic_text(double value) {
  const int exponent = exponent_of(value);
  if (exponent < -3 || exponent > 4) return in_powers_of_ten(value, exponent, 0);
  return with_separators(fmt::format("{:.{}f}", value, std::max(0, -exponent)));
}

// factor * 10^k within the ends, for each of the factors.
std::vector<double> multiples_of_powers(double low, double high, const std::vector<double>& factors, int every) {
  std::vector<double> values;
  for (int exponent = exponent_of(low); exponent <= exponent_of(high); ++exponent) {
    if (exponent % every != 0) continue;
    for (const double factor : factors) {
      const double value = factor * std::pow(10.0, exponent);
      if (value >= low * (1.0 - tolerance) && value <= high * (1.0 + tolerance)) values.push_back(value);
    }
  }
  return values;
}

bool is_whole(double value) {
  return value == std::floor(value);
}

}  // namespace

bool can_be_drawn(double value, bool logarithmic) {
  if (!std::isfinite(value) || std::abs(value) > largest) return false;
  return !logarithmic || value >= smallest;
}

ChartAxis::ChartAxis(const std::vector<double>& values, const ChartAxisOptions& options, double from, double to)
    : logarithmic_(options.logarithmic), from_(from), to_(to) {
  std::vector<double> drawn;
  for (const double value : values) {
    if (can_be_drawn(value, logarithmic_)) drawn.push_back(value);
  }
  if (options.from_zero && !logarithmic_) drawn.push_back(0.0);
  if (drawn.empty()) drawn = logarithmic_ ? std::vector<double>{1.0, 10.0} : std::vector<double>{0.0, 1.0};
  low_ = *std::min_element(drawn.begin(), drawn.end());
  high_ = *std::max_element(drawn.begin(), drawn.end());

  if (logarithmic_) {
    if (high_ < low_ * (1.0 + 1e-6)) {
      low_ /= 2.0;
      high_ *= 2.0;
    }
    place_logarithmic_ticks(options.round_ends, options.ticks);
    return;
  }
  const bool are_counts = std::all_of(drawn.begin(), drawn.end(), is_whole);  // epochs: no ticks between them
  const double size = std::max(std::abs(low_), std::abs(high_));
  if (high_ - low_ <= std::max(size * 1e-10, smallest)) {
    const double room = size > smallest * 1e3 ? size / 10.0 : 1.0;
    low_ -= room;
    high_ += room;
  }
  place_linear_ticks(are_counts ? 1.0 : 0.0, options.round_ends, options.ticks);
}

void ChartAxis::place_linear_ticks(double smallest_step, bool round_ends, int about) {
  const double step = std::max(round_step(high_ - low_, about), smallest_step);
  double first = std::ceil(low_ / step - tolerance);
  double last = std::floor(high_ / step + tolerance);
  if (round_ends) {
    first = std::floor(low_ / step + tolerance);
    last = std::ceil(high_ / step - tolerance);
    low_ = std::min(low_, first * step);
    high_ = std::max(high_, last * step);
  }
  const double furthest = std::max(std::abs(first), std::abs(last)) * step;
  for (double i = first; i <= last; ++i) ticks_.push_back({i * step, linear_text(i * step, step, furthest)});
}

// Powers of ten; 1, 2 and 5 times these where there are few; round numbers where the axis reaches over less.
void ChartAxis::place_logarithmic_ticks(bool round_ends, int about) {
  const double decades = std::log10(high_) - std::log10(low_);
  if (decades < 0.8) {
    const double low = low_;
    place_linear_ticks(0.0, round_ends, about);
    if (low_ > 0.0) return;
    low_ = low;  // 0 is not on this axis
    std::erase_if(ticks_, [low](const ChartTick& tick) { return tick.value < low; });
    return;
  }
  const std::vector<double> factors = decades < 3.0 ? std::vector<double>{1.0, 2.0, 5.0} : std::vector<double>{1.0};
  const int every = std::max(1, static_cast<int>(std::ceil(decades / about)));
  if (round_ends) {
    const std::vector<double> around = multiples_of_powers(low_ / 10.0, high_ * 10.0, factors, 1);
    const auto above_low = std::upper_bound(around.begin(), around.end(), low_ * (1.0 + tolerance));
    if (above_low != around.begin()) low_ = std::min(low_, *(above_low - 1));
    const auto above_high = std::lower_bound(around.begin(), around.end(), high_ * (1.0 - tolerance));
    if (above_high != around.end()) high_ = std::max(high_, *above_high);
  }
  for (const double value : multiples_of_powers(low_, high_, factors, every)) {
    ticks_.push_back({value, logarithmic_text(value)});
  }
}

double ChartAxis::scaled(double value) const {
  return logarithmic_ ? std::log10(std::max(value, smallest)) : value;
}

double ChartAxis::operator()(double value) const {
  const double share = (scaled(value) - scaled(low_)) / (scaled(high_) - scaled(low_));
  return from_ + std::clamp(share, 0.0, 1.0) * (to_ - from_);
}

ChartAxis ChartAxis::moved(double from, double to) const {
  ChartAxis other = *this;
  other.from_ = from;
  other.to_ = to;
  return other;
}

}  // namespace nn
