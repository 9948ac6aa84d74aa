// The debugger for backward passes: gdb's commands over the ops of the user's own program.
//
//   BACKSTEP=step ./program                  asks for commands at each backward()
//   BACKSTEP=step:script.txt ./program       takes them from a file
//
// or in a program, for a part of it:
//
//   autograd::debug::StepThrough debugger(std::cin, std::cout);
//   loss.backward();
//
// It stops before an op's backward runs. The real pass only goes forward; going back shows what was recorded. So no
// command changes the gradients, not by one bit. docs/debugger.md walks through a session.
#pragma once

#include <istream>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "autograd/debug/recording.h"
#include "autograd/debug/step/breakpoints.h"
#include "autograd/debug/step/lines.h"
#include "autograd/debug/step/settings.h"
#include "autograd/debug/step/view.h"

namespace autograd::debug {

// How far the program runs before the debugger asks for a command again, if no breakpoint stops it.
struct Plan {
  enum class Kind { go_on, step, next, finish, until };
  Kind kind = Kind::go_on;
  bool forward = true;
  std::int64_t left = 1;     // positions still to go
  std::size_t depth = 0;     // next: of the op where it began
  Ref<Scope> scope;          // finish: the call to leave
  std::optional<Spot> spot;  // until
};

class Debugger : public Recording {
 public:
  Debugger(std::unique_ptr<Lines> lines, std::ostream& out);

  void recorded(Node& node, const Inputs& inputs, const Tensor& output) override;
  Grads run(Node& node, const Tensor& dy) override;
  void accumulated(const Node& from, std::size_t input, const Tensor& contribution) override;
  void pass_begins(Pass& pass) override;
  void pass_ends(Pass& pass) override;

  // ---- for the commands ---------------------------------------------------------------------------------------------
  const View& view() const { return sessions_.back()->view; }
  void write(const std::string& text) { out_ << text; }
  void go(const Plan& plan);  // when the command is done
  void detach();
  void kill();
  void read_script(const std::string& file);

  Settings settings;
  std::vector<Breakpoint> breakpoints;
  std::vector<Watch> watches;
  std::vector<Display> displays;
  int next_number = 1;  // of breakpoints and watches

  // Why the last command was refused; "" if it was done.
  const std::string& last_refusal() const { return last_refusal_; }
  // The words that complete the last word of a line.
  std::vector<std::string> completions(const std::string& line) const;

 private:
  // One pass that is open.
  struct Session {
    PassIndex index;
    View view;
    Plan plan;
    bool opened = false;  // has it stopped in this pass?
    std::string ending;   // why it ended; "" while it runs
  };

  void arrive();
  void talk();
  bool move();
  std::optional<std::string> reason_to_stop(std::size_t came_from);
  std::optional<std::string> reason_of_pass();
  std::string reason_of_breakpoints();
  std::string reason_of_watches(std::size_t came_from);
  bool plan_is_done();
  void show_place();
  std::optional<std::string> next_line();
  bool answer(const std::string& line);
  void perform(const std::string& line);
  void end_session(const Pass& pass);

  std::vector<std::unique_ptr<Lines>> lines_;  // scripts inside of scripts
  std::ostream& out_;
  std::vector<std::unique_ptr<Session>> sessions_;  // passes inside of passes
  bool detached_ = false;
  bool moving_ = false;
  int unrecorded_passes_ = 0;  // passes that began since the debugger was detached
  std::string last_repeatable_;
  std::string last_refusal_;
};

// Attaches the debugger for the lifetime of the object.
class StepThrough {
 public:
  StepThrough(std::istream& in, std::ostream& out) : StepThrough(lines_from(in), out) {}
  StepThrough(const std::vector<std::string>& script, std::ostream& out) : StepThrough(lines_from(script), out) {}
  StepThrough(std::unique_ptr<Lines> lines, std::ostream& out) : debugger_(std::move(lines), out), guard_(debugger_) {}
  Debugger& debugger() { return debugger_; }

 private:
  Debugger debugger_;
  ObserverGuard guard_;
};

// For BACKSTEP=step (start.cpp). `script` is a file, or "" for standard input. Throws std::invalid_argument.
Observer* make_debugger(const std::string& script);

}  // namespace autograd::debug
