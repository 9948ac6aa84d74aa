// Lines: a source of commands, which is a script, a stream or standard input.
#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace autograd::debug {

class Lines {
 public:
  virtual ~Lines() = default;
  // The next line without its end; nothing at the end of the input.
  virtual std::optional<std::string> read(const std::string& prompt) = 0;
  // On a terminal, the user sees what is typed; otherwise the debugger prints the command before its answer.
  virtual bool is_terminal() const { return false; }
  // A pipe or a file, which may be meant for the program.
  virtual bool is_standard_input() const { return false; }
  // The name of the file that is read, "" for others.
  virtual std::string file() const { return ""; }
};

// Was Ctrl-C pressed since the last command that came from a terminal? True once. (terminal.cpp)
bool take_interrupt();
// From now on Ctrl-C ends the program again.
void stop_catching_interrupts();

using Completer = std::function<std::vector<std::string>(const std::string& line)>;

std::unique_ptr<Lines> lines_from(std::istream& in);
std::unique_ptr<Lines> lines_from(std::function<std::optional<std::string>()> next);
std::unique_ptr<Lines> lines_from(const std::vector<std::string>& script);
// A script, read as a whole. Throws Refused unless it is a readable text file of at most a megabyte.
std::unique_ptr<Lines> lines_of_file(const std::string& file);
// Standard input: with line editing, history and completion if it is a terminal (terminal.cpp).
std::unique_ptr<Lines> lines_of_standard_input(Completer complete);
// How wide the terminal is; nothing where there is none.
std::optional<std::int64_t> terminal_columns();
// What BACKSTEP=step:SOURCE names: a script, a terminal such as /dev/tty for a program that reads data from standard
// input, or standard input if it is empty.
std::unique_ptr<Lines> lines_of(const std::string& source, Completer complete);

}  // namespace autograd::debug
