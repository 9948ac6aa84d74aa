// How `translate experiment pairs` judges its statements (pairs.cpp).
#pragma once

#include <cstddef>
#include <vector>

namespace translate {

// In how many seeds a statement was true, of those in which it could be measured.
struct Held {
  std::size_t held = 0;
  std::size_t of = 0;
};

// Whether `larger` is larger than each of `others`. All have a value per seed, NaN for what was not measured; those of
// an experiment that was stopped may have fewer.
Held held_in(const std::vector<double>& larger, const std::vector<std::vector<double>>& others);

}  // namespace translate
