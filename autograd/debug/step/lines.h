// Lines: a source of commands, which is a script, a stream, a callback or standard input.
#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace autograd::debug {

struct Lines {
  // The next line without its end; nothing at the end of the input.
  std::function<std::optional<std::string>(const std::string& prompt)> read;
  bool is_terminal = false;        // there the user sees what is typed; else the command is printed before its answer
  bool is_standard_input = false;  // a pipe or a file, which may be meant for the program
  std::string file = "";           // the name of the file that is read, "" for others
};

Lines lines_from(std::istream& in);
Lines lines_from(const std::function<std::optional<std::string>()>& next);
Lines lines_from(const std::vector<std::string>& script);
// A script, read as a whole. Throws Refused unless it is a readable text file of at most a megabyte.
Lines lines_of_file(const std::string& file);

// ---- terminal.cpp ---------------------------------------------------------------------------------------------------

using Completer = std::function<std::vector<std::string>(const std::string& line)>;

// What BACKSTEP=step:SOURCE names: a script, a terminal such as /dev/tty for a program that reads data from standard
// input, or standard input if it is empty. A terminal has line editing, history and completion.
Lines lines_of(const std::string& source, const Completer& complete);
// How wide the terminal is; nothing where there is none.
std::optional<std::int64_t> terminal_columns();
// Was Ctrl-C pressed since the last command that came from a terminal? True once.
bool take_interrupt();
// From now on Ctrl-C ends the program again.
void stop_catching_interrupts();

}  // namespace autograd::debug
