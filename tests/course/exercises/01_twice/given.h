// A small exercise for tests of the runner.
#pragma once

#include <course/learner.h>

double twice(double x);

struct Answer {
  decltype(&::twice) twice;
};
