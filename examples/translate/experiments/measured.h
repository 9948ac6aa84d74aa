// Measured: a number that was measured several times with different random numbers; held_in: what all of them say.
#pragma once

#include <cstddef>
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

// In how many seeds a statement was true, of those in which it could be measured.
struct Held {
  std::size_t held = 0;
  std::size_t of = 0;
};

// Whether `larger` is larger than each of `others`. A value is NaN where nothing was measured, and missing where an
// experiment was stopped.
Held held_in(const Measured& larger, const std::vector<Measured>& others);

}  // namespace translate
