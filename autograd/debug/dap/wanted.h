// Wanted: a breakpoint as the editor asked for it. Which op it means, if any, is known once a pass has begun.
#pragma once

#include <string>
#include <vector>

#include "autograd/debug/dap/connection.h"
#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/breakpoints.h"

namespace autograd::debug {

class Adapter;

struct Wanted {
  enum class Kind { line, function, data, exception };
  Kind kind = Kind::line;
  std::string source;     // line: the file, as the editor names it
  int line = 0;           // line: counted from 1
  std::string name;       // function: a place, as for `break`; data: a gradient; exception: the filter
  std::string condition;  // in the debugger's own expressions
  std::string hits;       // which hits stop: "3", ">= 3", "% 10"
  std::string log;        // printed instead of stopping: "norm {dy}"

  int number = 0;  // of the debugger's breakpoint or watch
  bool verified = false;
  std::string message;  // why it is not

  bool asks_for_the_same(const Wanted& other) const;
};

// A pass has begun: what had no place before may have one now. Tells the editor what has changed.
void place_wanted(Adapter& adapter);
// The exceptions that the editor may choose from.
Json exception_filters();
// What such an exception is called: "NaN".
std::string exception_label(const std::string& name);
// A log message with the values of the expressions in braces.
std::string filled_in(const std::string& log, const View& view, const Settings& settings);
// Does this hit count, in the words of `hits`? Throws Refused if they cannot be read.
bool counts(const std::string& hits, int count);

}  // namespace autograd::debug
