// Measured: a number that was measured several times with different random numbers.
#pragma once

#include <string>
#include <vector>

namespace translate {

// One value per seed.
struct Measured {
  std::vector<double> values = {};

  double mean() const;  // NaN without a value
  bool has_spread() const { return values.size() > 1; }
  double spread() const;  // the standard deviation between seeds (n - 1); 0 for fewer than two
  // "97.3", or "97.3 ± 0.4" with several seeds, "–" without a value.
  std::string text(int digits = 1) const;
};

}  // namespace translate
