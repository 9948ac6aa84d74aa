// Clues: what the difference between two arrays of numbers suggests, when no known mistake gives exactly these numbers.
// Each is what was seen, and never more than that.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/check.h"
#include "judge/verdict.h"

namespace judge {

struct ClueContext {
  const Axes& axes;
  const std::vector<Check::Input>& inputs;
  const std::vector<Observation>& expected;  // everything the solution gave
};

// Of two values that differ in being defined, in shape or in dtype.
void describe_kind(const Observation& yours, const Observation& expected, const ClueContext& context,
                   Difference& difference);
std::vector<Clue> clues_from_shapes(const Observation& yours, const Observation& expected, const ClueContext& context);

// The most telling first.
struct Clues {
  std::vector<Clue> certain;  // what holds of all numbers: a factor, a transposition, a term that has a name
  std::vector<Clue> guesses;  // where it is right and where not: idle where the cause is known
};
// Of two values of the same shape.
Clues clues_from_values(const Observation& yours, const Observation& expected, const ClueContext& context);
// The axes along which the first position is right, whatever is wrong at others.
std::vector<std::string> axes_that_begin_right(const Observation& yours, const Observation& expected,
                                               const ClueContext& context);
// Of a number that was worked out on paper to three decimals.
std::optional<Clue::Kind> clue_from_decimals(double yours, double expected);

}  // namespace judge
