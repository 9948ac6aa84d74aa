// Finding: what an instrument found wrong at an op, as data. If a debugger is attached in this thread, it stops at that
// op; if a trace is attached, it writes the page. Otherwise the instrument prints its report, and may end the program.
#pragma once

#include <cstdint>
#include <string>

#include "autograd/tape/node.h"

namespace autograd::debug {

struct Finding {
  enum class Kind {
    not_finite,
    wrong_derivative,
    exception,
    difference,  // from another run's trace (trace/trace_difference.h)
  };
  Kind kind = Kind::exception;
  std::string text = {};  // one sentence, without the place: "NaN made by log"
  std::string id = {};    // of an Error: "shape-mismatch"
  std::string op = {};    // "log"
  std::string file = {};  // the line of the user's program that called it
  int line = 0;
  std::uint64_t node = 0;  // Node::number; 0 where no op is known
  bool backward = false;   // found in a backward pass
};
// In one line, with the place.
std::string title(const Finding& finding);
// Where in the user's program the op was called: of a module, the line that called it.
Finding finding_at(const Node& node, Finding::Kind kind, std::string text);

// Hears of what is found in the thread that it was made in, until it is destroyed there.
class FindingListener {
 public:
  FindingListener();
  virtual ~FindingListener();
  FindingListener(const FindingListener&) = delete;
  FindingListener& operator=(const FindingListener&) = delete;

  // `node`: the op, or nullptr; `report`: all there is to say, without a line end. Returns true if it has shown the
  // report to the user, who wants the program to go on.
  virtual bool found(const Finding& finding, const Node* node, const std::string& report) = 0;
};

// Held by an instrument that looks for findings.
class FindingSource {
 public:
  FindingSource() { ++alive; }
  ~FindingSource() { --alive; }
  FindingSource(const FindingSource&) = delete;
  FindingSource& operator=(const FindingSource&) = delete;

  static inline constinit thread_local int alive = 0;
};

// Tells every listener of this thread. True if one of them has shown the finding: then the program goes on.
bool tell(const Finding& finding, const Node* node, const std::string& report);

// An exception that nobody catches is a finding too. Puts a handler in front of that of std::terminate, which is called
// before anything is unwound, so that the debugger can still look at the op that threw; the other one ends the program.
void tell_of_uncaught_exceptions();

// Ends the program at once, with a failure as AddressSanitizer's. It does not throw, because the program could catch
// that; nor does it call exit(), because destructors would then see an unfinished pass.
[[noreturn]] void end_program(const std::string& last_words);

// Flushes the C and C++ output streams, then prints `text` to standard error.
void print_after_output(const std::string& text);

}  // namespace autograd::debug
