// The ways of running a program that must all give the same.
#pragma once

#include <string>
#include <vector>

#include "run.h"

namespace random_programs {

struct Way {
  std::string name;
  // What is wrong, with the program beside what it gives when it is just run; empty if all is well.
  std::string (*check)(const Program& program, const Outcome& plain);
};

const std::vector<Way>& all_ways();

// All of them, but for those that are named; what the first one says that finds something, and its name.
struct Finding {
  std::string way;
  std::string what;
  explicit operator bool() const { return !way.empty(); }
};
Finding check(const Program& program, const std::vector<std::string>& without = {});

// Where the two differ by more than rounding; empty if nowhere. What is left out of one of them is not compared.
std::string difference(const Outcome& found, const Outcome& wanted);
// The same, to the bit.
std::string difference_in_bits(const Outcome& found, const Outcome& wanted);

}  // namespace random_programs
