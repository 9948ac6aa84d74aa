#include "examples/translate/experiments/measured.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "examples/translate/report/html_report.h"

namespace translate {
namespace {

double mean_of(const std::vector<double>& values) {
  if (values.empty()) return not_measured;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Returns the standard error of the difference of two means, each of at least one value.
double standard_error(const Measured& a, const Measured& b) {
  const double of_a = a.spread() * a.spread() / static_cast<double>(a.values.size());
  const double of_b = b.spread() * b.spread() / static_cast<double>(b.values.size());
  return std::sqrt(of_a + of_b);
}

}  // namespace

double Measured::mean() const {
  return mean_of(values);
}

double Measured::spread() const {
  if (values.size() < 2) return 0.0;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean()) * (value - mean());
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::string Measured::text(int digits) const {
  const std::string number = number_text(mean(), digits);
  const bool has_spread = values.size() > 1 && std::isfinite(mean());
  return has_spread ? fmt::format("{} ± {:.{}f}", number, spread(), digits) : number;
}

bool is_clearly_above(const Measured& a, const Measured& b, const Differences& differences) {
  const double size = a.mean() - b.mean();
  return size >= differences.large && size >= 2.0 * standard_error(a, b);
}

std::string compare(std::string_view name_a, const Measured& a, std::string_view name_b, const Measured& b,
                    const Differences& differences) {
  const double gain = a.mean() - b.mean();
  if (std::isnan(gain)) return fmt::format("{} and {} were not both measured", name_a, name_b);
  if (std::abs(gain) < differences.small) {
    return fmt::format("{} and {} are about alike ({} and {})", name_a, name_b, a.text(), b.text());
  }
  const char* how = gain > 0.0 ? "better" : "worse";
  const std::string by =
      fmt::format("by {:.1f} {} ({} against {})", std::abs(gain), differences.unit, a.text(), b.text());
  const bool is_clear = is_clearly_above(a, b, differences) || is_clearly_above(b, a, differences);
  return is_clear ? fmt::format("{} is {} than {} {}", name_a, how, name_b, by)
                  : fmt::format("{} seems {} than {}, {}, which may be chance", name_a, how, name_b, by);
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
  return squares > 0.0 ? products / squares : not_measured;
}

std::string signed_text(double value, int digits) {
  const std::string text = fmt::format("{:.{}f}", value, digits);
  const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
  return is_zero && text.starts_with('-') ? text.substr(1) : text;
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

}  // namespace translate
