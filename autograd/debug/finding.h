// Finding: what an instrument found wrong at an op, and how it says so. If a debugger is attached in this thread, it
// stops at that op; if a trace is attached, it writes the page. Otherwise the instrument prints its report.
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

}  // namespace autograd::debug
