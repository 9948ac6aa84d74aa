// Exercise: the check of one exercise applied to everything that is known to answer it. The definition is generated
// from the exercise's source file (runner/lessons/exercise_source.h), which compiles every known mistake as it would be
// written.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "judge/check.h"

namespace judge {

// Runs the exercise's check on one answer.
using Run = void (*)(Check& check);

// Known wrong answers: one mistake, or two at once.
struct Mistake {
  std::vector<std::string> names;
  Run run = nullptr;
};

// An answer's program has the learner's run and nothing to judge it by; the judge's has all but that.
struct Exercise {
  std::string id;  // "19_linear_layer"
  Run learner = nullptr;
  Run solution = nullptr;
  std::vector<Mistake> mistakes;  // the single ones first, then their variants, then the pairs
  // The engine's ops that the answer is not to call, because writing them is what the exercise is about; "backward" is
  // backward() and grad().
  std::vector<std::string> not_to_call;
};
extern const Exercise exercise;

// What the run saw, exceptions included.
struct Observed {
  Record record;
  std::vector<Check::Input> inputs;
};
Observed observe(Run run, const Setting& setting, RunOptions options = {});
// Notes that what was run calls what it is to do without; once of each.
void add_forbidden_call(const std::string& name, Record& record);
// The ops among what an answer calls that it is to do without. `symbols`: the linker's names, "_ZN8autograd6linearE..".
// It counts no call less because no gradient is wanted there.
std::vector<std::string> forbidden_calls(const std::vector<std::string>& symbols);

// Counts the ops that run while it is told to; probes note it.
extern thread_local std::size_t ops_so_far;
// How much of the run has been observed.
std::size_t observations_so_far();

}  // namespace judge
