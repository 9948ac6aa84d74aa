#include "autograd/debug/trace/trace_difference.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <vector>

#include "autograd/gradcheck/patterns.h"
#include "autograd/gradcheck/positions.h"

namespace autograd::debug {
namespace {

struct Mismatch {
  std::string element;
  double right = 0, other = 0, relative = 0;
};

double relative_difference(double right, double other) {
  if (right == other) return 0;
  return std::abs(right - other) / std::abs(right);
}

class Comparison {
 public:
  Comparison(const Trace& right, const Trace& other, const DifferenceOptions& options)
      : right_(right), other_(other), options_(options) {}

  TraceDifference run() {
    align();
    for (const Pair& pair : pairs_) {
      if (report_value(pair)) return result_;
    }
    if (report_structure()) return result_;
    report_gradients();
    return result_;
  }

 private:
  struct Pair {
    const TraceNode* right;
    const TraceNode* other;
  };

  static std::vector<const TraceNode*> of_kind(const Trace& trace, bool leaves) {
    std::vector<const TraceNode*> list;
    for (const TraceNode& node : trace.nodes) {
      if (node.is_leaf == leaves) list.push_back(&node);
    }
    return list;
  }

  static bool same_op(const TraceNode& a, const TraceNode& b) {
    return a.op == b.op && a.module == b.module && a.shape == b.shape && a.dtype == b.dtype;
  }

  // Pairs the leaves too, as inputs of a pair of ops.
  void add_pair(const TraceNode& right, const TraceNode& other) {
    for (std::size_t i = 0; i < std::min(right.inputs.size(), other.inputs.size()); ++i) {
      if (right.inputs[i].use == none || other.inputs[i].use == none) continue;
      const TraceNode* a = right_.find(right.inputs[i].node);
      const TraceNode* b = other_.find(other.inputs[i].node);
      if (a && b && partner_.try_emplace(b->id, a->id).second) pairs_.push_back({a, b});
    }
    partner_[other.id] = right.id;
    pairs_.push_back({&right, &other});
  }

  void align() {
    const auto right = of_kind(right_, false);
    const auto other = of_kind(other_, false);
    std::size_t same = 0;
    while (same < right.size() && same < other.size() && same_op(*right[same], *other[same])) {
      add_pair(*right[same], *other[same]);
      ++same;
    }
    if (same < right.size()) unmatched_right_ = right[same];
    if (same < other.size()) unmatched_other_ = other[same];
  }

  double tolerance(const TraceTensor& tensor) const {
    if (options_.tolerance > 0) return options_.tolerance;
    return tensor.dtype == "float64" ? 1e-10 : 1e-5;
  }

  // The element that differs most. Here NaN equals NaN.
  std::optional<Mismatch> compare(const std::vector<double>& right, const std::vector<double>& other,
                                  const TraceTensor& tensor, bool is_summary) const {
    const double largest = checker::largest_finite(right);
    std::optional<Mismatch> worst;
    double worst_excess = 0;
    for (std::size_t i = 0; i < std::min(right.size(), other.size()); ++i) {
      const bool both_nan = std::isnan(right[i]) && std::isnan(other[i]);
      if (both_nan || right[i] == other[i]) continue;
      const double allowed =
          tolerance(tensor) * (std::abs(right[i]) + 0.05 * largest) + (is_summary ? 1e-5 * largest : 0);
      const double off = std::abs(right[i] - other[i]);
      if (off <= allowed) continue;
      const double excess = std::isnan(off) ? INFINITY : off / allowed;
      if (worst && excess <= worst_excess) continue;
      worst_excess = excess;
      const std::string element =
          is_summary ? fmt::format("picture cell {}", i) : fmt::format("{}", checker::index_of(i, Shape(tensor.shape)));
      worst = Mismatch{element, right[i], other[i], relative_difference(right[i], other[i])};
    }
    return worst;
  }

  std::optional<Mismatch> compare(int right_index, int other_index) const {
    if (right_index == none || other_index == none) return {};
    const TraceTensor& right = right_.tensors[static_cast<std::size_t>(right_index)];
    const TraceTensor& other = other_.tensors[static_cast<std::size_t>(other_index)];
    if (right.shape != other.shape) {
      return Mismatch{fmt::format("shape {} instead of {}", shape_text(other.shape), shape_text(right.shape)), 0, 0, 0};
    }
    if (right.complete && other.complete) return compare(right.values, other.values, right, false);
    if (right.complete != other.complete || right.hash == other.hash) return {};
    if (right.nan != other.nan || right.inf != other.inf) {
      return Mismatch{"count of NaN and infinities", static_cast<double>(right.nan + right.inf),
                      static_cast<double>(other.nan + other.inf), 0};
    }
    if (auto found = compare({right.min, right.max, right.norm}, {other.min, other.max, other.norm}, right, true)) {
      found->element = "smallest, largest or norm";
      return found;
    }
    return compare(right.cells, other.cells, right, true);
  }

  static std::string describe(const Trace& trace, const TraceNode& node) {
    const std::string number = fmt::format("%{}", node.id);
    std::string text = node.label == number ? number : number + " " + node.label;
    text += " " + node.op;
    if (node.line != none) {
      const TraceLine& line = trace.lines[static_cast<std::size_t>(node.line)];
      text += fmt::format(" ({}:{}{}{})", line.file, line.line, node.module.empty() ? "" : " in ", node.module);
    }
    return text;
  }

  bool report(const Pair& pair, const char* kind, bool backward, const Mismatch& found) {
    result_.found = true;
    result_.kind = kind;
    result_.backward = backward;
    result_.node = pair.other->id;
    result_.right_node = pair.right->id;
    result_.element = found.element;
    result_.right = found.right;
    result_.other = found.other;
    result_.relative = found.relative;
    result_.text = fmt::format("first difference: {} at {}: right {:.9g}, here {:.9g}, element {}, relative {:.2g}",
                               backward ? "backward, the gradient" : "forward, the value",
                               describe(other_, *pair.other), found.right, found.other, found.element, found.relative);
    return true;
  }

  bool report_value(const Pair& pair) {
    const auto found = compare(pair.right->value, pair.other->value);
    return found && report(pair, "value", false, *found);
  }

  bool report_structure() {
    if (!unmatched_right_ && !unmatched_other_) return false;
    result_.found = true;
    result_.kind = "structure";
    if (unmatched_other_) result_.node = unmatched_other_->id;
    if (unmatched_right_) result_.right_node = unmatched_right_->id;
    const auto text = [](const Trace& trace, const TraceNode* node) {
      return node ? fmt::format("{} {}", describe(trace, *node), shape_text(node->shape)) : std::string("nothing more");
    };
    result_.text = fmt::format("first difference: forward, another op: right {}, here {}",
                               text(right_, unmatched_right_), text(other_, unmatched_other_));
    return true;
  }

  void report_gradients() {
    std::unordered_map<std::uint64_t, int> given;
    for (const TraceStep& step : right_.steps) given[step.node] = 1;
    for (const TraceStep& step : other_.steps) {
      const TraceNode* node = other_.find(step.node);
      const auto partner = partner_.find(step.node);
      if (!node || partner == partner_.end()) continue;
      const TraceNode* right = right_.find(partner->second);
      if (!right || !given.contains(right->id)) continue;
      const auto found = compare(right->gradient, node->gradient);
      if (found && report({right, node}, "gradient", true, *found)) {
        name_the_cause(*node);
        return;
      }
    }
  }

  // Names the op whose contribution made the gradient of the node wrong: all gradients before it were right.
  void name_the_cause(const TraceNode& node) {
    std::string ops;
    for (const TraceContribution& contribution : other_.contributions) {
      if (contribution.to != node.id) continue;
      const TraceNode* from = other_.find(contribution.from);
      if (from) ops += fmt::format("{}%{} {}", ops.empty() ? "" : ", ", from->id, from->op);
    }
    if (!ops.empty()) result_.text += fmt::format("; contributed by the backward of {}", ops);
  }

  const Trace& right_;
  const Trace& other_;
  const DifferenceOptions& options_;
  std::vector<Pair> pairs_;
  std::unordered_map<std::uint64_t, std::uint64_t> partner_;  // other's id -> right's id
  const TraceNode* unmatched_right_ = nullptr;
  const TraceNode* unmatched_other_ = nullptr;
  TraceDifference result_;
};

}  // namespace

TraceDifference first_difference(const Trace& right, const Trace& other, const DifferenceOptions& options) {
  return Comparison(right, other, options).run();
}

}  // namespace autograd::debug
