// Pass: one run of backward() or grad(). Of the nodes at which a gradient has arrived, the one that the program ran
// last goes next: all ops that used its output ran later and have had their turn, so its gradient is complete. Leaves
// come last even if the program used them late, so that somebody who steps through a pass sees all ops before them.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "autograd/tape/node.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/storage.h"

namespace autograd {

class Pass final : public RunningPass {
 public:
  // `asked` is what errors name: "backward" or "grad".
  Pass(const char* asked, Where where, BackwardOptions options = {});
  // Leaves no trace in the graph, whether the pass ended or threw; but what {.release_graph = true} cut stays cut.
  ~Pass();
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;

  // Gives a root its incoming gradient; an undefined one stands for 1. All roots come before restrict_to().
  void start_from(const Tensor& root, const Tensor& gradient);
  // For grad(): only the gradients of these tensors are wanted, and kept here. Leaves do not run.
  void restrict_to(const std::vector<Tensor>& targets);
  // Is the gradient of this node's output wanted, for itself or on the way to a target?
  bool wants(const Node& node) const { return !targets_ || targets_->on_the_way.contains(&node); }
  // What arrived at a target, in memory of its own. Undefined if no gradient did.
  Tensor result(const Tensor& target);

  // The op whose turn it is, or nullptr at the end.
  Node* next();
  // To be called before a gradient arrives at this node: puts it in line, unless it is there already.
  void enqueue(Node& node);
  // Does the node's backward run? In grad(), only if it leads on to a target.
  bool runs(const Node& node) const;
  // The gradient of the node's output is complete: kept, if that is a target.
  void arrived(const Node& node, const Tensor& gradient);
  // To be called before a tensor's gradient is replaced: a pass that fails puts the old one back.
  void keep_for_rollback(TensorMeta& meta) { before_.emplace_back(Ref<TensorMeta>(&meta), meta.gradient); }

  // For instruments: all nodes that the pass may run, in its order. Found by walking the graph, at each call.
  std::vector<Ref<Node>> nodes() const;
  const std::vector<Ref<Node>>& roots() const { return roots_; }
  const Node* current() const { return current_.get(); }
  bool has_ended() const { return has_ended_; }
  bool is_of_grad() const { return targets_.has_value(); }  // of the function grad(): no .grad is touched
  bool is_nested() const { return outer != nullptr; }       // in another pass of this thread
  Where called_at() const { return called_at_; }            // the line that called backward() or grad()
  // Is each op cut out of the graph once it has run, so that nothing needs its saved values any more?
  bool releases_graph() const { return options_.release_graph; }

  Differentiated differentiated() const override;

 private:
  // What restrict_to() was asked for.
  struct Targets {
    std::vector<Ref<Node>> searched;                // among these, in the order of the pass
    std::unordered_set<const Node*> on_the_way;     // those that lead to a target, and the targets
    std::unordered_map<const Node*, Tensor> found;  // the gradients of the targets
  };

  // A node at which a gradient has arrived.
  struct Waiting {
    std::uint64_t turn = 0;  // of two nodes, the one whose turn is the higher number comes first
    Ref<Node> node;
    friend bool operator<(const Waiting& a, const Waiting& b) { return a.turn < b.turn; }
  };

  void begin();
  Ref<Node> take_first();
  void finish_current();

  const char* const asked_;
  std::priority_queue<Waiting> waiting_;
  Ref<Node> current_;  // the op whose turn it is
  std::vector<Ref<Node>> roots_;
  std::optional<Targets> targets_;
  bool has_begun_ = false;
  bool announced_ = false;  // an observer was told of the beginning
  bool has_ended_ = false;
  Where called_at_;
  BackwardOptions options_;
  std::vector<std::pair<Ref<TensorMeta>, Tensor>> before_;  // the gradients that were replaced
};

// The gradient if nobody else holds it, otherwise a copy: it may be changed in place, and is lent to no pass any more.
Tensor own_memory(const Tensor& gradient);
// A gradient of the running pass lies in this memory: to change it in place is an error.
inline void lend(const Tensor& gradient) {
  gradient.impl()->storage->lend();
}
// Calls the hooks on a node's output, which may replace the gradient, and stores the gradient if retain_grad() was
// called. Returns it as the hooks left it.
Tensor run_hooks(const Node& node, Tensor gradient);

}  // namespace autograd
