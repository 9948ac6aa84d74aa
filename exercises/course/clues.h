// Clues: what the difference between two arrays of numbers suggests, when no known mistake gives exactly these numbers.
// Each is a sentence that describes what was seen, and never more than that.
#pragma once

#include <string>
#include <vector>

#include "course/check.h"

namespace course {

struct ClueContext {
  const Axes& axes;
  const std::vector<Check::Input>& inputs;
  const std::vector<Observation>& expected;  // everything the solution gave
};

// "has shape [4, 2] (batch, out), expected is [2] (out)", "is float32, expected is float64", "is undefined"
std::string describe_kind_difference(const Observation& yours, const Observation& expected, const ClueContext& context);
std::vector<std::string> clues_from_shapes(const Observation& yours, const Observation& expected,
                                           const ClueContext& context);
// Of two values of the same shape, the most telling first.
std::vector<std::string> clues_from_values(const Observation& yours, const Observation& expected,
                                           const ClueContext& context);

}  // namespace course
