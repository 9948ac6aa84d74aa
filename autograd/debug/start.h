// One switch, any program: the environment variable BACKSTEP, read once before main(), attaches instruments.
// docs/08-debugging-backprop.md shows each. check and nan watch every thread, step and trace the main thread only.
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
// if it cannot use it. The observer that it returns lives until the thread ends.
struct Instrument {
  const char* name;
  const char* usage;
  Observer* (*make)(const std::string& argument);  // from new
  bool watches_threads;                            // make() is called in each thread; otherwise in the main thread only
};
// In the order in which they are attached: those that record stand before those that report what they find.
const std::vector<Instrument>& instruments();

// Does what the variable would do with this value: attaches and returns true, or throws std::invalid_argument.
bool start(const std::string& value);

}  // namespace autograd::debug
