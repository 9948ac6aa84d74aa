#include "examples/translate/experiments/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace translate {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

double mean_of(const std::vector<double>& values) {
  if (values.empty()) return not_a_number;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Of the difference of two means.
double standard_error(const Measured& a, const Measured& b) {
  const double of_a = a.spread() * a.spread() / static_cast<double>(std::max<std::size_t>(1, a.values.size()));
  const double of_b = b.spread() * b.spread() / static_cast<double>(std::max<std::size_t>(1, b.values.size()));
  return std::sqrt(of_a + of_b);
}

}  // namespace

double Measured::mean() const {
  return mean_of(values);
}

double Measured::spread() const {
  if (values.size() < 2) return 0.0;
  const double centre = mean();
  double squares = 0.0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::string Measured::text(int digits) const {
  if (values.empty() || std::isnan(mean())) return "–";
  if (values.size() == 1) return fmt::format("{:.{}f}", mean(), digits);
  return fmt::format("{:.{}f} ± {:.{}f}", mean(), digits, spread(), digits);
}

Verdict judge(const Measured& a, const Measured& b, const Differences& differences) {
  const double gain = (a.mean() - b.mean()) * (differences.more_is_better ? 1.0 : -1.0);
  const double size = std::abs(gain);
  if (!(size >= differences.small)) return Verdict::alike;
  const bool is_clear = size >= differences.large && size >= 2.0 * standard_error(a, b);
  if (gain > 0.0) return is_clear ? Verdict::better : Verdict::maybe_better;
  return is_clear ? Verdict::worse : Verdict::maybe_worse;
}

std::string compare(std::string_view name_a, const Measured& a, std::string_view name_b, const Measured& b,
                    const Differences& differences, int digits) {
  if (std::isnan(a.mean()) || std::isnan(b.mean())) {
    return fmt::format("{} and {} were not both measured", name_a, name_b);
  }
  const std::string size = fmt::format("{:.{}f} {}", std::abs(a.mean() - b.mean()), digits, differences.unit);
  const std::string values = fmt::format("({} against {})", a.text(digits), b.text(digits));
  switch (judge(a, b, differences)) {
    case Verdict::better: return fmt::format("{} is better than {} by {} {}", name_a, name_b, size, values);
    case Verdict::worse: return fmt::format("{} is worse than {} by {} {}", name_a, name_b, size, values);
    case Verdict::maybe_better:
      return fmt::format("{} seems better than {}, by {} {}, which may be chance", name_a, name_b, size, values);
    case Verdict::maybe_worse:
      return fmt::format("{} seems worse than {}, by {} {}, which may be chance", name_a, name_b, size, values);
    case Verdict::alike: break;
  }
  return fmt::format("{} and {} are about alike ({} and {})", name_a, name_b, a.text(digits), b.text(digits));
}

double slope(const std::vector<double>& x, const std::vector<double>& y) {
  const double mean_x = mean_of(x);
  const double mean_y = mean_of(y);
  double products = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    products += (x[i] - mean_x) * (y[i] - mean_y);
    squares += (x[i] - mean_x) * (x[i] - mean_x);
  }
  return squares > 0.0 ? products / squares : not_a_number;
}

std::string signed_text(double value, int digits) {
  const std::string text = fmt::format("{:.{}f}", value, digits);
  const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
  return is_zero && text.starts_with('-') ? text.substr(1) : text;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

}  // namespace translate
