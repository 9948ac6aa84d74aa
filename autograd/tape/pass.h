// Pass: one run of backward() or grad(). A gradient waits at the node whose output it belongs to. Of the nodes that
// wait, the one that the program ran last goes next: every op that used its output has a higher number, so it has had
// its turn, and the gradient is complete. Private to the engine.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "autograd/tape/node.h"

namespace autograd {

class Pass {
 public:
  // Gives each root its incoming gradient. `asked` is what errors name: "backward" or "grad".
  Pass(const char* asked, std::span<const Tensor> roots, std::span<const Tensor> gradients, Where where,
       BackwardOptions options = {});
  Pass(const char* asked, const Tensor& root, const Tensor& gradient, Where where, BackwardOptions options = {})
      : Pass(asked, std::span(&root, 1), std::span(&gradient, 1), where, options) {}
  // Leaves the graph as it was, whether the pass ended or threw.
  ~Pass();
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;

  // For grad(): runs only what leads to these tensors, whose gradients are captured instead of accumulated.
  void lead_to(const std::vector<Tensor>& targets);

  // The op whose turn it is, or nullptr at the end.
  Node* next();
  // A gradient is about to arrive at this node: it gets in line, if it does not wait there already.
  void await(Node& node) {
    if (node.pass != this || !node.gradient.defined()) get_in_line(node);
  }
  // Does the node's backward have to run, or is its gradient only captured?
  bool must_run(const Node& node) const { return !captures_only_ || leads_on(node); }
  void capture(const Node& node, const Tensor& gradient) {
    if (captures_only_) capture_target(node, gradient);
  }
  Tensor captured(const Tensor& target) const;
  // A tensor's gradient is about to be replaced. A pass that does not end puts the old one back.
  void remember(GradientSlot& slot);

  // For instruments: all ops that it may run, in their order, found by a walk of its own.
  std::vector<Ref<Node>> nodes() const;
  bool has_ended() const { return has_ended_; }
  bool captures_only() const { return captures_only_; }
  Where called_at() const { return called_at_; }  // the line that called backward() or grad()
  // Is what has run cut out of the graph, so that nothing needs its values any more?
  bool releases_graph() const { return options_.release_graph; }

 private:
  explicit Pass(const char* asked);
  void begin();
  void get_in_line(Node& node);
  void finish_current();
  bool leads_on(const Node& node) const;
  void capture_target(const Node& node, const Tensor& gradient);
  void put_back();

  const char* const asked_;
  const std::uint16_t number_;      // how deep this pass is nested in others: 1, 2, ..
  std::vector<Ref<Node>> waiting_;  // a heap, the next one in front
  Ref<Node> current_;               // the op whose turn it is
  std::vector<Ref<Node>> roots_;
  std::vector<Ref<Node>> searched_;  // by lead_to(): what may be on the way
  bool captures_only_ = false;
  bool has_begun_ = false;
  bool announced_ = false;  // to an observer
  bool has_ended_ = false;
  Where called_at_;
  BackwardOptions options_;
  std::unordered_map<const Node*, Tensor> captured_;
  std::vector<std::pair<Ref<GradientSlot>, Tensor>> before_;  // the gradients that were replaced
};

}  // namespace autograd
