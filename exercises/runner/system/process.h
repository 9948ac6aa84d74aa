// Runs another program: catches its output, limits its time, and leaves nothing of it running.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace learn {

struct Finished {
  int exit_code = 0;       // 128 + n when signal n ended it, as the shell has it
  bool timed_out = false;  // and was killed for it, with everything it had started
  std::string output;      // stdout and stderr, in the order in which they came
  std::string result;      // what it wrote to result_path
  double seconds = 0.0;
  std::string trap = {};  // in WebAssembly: what the machine said when it stopped the program
};

struct ProcessOptions {
  double seconds = 120.0;                     // then it is killed
  std::size_t processor_seconds = 0;          // then each process of it is ended by SIGXCPU; 0 for no limit
  std::vector<std::string> environment = {};  // "NAME=value", added to ours
  std::size_t most_output = 1 << 20;          // bytes; the rest is thrown away
  std::size_t most_memory = 0;                // bytes of address space; 0 for no limit (sanitizers need terabytes)
  std::string folder = {};                    // where it runs; "" for here
  // It writes to what it takes for a terminal: line by line, so that nothing it printed is lost if it crashes.
  bool line_by_line = false;
  // What it may write to; when that grows too large it is killed, as if by SIGXFSZ. "" for no limit.
  std::string small_folder = {};
  std::size_t most_disk = std::size_t{256} << 20;
  bool with_result = false;  // it has a result_path
};

// A file without a name, which only the program itself can write to, and what it hands it on to.
inline constexpr const char* result_path = "/dev/fd/3";

// How long something may take, in seconds, that may use so many of processor time: a machine can be busy.
inline double patience_for(double processor_seconds) {
  return 60.0 + 20.0 * processor_seconds;
}

Finished run_process(const std::vector<std::string>& command, const ProcessOptions& options = {});

// With our own terminal, until it ends: for gdb and other debuggers. Returns the exit code.
int run_in_terminal(const std::vector<std::string>& command, const ProcessOptions& options = {});

// As one word of a shell's command.
std::string shell_quoted(const std::string& text);

// Is there a program of that name?
bool has_program(const std::string& name);

// Thrown by run_process when someone pressed Ctrl-C (or the terminal went away): the other program is gone then.
struct Interrupted {};
// From now on SIGINT, SIGTERM and SIGHUP are noted instead of ending us.
void catch_interrupts();
bool interrupted();

}  // namespace learn
