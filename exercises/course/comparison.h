// Compares what an answer was seen to do with what the solution does, observation by observation.
#pragma once

#include "course/exercise.h"
#include "course/verdict.h"

namespace course {

// A verdict on this record alone, as far as it goes: without the names of mistakes.
Verdict compare_records(const Record& yours, const Observed& expected, const Setting& setting);

}  // namespace course
