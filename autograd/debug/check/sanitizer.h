// The gradient sanitizer, BACKSTEP=check: does for derivatives what AddressSanitizer does for memory. While the program
// runs, it compares every op's backward, at its real inputs and incoming gradient, with differences of its forward.
// docs/debugger.md shows what it prints, docs/20-verdicts-and-noise.md what it cannot check.
//
//   debug::ScopedGradientSanitizer sanitizer;      // until the end of the block
//   train();
//   EXPECT_EQ(sanitizer.reports().size(), 0) << sanitizer.summary_text();
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "autograd/debug/check/direction_check.h"
#include "autograd/debug/finding.h"
#include "autograd/debug/instrument_of_thread.h"
#include "autograd/debug/op_memory.h"
#include "autograd/debug/trail.h"
#include "autograd/gradcheck/report.h"
#include "autograd/tape/observer.h"

namespace autograd::debug {

struct SanitizerOptions {
  double rate = 1.0;            // the share of the ops that is checked, besides the first at each place
  double slowdown = 0.0;        // detached for long enough that the program takes this many times its time; 0: never
  std::uint64_t seed = 0;       // decides which ops, and which elements of large inputs
  bool ends_program = false;    // report to standard error and end it, at the first wrong derivative
  bool prints_reports = false;  // report to standard error and go on
};
// "every=10:seed=7:continue" or "slowdown=2"; throws std::invalid_argument.
SanitizerOptions sanitizer_options(const std::string& text);

// What has been checked so far. A place is one op at one line in one module, whatever the time step.
struct SanitizerSummary {
  struct Skipped {
    std::int64_t ops = 0;
    std::string example;  // the first of them
  };

  std::int64_t ops = 0;                    // whose backward ran
  std::int64_t checked = 0;                // of these
  std::int64_t wrong = 0;                  // of these
  std::int64_t left_out = 0;               // because only a share is checked
  std::int64_t missed = 0;                 // that ran forward while it was detached, to keep to the slowdown
  std::int64_t passes = 0;                 // backward passes that ran, watched or not
  std::int64_t passes_checked = 0;         // those of which a derivative was checked
  std::map<std::string, Skipped> skipped;  // by reason: what could not be checked
  std::set<std::string> kinds;
  std::set<std::string> places;
  std::int64_t elements = 0;           // compared one by one
  std::int64_t elements_together = 0;  // of large inputs, compared along random directions
  std::int64_t kinks = 0;              // inputs with an element where there is no derivative
  std::int64_t undecided = 0;          // inputs with an element where the numeric derivative is too uncertain
  double worst_relative_error = 0.0;   // of the right ones
  std::string worst_at;
  double seconds = 0.0;
  double seconds_asleep = 0.0;               // while it was detached
  std::vector<NoGradient> without_gradient;  // the leaves of all threads that no backward() has reached

  void add(const SanitizerSummary& other);
  bool passed() const { return wrong == 0; }
};
std::string to_string(const SanitizerSummary& summary);

class GradientSanitizer : public Observer {
 public:
  explicit GradientSanitizer(const SanitizerOptions& options = {});
  ~GradientSanitizer() override;

  void recorded(Node& node, const Inputs& inputs, const Tensor& output) override;
  void untaped(const Tensor& input, const Untaped& use) override;
  void accumulated(const Node& from, std::size_t input, const Tensor& contribution) override;
  Grads run(Node& node, const Tensor& dy) override;
  void pass_begins(Pass& pass) override;
  void pass_ends(Pass& pass) override;
  // Attaches itself again if it slept for long enough.
  void wake_in_time();

  // The wrong derivatives: the first of each place and input, in the order in which backward ran them.
  const std::vector<NodeReport>& reports() const { return reports_; }
  std::int64_t checked() const { return summary_.checked; }
  SanitizerSummary summary() const;
  std::string summary_text() const { return to_string(summary()); }

 private:
  struct Place {
    std::int64_t recorded = 0;
    std::int64_t checked = 0;
  };

  bool choose(Place& place) const;
  bool may_switch() const;
  void sleep_in_time();
  void check(Node& node, const Tensor& dy, const Grads& gradients);
  void examine_forward(const Node& node, const KeptOp& kept, const Tensor& again);
  void skip(const Node& node, const std::string& reason);
  NodeReport compare(const Node& node, const KeptOp& kept, const Tensor& dy, const Grads& gradients);
  NodeReport compare_large(const Node& node, const KeptOp& kept, const Tensor& dy, const Grads& gradients,
                           std::int64_t most_elements);
  NodeReport examine_suspects(const Node& node, const KeptOp& kept, const Tensor& dy, const Grads& gradients,
                              DirectionCheck& together, std::size_t input);
  void count(const NodeReport& report);
  void report_wrong(const Node& node, NodeReport report);

  SanitizerOptions options_;
  FindingSource source_;
  OpMemory memory_;
  Trail trail_;
  std::unordered_map<std::string, Place> places_;
  std::set<std::string> reported_;
  std::vector<NodeReport> reports_;
  SanitizerSummary summary_;
  PassesSeen passes_;
  Where pass_called_at_;

  // For options_.slowdown: it is detached between some passes, because being attached alone takes time.
  Observer* before_ = observer();
  const int own_guard_ = mode_of_thread.observer_guards + 1;                        // the one that attaches it
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();  // of being awake or asleep
  double awake_ = 0.0;                                                              // seconds
  bool has_slept_ = false;
};

// A sanitizer that is attached for the lifetime of the object.
class ScopedGradientSanitizer : public GradientSanitizer {
 public:
  explicit ScopedGradientSanitizer(const SanitizerOptions& options = {}) : GradientSanitizer(options), guard_(*this) {}

 private:
  ObserverGuard guard_;
};

// For BACKSTEP=check, in each thread: prints one summary of all when the program ends.
Observer* start_sanitizer(const std::string& options);

}  // namespace autograd::debug
