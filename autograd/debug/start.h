// One switch, any program: the environment variable BACKSTEP, read once before main(), attaches instruments to the main
// thread. docs/13-debugging-backprop.md shows each.
//
//   BACKSTEP=step              the debugger, at each backward()           (step/debugger.h)
//   BACKSTEP=check             the gradient sanitizer                     (check/sanitizer.h)
//   BACKSTEP=nan               the origin of the first NaN or infinity    (nan/nan_origin.h)
//   BACKSTEP=trace:FILE.html   a page that replays forward and backward   (trace/tracer.h)
//
// Several are separated by commas; what follows a colon is that instrument's own. A value that means nothing is told on
// standard error, and the program ends with exit code 2 before it began.
#pragma once

#include <string>
#include <vector>

#include "autograd/tape/observer.h"

namespace autograd::debug {

// An instrument that BACKSTEP can name. make() gets the text after the colon, "" if there is none, and throws
// std::invalid_argument, saying what it expected, when it cannot use it. What it makes lives until the program ends.
struct Instrument {
  const char* name;
  const char* usage;
  Observer* (*make)(const std::string& argument);
};
const std::vector<Instrument>& instruments();

// What the variable would do, for a given value: attaches and returns true, or throws std::invalid_argument.
bool start(const std::string& value);

}  // namespace autograd::debug
