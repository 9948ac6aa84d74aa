// The commands: their names, what they expect, their help, and what they do.
#pragma once

#include <string>
#include <vector>

#include "autograd/debug/step/answers.h"

namespace autograd::debug {

class Debugger;

struct Command {
  const char* name;
  std::vector<const char*> aliases;  // besides every beginning of the name that no other command has
  const char* arguments;             // "[N]"
  std::string help;                  // one line or more; the first says what it does
  void (*run)(Debugger& debugger, const std::string& arguments);
  bool repeats = false;  // by Enter, on a terminal
};

const std::vector<Command>& commands();
// Those that go on and back, and those that say where to stop (moving_commands.cpp).
std::vector<Command> moving_commands();

// Throws Refused for a line that is not a command. True if Enter may repeat it.
bool run_command(Debugger& debugger, const std::string& line);
// The words that may stand at the end of the line instead of its last word.
std::vector<std::string> complete_command(const Debugger& debugger, const std::string& line);

}  // namespace autograd::debug
