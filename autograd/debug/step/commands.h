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
  const char* help;                  // one line or more; the first says what it does
  Answer answer;                     // this, or
  void (*act)(Debugger& debugger, const std::string& arguments);
  bool repeats = false;  // by Enter, on a terminal
};

const std::vector<Command>& commands();

// Throws Refused for a line that is no command. True if Enter may repeat it.
bool run_command(Debugger& debugger, const std::string& line);
// The words that may stand at the end of the line instead of its last word.
std::vector<std::string> complete_command(const Debugger& debugger, const std::string& line);

// The groups of commands, each in the file of its name.
std::vector<Command> running_commands();   // running_commands.cpp: step, back, continue ..
std::vector<Command> stopping_commands();  // stopping_commands.cpp: break, watch, display ..
std::vector<Command> looking_commands();   // looking_commands.cpp: print, formula, cell ..
std::vector<Command> other_commands();     // other_commands.cpp: help, set, source, quit ..

}  // namespace autograd::debug
