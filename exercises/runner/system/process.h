// Runs another program: catches its output, limits its time, and leaves nothing of it running.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runner/system/sandbox.h"

namespace learn {

struct Finished {
  int exit_code = 0;       // 128 + n when signal n ended it, as the shell has it
  bool timed_out = false;  // and was killed for it, with everything it had started
  std::string output;      // stdout and stderr, in the order in which they came
  double seconds = 0.0;
};

struct ProcessOptions {
  double seconds = 120.0;                     // then it is killed
  std::vector<std::string> environment = {};  // "NAME=value", added to ours
  std::size_t most_output = 1 << 20;          // bytes; the rest is thrown away
  std::size_t most_memory = 0;                // bytes of address space; 0 for no limit (sanitizers need terabytes)
  std::string folder = {};                    // where it runs; "" for here
  // It writes to what it takes for a terminal: line by line, so that nothing it printed is lost if it crashes.
  bool line_by_line = false;
  // Contained: with nothing of our environment, in the sandbox's folder. If that grows too large it ends as by SIGXFSZ.
  std::optional<Sandbox> sandbox = {};
};

Finished run_process(const std::vector<std::string>& command, const ProcessOptions& options = {});

// With our own terminal, until it ends: for gdb and other debuggers. Returns the exit code.
int run_in_terminal(const std::vector<std::string>& command, const ProcessOptions& options = {});

// Is there a program of that name?
bool has_program(const std::string& name);

// Thrown by run_process when someone pressed Ctrl-C (or the terminal went away): the other program is gone then.
struct Interrupted {};
// From now on SIGINT, SIGTERM and SIGHUP are noted instead of ending us.
void catch_interrupts();
bool interrupted();

}  // namespace learn
