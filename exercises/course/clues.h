// Clues: what the difference between two arrays of numbers suggests, when no known mistake gives exactly these numbers.
// Each is a sentence that describes what was seen, and never more than that.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "course/check.h"
#include "course/verdict.h"

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

using Clue = std::optional<std::string>;

// The most telling first.
struct Clues {
  std::vector<std::string> certain;  // what holds of all numbers: a factor, a transposition, a term that has a name
  std::vector<std::string> guesses;  // where it is right and where not: idle where the cause is known
  std::optional<Factor> factor;      // of the certain ones the one that says that there is a factor
};
// Of two values of the same shape.
Clues clues_from_values(const Observation& yours, const Observation& expected, const ClueContext& context);
// The axes along which the first position is right, whatever is wrong at others.
std::vector<std::string> axes_that_begin_right(const Observation& yours, const Observation& expected,
                                               const ClueContext& context);
// Of a number that was worked out on paper to three decimals.
Clue clue_from_decimals(double yours, double expected);

}  // namespace course
