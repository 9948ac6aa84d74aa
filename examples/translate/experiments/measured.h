// A number that was measured several times, with other random numbers each time, and how two of them are put into
// words: what a report says follows from the numbers, and says less where they say less.
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

// What counts as a difference, in the unit of the numbers. Below `small` two numbers are called alike; below `large`,
// or below twice the standard error between the seeds, the difference is named with a reservation.
struct Differences {
  double small = 1.0;
  double large = 5.0;
  std::string_view unit = "points";
};

// Is `a` larger than `b`, and not by chance?
bool is_clearly_above(const Measured& a, const Measured& b, const Differences& differences);

// "additive is better than dot by 12.0 points (97.3 against 85.3)",
// "additive seems better than dot, by 2.0 points (..), which may be chance",
// "additive and dot are about alike (97.3 and 97.1)". Without values: "additive and dot were not both measured".
std::string compare(std::string_view name_a, const Measured& a, std::string_view name_b, const Measured& b,
                    const Differences& differences);

// The slope of the straight line through the points (x_i, y_i) with the least squared error; NaN for fewer than two
// points or if all x are the same.
double slope(const std::vector<double>& x, const std::vector<double>& y);

// "0.3", "-0.3", and never "-0.0".
std::string signed_text(double value, int digits = 1);

// With a capital at its beginning, if that is a letter of ASCII.
std::string capitalised(std::string text);

}  // namespace translate
