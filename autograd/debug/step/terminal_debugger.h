// The debugger in a terminal: gdb's commands over the ops of the user's own program.
//
//   BACKSTEP=step ./program                  asks for commands at each backward()
//   BACKSTEP=step:script.txt ./program       takes them from a file
//
// or in a program, for a part of it:
//
//   autograd::debug::StepThrough debugger(std::cin, std::cout);
//   loss.backward();
//
// docs/debugger.md walks through a session.
#pragma once

#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "autograd/debug/step/debugger.h"
#include "autograd/debug/step/lines.h"

namespace autograd::debug {

class TerminalDebugger : public Debugger {
 public:
  TerminalDebugger(Lines lines, std::ostream& out);

  void write(const std::string& text) override { out_ << text; }
  void detach() override;
  void read_script(const std::string& file) override;

 private:
  void talk(const Stop& stop) override;
  void flush() override { out_.flush(); }
  bool take_pause() override { return take_interrupt(); }
  void show_place();
  std::optional<std::string> next_line();
  bool perform(const std::string& line);

  std::vector<Lines> lines_;  // scripts inside of scripts
  std::ostream& out_;
  std::string last_repeatable_;
  bool has_answered_ = false;
};

// Attaches the debugger for the lifetime of the object.
class StepThrough {
 public:
  StepThrough(std::istream& in, std::ostream& out) : StepThrough(lines_from(in), out) {}
  StepThrough(const std::vector<std::string>& script, std::ostream& out) : StepThrough(lines_from(script), out) {}
  StepThrough(Lines lines, std::ostream& out) : debugger_(std::move(lines), out), guard_(debugger_) {}
  Debugger& debugger() { return debugger_; }

 private:
  TerminalDebugger debugger_;
  ObserverGuard guard_;
};

// For BACKSTEP=step (start.cpp). `script` is a file, or "" for standard input. Throws std::invalid_argument.
Observer* make_debugger(const std::string& script);

}  // namespace autograd::debug
