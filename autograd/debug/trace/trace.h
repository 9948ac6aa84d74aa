// Trace: one backward pass and the program that it differentiates, as plain data without tensors or pointers. The page
// replays it, JSON files store it, and two runs are compared by it.
//
// FORMAT.md describes the same structure as it is written to a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "autograd/debug/finding.h"
#include "autograd/debug/recording.h"

namespace autograd::debug {

inline constexpr int none = -1;  // no such entry, where an index is expected

// The numbers of a tensor, all of them if they are not too many. Otherwise `cells` is a smaller picture of them, and
// the statistics are of all numbers.
struct TraceTensor {
  std::vector<std::int64_t> shape;
  std::string dtype;
  std::vector<double> values;  // row-major; empty if there are more than the limit
  bool complete = true;
  // Of the finite elements:
  double min = 0, max = 0, mean = 0, norm = 0;
  std::int64_t nan = 0, inf = 0;  // how many
  // The mean of each block of the matrix [numel / last size, last size]. Means, because those of contributions add up
  // to that of their sum.
  std::int64_t rows = 0, columns = 0;
  std::vector<double> cells;
  std::uint64_t hash = 0;  // of shape, dtype and all bits
};

struct TraceLine {
  std::string file;
  int line = 0;
  std::string text;  // as it stands in the file now; "" if that cannot be read
};

// A file of the program, whole, as it stood when the trace was made.
struct TraceSource {
  std::string file;
  std::string text;
  std::string missing;  // why there is no text; "" if there is
};

struct TraceOp {
  std::string name, formula, derivative;
};

struct TraceInput {
  std::uint64_t node = 0;  // 0 where no gradient is needed
  int use = none;          // of a leaf: which of Trace::uses
  std::string name;        // of the tensor; may be ""
  int value = none;        // the number of its tensor, where no node has it
  // In Trace::tensors: [count, 3], of each derivative that is not 0 the position in the output, that in this input, and
  // the derivative. None if they are too many.
  int slopes = none;
};

struct TraceNode {
  std::uint64_t id = 0;  // Node::number
  std::string label;     // the name of its output, or "%17"
  std::string op;        // "leaf" for a leaf
  bool is_leaf = false;
  int line = none;    // the line that called the op
  int origin = none;  // the line of the user's program that called the outermost module
  std::string module;
  std::vector<std::int64_t> time_steps;  // of the loops that it ran in, the outermost first
  int group = 0;
  std::vector<std::int64_t> shape;
  std::string dtype;
  int value = none;     // both are positions in Trace::tensors
  int gradient = none;  // after the whole pass
  std::vector<TraceInput> inputs;
  std::size_t expected = 0;  // contributions to its gradient, at most
};

// A leaf is drawn once for every op that uses it, so that each contribution to its gradient has a place of its own.
struct TraceUse {
  std::uint64_t leaf = 0;
  std::uint64_t user = 0;  // the op
  std::size_t input = 0;   // of that op
};

struct TraceContribution {
  std::uint64_t from = 0;  // 0: the gradient that the pass started with
  std::size_t input = 0;
  std::uint64_t to = 0;
  int value = none;
  int use = none;
};

struct TraceStep {
  std::uint64_t node = 0;
  std::size_t first = 0, last = 0;  // its contributions
};

// One call of a module, or one step of a loop.
struct TraceGroup {
  enum class Kind {
    module,  // the first group is the whole program
    step,    // one time step
  };
  Kind kind = Kind::module;
  std::string name;
  int parent = none;
  std::int64_t step = 0;   // of a step
  int called_from = none;  // in Trace::lines
};

struct Trace {
  std::uint64_t pass = 0;
  int called_at = none;  // the line that called backward()
  bool captures_only = false;
  bool completed = false;
  std::vector<TraceLine> lines;
  std::vector<TraceSource> sources;  // the files of `lines`
  std::vector<TraceOp> ops;
  std::vector<TraceGroup> groups;
  std::vector<TraceNode> nodes;  // by id: the order of the program
  std::vector<TraceUse> uses;
  std::vector<TraceTensor> tensors;  // equal ones once
  std::vector<TraceStep> steps;      // in the order in which they ran
  std::vector<TraceContribution> contributions;
  std::optional<Finding> mark;  // what was found in it
  History history;              // of all passes of the run, as far as it came

  const TraceNode* find(std::uint64_t id) const;
  const TraceOp* find_op(std::string_view name) const;
};

struct TraceOptions {
  // Tensors of at most this many numbers are kept completely.
  std::int64_t values_per_tensor = 16'384;
  // That limit is lowered until at most this many numbers are kept in all, so that the page of a large graph stays
  // small.
  std::int64_t values_in_all = 400'000;
  // At most this many derivatives are kept, those of the smallest ops first.
  std::int64_t slopes_in_all = 100'000;
};

Trace make_trace(const Recording& recording, const PassRecord& pass, const TraceOptions& options = {});

// To a JSON document and back. The latter throws std::invalid_argument, which says what is wrong with the text.
std::string to_json(const Trace& trace);
Trace trace_from_json(const std::string& text);
Trace read_trace(const std::string& file);

// How a traced program ended, for a program that starts it; FORMAT.md.
struct TraceReport {
  std::uint64_t passes = 0;  // backward passes, as long as the tracer watched
  std::optional<Finding> found;
};
std::string to_json(const TraceReport& report);

std::string shape_text(const std::vector<std::int64_t>& shape);  // "[2, 3]"

}  // namespace autograd::debug
