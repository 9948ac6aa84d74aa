#include <judge/check.h>

#include "given.h"

const Axes judge::axes = {};

void check(const Answer& answer, Check& check) {
  check.compare("twice 3", answer.twice(3.0));
  check.compare("twice -5", answer.twice(-5.0));
}
