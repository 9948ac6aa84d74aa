// A small exercise for tests of the runner.
#pragma once

#include <judge/learner.h>

double twice(double x);

struct Answer {
  decltype(&::twice) twice;
};
