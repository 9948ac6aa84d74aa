// The origin of the first NaN or infinity, BACKSTEP=nan: the op that made it from finite numbers, in the forward pass
// or in its derivative. docs/debugger.md shows what it prints.
//
// A -inf that was made on purpose, by masked_fill(), by where() or in a constant, is reported only if it becomes NaN.
//
//   debug::ScopedNanOrigin nan_origin;      // until the end of the block
//   train();
//   if (nan_origin.found()) fmt::print("{}\n", to_string(*nan_origin.found()));
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "autograd/debug/finding.h"
#include "autograd/debug/instrument_of_thread.h"
#include "autograd/debug/nan/nan_causes.h"
#include "autograd/debug/op_memory.h"
#include "autograd/tape/observer.h"

namespace autograd::debug {

struct NanOptions {
  bool strict = false;        // report infinities that were made on purpose too
  bool only_nan = false;      // report no infinities at all
  bool ends_program = false;  // report to standard error and end the program
};
// "strict" or "only-nan"; throws std::invalid_argument.
NanOptions nan_options(const std::string& text);

struct NanReport {
  enum class Kind {
    forward,   // the op made it
    backward,  // the op's derivative made it
    entered,   // it was in an input that no recorded op made
    started,   // it was in the gradient that the backward pass started with
    summed,    // the contributions to a gradient were finite, or infinite, and their sum is what they were not
    hooked,    // a hook returned it
  };
  Kind kind = Kind::forward;
  std::string op;
  std::string formula;
  std::string derivative;
  std::string described;  // "%17 tanh at attention.cpp:40 in decoder.attention, step 3"
  Where where;            // the line that called the op
  std::string module;     // "decoder.attention, step 3"
  Where called_from;      // the line that called the outermost module
  Where backward_called_at;

  int input = -1;      // backward: whose gradient; entered: which one
  std::string tensor;  // what has the bad number: "the output", "the gradient of input 0"
  Shape shape;
  std::vector<std::int64_t> index;  // the first bad element
  double value = 0.0;               // NaN or an infinity
  std::int64_t nans = 0;
  std::int64_t infinities = 0;

  std::vector<OperandReport> operands;
  // summed: how many contributions there were, and those that are infinite at the bad element.
  struct Addend {
    std::string from;  // "%12 div at train.cpp:40"
    double value = 0.0;
  };
  std::int64_t contributions = 0;
  std::vector<Addend> infinite;
  Explanation explanation;
  std::vector<double> growth;  // the largest numbers at this place from call to call, before this one, if they grew
};
std::string to_string(const NanReport& report);

struct NanSummary {
  bool only_nan = false;
  std::int64_t found = 0;        // one at most in each thread
  std::int64_t ops = 0;          // watched
  std::int64_t derivatives = 0;  // likewise
  std::int64_t passes = 0;       // backward passes that ran, watched or not
  std::int64_t passes_watched = 0;

  void add(const NanSummary& other);
  bool passed() const { return found == 0; }
};
std::string to_string(const NanSummary& summary);

class NanOrigin : public Observer {
 public:
  explicit NanOrigin(const NanOptions& options = {}) : options_(options) { summary_.only_nan = options.only_nan; }

  void recorded(Node& node, const Inputs& inputs, const Tensor& output) override;
  Grads run(Node& node, const Tensor& dy) override;
  void accumulated(const Node& from, std::size_t input, const Tensor& contribution) override;
  void pass_begins(Pass& pass) override;

  // The first report. After this one, the observer stops watching.
  const std::optional<NanReport>& found() const { return found_; }
  NanSummary summary() const;
  std::string summary_text() const { return to_string(summary()); }

 private:
  using History = std::deque<double>;
  // At a node that has not had its turn.
  struct Arrivals {
    std::int64_t count = 0;
    double sizes = 0.0;  // the largest numbers of all, added up
    std::vector<std::pair<std::string, Tensor>> infinite;
  };

  bool is_bad(double largest) const;
  void note(History& history, double largest) const;
  void look_at_output(Node& node, const Inputs& inputs, const Tensor& output, double largest);
  bool report_entered(const Node& node, const Inputs& inputs);
  void look_at_gradients(const Node& node, const Tensor& dy, const Grads& gradients);
  std::string history_of_leaf(const Tensor& leaf) const;
  void look_at_sum(const Node& node, const Tensor& dy, const Arrivals& arrivals);
  void found_one(NanReport report, const Node& node);

  NanOptions options_;
  FindingSource source_;
  OpMemory memory_;
  std::unordered_map<std::string, History> forward_;              // the largest numbers at a place, the latest ones
  std::unordered_map<std::string, History> backward_;             // of the gradients, in this pass
  std::unordered_map<const TensorImpl*, double> leaf_gradients_;  // the largest of the last pass
  std::unordered_map<const Node*, Arrivals> arrivals_;
  std::optional<NanReport> found_;
  NanSummary summary_;
  PassesSeen passes_;
  Where pass_called_at_;
};

// An observer that is attached for the lifetime of the object.
class ScopedNanOrigin : public NanOrigin {
 public:
  explicit ScopedNanOrigin(const NanOptions& options = {}) : NanOrigin(options), guard_(*this) {}

 private:
  ObserverGuard guard_;
};

// For BACKSTEP=nan, in each thread: one line at the end of the program says if all numbers were finite.
Observer* start_nan_origin(const std::string& options);

}  // namespace autograd::debug
