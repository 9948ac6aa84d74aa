// What is the cause of what else is wrong is said first, and alone: numbers that follow from it lead astray.
#pragma once

#include "judge/verdict.h"

namespace judge {

// An input that was changed, or an op that is not to be called.
void put_causes_first(Verdict& verdict);
// Properties of a value that has another shape: they cannot hold, and why they do not is said by the shape.
void leave_out_what_follows_from_shapes(Verdict& verdict);
// What the numbers suggest, where something else is known to be their cause.
void leave_out_idle_clues(Verdict& verdict);

}  // namespace judge
