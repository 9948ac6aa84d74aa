// The debugger for backward passes: where it stops, and how it goes on and back. Whom it asks what to do next is up to
// the class derived from it: a terminal (terminal_debugger.h) or an editor (dap/adapter.h).
//
// It stops before an op's backward runs. The real pass only goes forward; going back shows what was recorded. So no
// command changes the gradients, not by one bit.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "autograd/debug/finding.h"
#include "autograd/debug/recording.h"
#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/breakpoints.h"
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

// Why the program stands still.
struct Stop {
  enum class Kind { step, breakpoint, watch, pass_begins, pass_ends, exception, beginning };
  Kind kind = Kind::step;    // if there are several reasons, the first of: a pass, a breakpoint, a watch, a step
  std::string text;          // in lines to show; may be empty for a step
  std::vector<int> numbers;  // of the breakpoints and watches that were met
  std::string title{};       // of an exception, or of what an instrument found
};

// What is printed at every stop.
struct Display {
  int number = 0;
  std::string arguments;  // of `print`
};

class Debugger : public Recording, private FindingListener {
 public:
  Debugger() : Recording(Keeps::what_is_small) {}
  Grads run(Node& node, const Tensor& dy) override;
  void pass_begins(Pass& pass) override;
  void pass_ends(Pass& pass) override;

  // ---- for the commands ---------------------------------------------------------------------------------------------
  const View& view() const { return sessions_.back()->view; }
  virtual void write(const std::string& text) = 0;
  void go(const Plan& plan);  // when the command is done
  virtual void detach() { rest(); }
  virtual void kill();
  virtual void read_script(const std::string& file) = 0;

  Settings settings;
  std::vector<Breakpoint> breakpoints;
  int next_number = 1;  // of breakpoints
  std::vector<Display> displays;

  // Why the last command was refused; "" if it was done.
  const std::string& last_refusal() const { return last_refusal_; }
  // The last command ended with an exception other than Refused.
  bool has_failed() const { return has_failed_; }

 protected:
  // The program stands still: asks what to do, until the real pass must run on. `stop` says why; if go() is called,
  // move() has the next stop, if it is in what is recorded.
  virtual void talk(const Stop& stop) = 0;
  // Shows what was written before the program goes on.
  virtual void flush() {}
  // Does the user want it to stop wherever it is?
  virtual bool take_pause() { return false; }
  // A breakpoint was met: does it stop this time?
  virtual bool stops(const Breakpoint&) { return true; }

  // Follows the plan through what is recorded. Nothing if the real pass must run on to complete it.
  std::optional<Stop> move();
  // Runs a command and writes its answer. An exception becomes the answer, because the pass must go on; the result is
  // then false. `repeats` becomes whether Enter may repeat it.
  bool answer(const std::string& line, bool& repeats);
  // True once after go().
  bool take_move() { return std::exchange(moving_, false); }
  std::string displays_text() const;
  bool is_detached() const { return is_resting(); }
  bool is_in_pass() const { return !sessions_.empty(); }

 private:
  // One pass that is open.
  struct Session {
    PassIndex index;
    View view;
    Plan plan;
    bool opened = false;  // has it stopped in this pass?
    std::string ending;   // why it ended; "" while it runs
  };

  bool found(const Finding& finding, const Node* node, const std::string& report) override;
  void stop_for(const Finding& finding, const Node* node, const std::string& report);
  std::unique_ptr<Session> forward_session(PassRecord& program, const Node* node);
  void arrive();
  std::optional<Stop> reason_to_stop(std::size_t came_from);
  std::optional<Stop> reason_of_pass();
  void add_breakpoints(Stop& stop, std::size_t came_from);
  bool plan_is_done();
  void end_session(const Pass& pass);

  std::vector<std::unique_ptr<Session>> sessions_;  // passes inside of passes
  bool moving_ = false;
  std::string last_refusal_;
  bool has_failed_ = false;
};

}  // namespace autograd::debug
