// Measured: a number that was measured several times with different random numbers, and words for comparing two of
// them. A report states only as much as the numbers support.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace translate {

// One value per seed.
struct Measured {
  std::vector<double> values = {};

  double mean() const;    // NaN without a value
  double spread() const;  // the standard deviation between seeds (n - 1); 0 for fewer than two
  // "97.3", or "97.3 ± 0.4" with several seeds, "–" without a value.
  std::string text(int digits = 1) const;
};

// What counts as a difference, in the unit of the numbers. Below `small`, two numbers are called alike; below `large`
// or twice the standard error between the seeds, the difference is reported with a reservation.
struct Differences {
  double small = 1.0;
  double large = 5.0;
  std::string_view unit = "points";
};
inline constexpr Differences differences_in_bleu{.small = 0.5, .large = 2.0, .unit = "BLEU"};

// Returns whether `a` is larger than `b` by at least `large` and twice the standard error, so hardly by chance.
bool is_clearly_above(const Measured& a, const Measured& b, const Differences& differences);

// Returns
//   "additive is better than dot by 12.0 points (97.3 against 85.3)",
//   "additive seems better than dot, by 2.0 points (..), which may be chance",
//   "additive and dot are about alike (97.3 and 97.1)", or, without values,
//   "additive and dot were not both measured".
std::string compare(std::string_view name_a, const Measured& a, std::string_view name_b, const Measured& b,
                    const Differences& differences);

// Returns the slope of the straight line through the points (x_i, y_i) with the least squared error; NaN for fewer than
// two points or if all x are the same.
double slope(const std::vector<double>& x, const std::vector<double>& y);

// Returns "0.3" or "-0.3", and never "-0.0".
std::string signed_text(double value, int digits = 1);

// Returns the text with a capital first letter, if that is a letter of ASCII.
std::string capitalised(std::string text);

}  // namespace translate
