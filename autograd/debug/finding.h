// Finding: what an instrument found wrong at an op, and how it says so. If a debugger is attached in this thread, it
// stops at that op; if a trace is attached, it writes the page. Otherwise the instrument prints its report, and may end
// the program.
#pragma once

#include <string>

#include "autograd/tape/node.h"

namespace autograd::debug {

struct Finding {
  enum class Kind { not_finite, wrong_derivative, exception };
  Kind kind = Kind::exception;
  std::string title;           // one line
  std::string report;          // all there is to say, without a line end; the title is a part of it
  const Node* node = nullptr;  // the op; nullptr where none is known
};

// Hears of what is found in the thread that it was made in, until it is destroyed there.
class FindingListener {
 public:
  FindingListener();
  virtual ~FindingListener();
  FindingListener(const FindingListener&) = delete;
  FindingListener& operator=(const FindingListener&) = delete;

  // Returns true if it has shown the report to the user, who wants the program to go on.
  virtual bool found(const Finding& finding) = 0;
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
bool tell(const Finding& finding);

// An exception that nobody catches is a finding too. Puts a handler in front of that of std::terminate, which is called
// before anything is unwound, so that the debugger can still look at the op that threw; the other one ends the program.
void tell_of_uncaught_exceptions();

// Ends the program at once, with a failure as AddressSanitizer's. It does not throw, because the program could catch
// that; nor does it call exit(), because destructors would then see an unfinished pass.
[[noreturn]] void end_program(const std::string& last_words);

// Flushes the C and C++ output streams, then prints `text` to standard error.
void print_after_output(const std::string& text);

}  // namespace autograd::debug
