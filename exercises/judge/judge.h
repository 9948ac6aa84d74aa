// The verdict on a learner's answer: what is right, what differs and how, and which known mistake gives exactly the
// same numbers. It runs the answer at the usual setting, and if that is right at others; and if something is wrong, at
// smaller ones, to find the smallest case.
#pragma once

#include <cstdint>
#include <vector>

#include "judge/candidate.h"
#include "judge/verdict.h"

namespace judge {

// `seed` chooses other numbers where it is judged at other settings (other_settings()).
Verdict judge(const Candidate& answer, std::uint64_t seed = 0);

// What the answer computes, beside what is expected, where it is wrong; at the usual setting if it is right everywhere.
std::vector<Step> steps_of(const Candidate& answer);

}  // namespace judge
