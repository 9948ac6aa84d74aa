// Which known mistakes give exactly the learner's numbers.
#pragma once

#include "judge/observation.h"
#include "judge/verdict.h"

namespace judge {

// All of them; or else, for each part that is wrong, the one mistake or pair that gives it.
void name_all(const Record& learner, const Record& solution, Verdict& verdict);
void name_parts(const Record& learner, const Record& solution, Verdict& verdict);

}  // namespace judge
