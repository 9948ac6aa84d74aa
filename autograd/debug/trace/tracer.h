// Tracer: an observer that writes what one backward pass did to a file, when this pass ends. When another instrument
// finds something, it writes the pass in which it was found, in place of any other.
//
//   BACKSTEP=trace:FILE.html               the page, of the first backward pass
//   BACKSTEP=trace:FILE.json               the trace (FORMAT.md)
//   BACKSTEP=trace:FILE.html,pass=3        of the third pass
//   BACKSTEP=trace:B.html,compare=A.json   says where this program first differs from the one that wrote A.json
//   ...,tolerance=1e-4   ...,values=100000: numbers kept of each tensor
//   ...,report=R.json    for a program that starts this one: a TraceReport, in place of messages
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "autograd/debug/finding.h"
#include "autograd/debug/recording.h"
#include "autograd/debug/trace/trace.h"
#include "autograd/debug/trace/trace_difference.h"

namespace autograd::debug {

struct TracerOptions {
  std::string file = "";     // ends in .html or .json
  std::uint64_t pass = 1;    // which backward pass, counted from 1
  std::string compare = "";  // a .json file of the right program; "" for none
  DifferenceOptions difference = {};
  std::string report = "";  // a .json file; "" for none
  TraceOptions trace = {};
};

// From the text after "trace:". Throws std::invalid_argument, saying what it expected.
TracerOptions parse_tracer_options(const std::string& text);

class Tracer : public Recording, private FindingListener {
 public:
  // Throws std::invalid_argument if the file cannot be written, or the one to compare with cannot be read.
  explicit Tracer(TracerOptions options);

  void pass_begins(Pass& pass) override;
  void pass_ends(Pass& pass) override;

  bool written() const { return done_; }
  // Says if nothing was written, or writes the report.
  void program_ends();
  // In a child process after fork(): from here on it writes a file of its own, named after the process.
  void begin_in_child();
  // What the comparison found, after the pass.
  const TraceDifference& difference() const { return difference_; }

 private:
  bool found(const Finding& finding, const Node* node, const std::string& report) override;
  void write(const PassRecord& pass, const std::optional<Finding>& mark = {});
  void write_pass(const PassRecord& pass, const std::optional<Finding>& mark);
  void write_history();
  void write_report();
  void say(const std::string& text) const;

  TracerOptions options_;
  std::optional<Trace> right_;  // to compare with
  TraceDifference difference_;
  TraceReport report_;
  std::optional<Trace> written_;  // written again at the end, with what later passes did
  bool done_ = false;             // the pass that was asked for is written; it rests once nothing is left to be written
};

// For start.h: a tracer that says at the program's end if the pass never came.
Observer* make_tracer(const std::string& argument);

}  // namespace autograd::debug
