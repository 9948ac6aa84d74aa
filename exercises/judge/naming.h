// Which known mistakes give the learner's numbers.
#pragma once

#include <functional>

#include "judge/observation.h"
#include "judge/verdict.h"

namespace judge {

// A mistake that gives all of them; or else, for each part that is wrong, the one that gives it. What fits must fit
// with other numbers and sizes, too, where the learner's answer runs again.
void name_mistakes(const std::function<Record(const Setting&)>& run_again, const Record& learner,
                   const Record& solution, Verdict& verdict);

}  // namespace judge
