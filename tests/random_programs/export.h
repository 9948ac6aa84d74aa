// Programs beside what they give, for the comparison with PyTorch (fixtures/random_programs.py).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "run.h"

namespace random_programs {

// The values of a program as the fixture has them: roots, gradients (zeros where none arrived), and what hooks saw.
nlohmann::json values_to_json(const Outcome& outcome);

// Prints so many programs that PyTorch can run too, one line each: {"seed", "program", "python", "roots", "leaves" and
// the values}.
int export_programs(std::uint64_t seed, std::uint64_t count);

}  // namespace random_programs
