// One switch, any program: the environment variable BACKSTEP, read once before main(), attaches instruments to the main
// thread. docs/13-debugging-backprop.md shows each.
//
//   BACKSTEP=step              the debugger, at each backward()           (step/terminal_debugger.h)
//   BACKSTEP=dap               the same in an editor                      (dap/adapter.h)
//   BACKSTEP=check             the gradient sanitizer                     (check/sanitizer.h)
//   BACKSTEP=nan               the origin of the first NaN or infinity    (nan/nan_origin.h)
//   BACKSTEP=trace:FILE.html   a page that replays forward and backward   (trace/tracer.h)
//
// Several are separated by commas; after a colon come an instrument's own settings. For any other value, the program
// prints an error and ends with exit code 2 before main().
#pragma once

#include <string>
#include <vector>

#include "autograd/tape/observer.h"

namespace autograd::debug {

// An instrument that BACKSTEP can name. make() gets the text after the colon, or "", and throws std::invalid_argument
// if it cannot use it. The observer that it returns lives until the program ends.
struct Instrument {
  const char* name;
  const char* usage;
  Observer* (*make)(const std::string& argument);
};
const std::vector<Instrument>& instruments();

// Does what the variable would do with this value: attaches and returns true, or throws std::invalid_argument.
bool start(const std::string& value);

}  // namespace autograd::debug
