// A C++ file in which a solution and its mutants stand side by side, each in a namespace, as the known mistakes do
// (ExerciseSource::answers_file): the mutants take their places in the table.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "runner/author/mutants.h"
#include "runner/lessons/course.h"

namespace learn {

// Those of the mutants whose indices are `chosen`. In compilers' messages, the code of mutant 7 is in "mutant_7".
std::string mutants_file(const Exercise& exercise, const std::vector<Mutant>& mutants,
                         const std::set<std::size_t>& chosen);

// The indices of the mutants that such messages find fault with.
std::set<std::size_t> mutants_in(const std::string& messages);

}  // namespace learn
