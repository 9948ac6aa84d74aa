// Mutants: a solution with one small change in it, such as anybody makes: < for <=, a term that is missing, another
// dim, a number in the place of a size. What a check does not tell from the solution, it would pass.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "runner/lessons/exercise_source.h"

namespace learn {

struct Mutant {
  std::size_t line = 0;  // of exercise.cpp
  std::string code;      // what it has in the place of what is there, in one line; "without: ..." where that is nothing
  std::size_t first = 0;  // the solution's lines [first, last) have become `text`
  std::size_t last = 0;
  std::string text;
};

// One change each, in what stands between //[ and //]. AT_FIRST(x) in one is x as it was the first time: the number
// that a size has at the usual sizes.
std::vector<Mutant> mutants_of(const std::vector<SolutionLine>& solution);

}  // namespace learn
