// Pass: one run of backward() or grad() over the part of the graph that its roots reach. Private to the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "autograd/tape/node.h"

namespace autograd {

class Pass {
 public:
  // Collects the reachable nodes and gives each root its incoming gradient.
  Pass(std::span<const Tensor> roots, std::span<const Tensor> gradients, Where where, BackwardOptions options = {});
  Pass(const Tensor& root, const Tensor& gradient, Where where, BackwardOptions options = {})
      : Pass(std::span(&root, 1), std::span(&gradient, 1), where, options) {}
  // Leaves the graph as it was, whether the pass ended or threw.
  ~Pass();
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;

  // For grad(): runs only what leads to these tensors, whose gradients are captured instead of accumulated.
  void lead_to(const std::vector<Tensor>& targets);

  // The next node in the reverse of the order in which the program ran, or nullptr at the end.
  Node* next() {
    if (!has_begun_) begin();
    while (position_ < nodes_.size()) {
      Node* node = nodes_[position_++].get();
      if (!node->off_path && node->gradient.defined()) return node;
    }
    has_ended_ = true;
    return nullptr;
  }
  // Does the node's backward have to run, or is its gradient only captured?
  bool must_run(const Node& node) const { return !captures_only_ || leads_on(node); }
  void capture(const Node& node, const Tensor& gradient) {
    if (captures_only_) capture_target(node, gradient);
  }
  Tensor captured(const Tensor& target) const;
  // Gives a tensor its new gradient. A pass that does not end puts the old one back.
  void replace(GradientSlot& slot, const Tensor& gradient);
  // Cuts the node, which has run, out of the graph.
  void release_inputs(Node& node);

  // All ops that it may run, in that order: descending numbers, then the leaves.
  const std::vector<Ref<Node>>& nodes() const { return nodes_; }
  bool has_ended() const { return has_ended_; }
  bool captures_only() const { return captures_only_; }
  Where called_at() const { return called_at_; }  // the line that called backward() or grad()
  // Is what has run cut out of the graph, so that nothing needs its values any more?
  bool releases_graph() const { return options_.release_graph; }

 private:
  Pass() = default;
  void begin();
  void collect(Node* root, Where where);
  void add(Node* node);
  void seed(const Tensor& root, const Tensor& gradient, Where where);
  bool leads_on(const Node& node) const;
  void capture_target(const Node& node, const Tensor& gradient);
  void put_back();

  std::vector<Ref<Node>> nodes_;  // in descending order of number, the leaves at the end
  std::vector<Ref<Node>> leaves_;
  bool found_in_order_ = true;             // the search met them in descending order, as it does those of a chain
  std::uint64_t last_found_ = UINT64_MAX;  // the number of the op that it met last
  std::size_t position_ = 0;
  bool captures_only_ = false;
  bool has_begun_ = false;
  bool announced_ = false;  // to an observer
  bool has_ended_ = false;
  Where called_at_;
  BackwardOptions options_;
  std::unordered_map<const Node*, Tensor> captured_;
  std::vector<std::pair<Ref<GradientSlot>, Tensor>> replaced_;  // the gradients that were there before
};

}  // namespace autograd
