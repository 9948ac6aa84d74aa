// Compares what an answer was seen to do with what the solution does, observation by observation.
#pragma once

#include "judge/exercise.h"
#include "judge/verdict.h"

namespace judge {

// A verdict on this record alone, as far as it goes: without the names of mistakes.
Verdict compare_records(const Record& yours, const Observed& expected, const Setting& setting);

}  // namespace judge
