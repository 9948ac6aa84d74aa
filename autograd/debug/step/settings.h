// The settings that `set` changes, and the type of a question to the debugger.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "autograd/debug/step/view.h"

namespace autograd::debug {

struct Settings {
  std::int64_t width = 100;                      // columns
  std::int64_t elements = 200;                   // a larger tensor is shortened
  std::int64_t precision = -1;                   // digits after the point; -1 chooses them to suit the values
  std::string stop_at = "backward";              // "backward", "all": grad() too, or "none": breakpoints only
  bool stop_at_end = true;                       // of a pass in which it has stopped, so that one can go back
  std::vector<std::string> directories = {"."};  // where sources are looked for
  std::function<void()> kill;                    // what `kill` does; ends the program by default
};

struct Display {
  int number = 0;
  std::string flags;  // "s", "h" or ""
  std::string expression;
};

// A command's arguments, with all that its answer depends on.
struct Question {
  const View& view;
  const Settings& settings;
  std::string arguments;
};
using Answer = std::string (*)(const Question&);

}  // namespace autograd::debug
