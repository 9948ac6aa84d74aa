// Pass: one run of backward() or grad(). Of the nodes at which a gradient has arrived, the one that the program ran
// last goes next: all ops that used its output ran later and have had their turn, so its gradient is complete. Private
// to the engine.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "autograd/tape/node.h"
#include "autograd/tape/node_queue.h"

namespace autograd {

class Pass {
 public:
  // Gives each root its incoming gradient. `asked` is what errors name: "backward" or "grad".
  Pass(const char* asked, std::span<const Tensor> roots, std::span<const Tensor> gradients, Where where,
       BackwardOptions options = {});
  Pass(const char* asked, const Tensor& root, const Tensor& gradient, Where where, BackwardOptions options = {})
      : Pass(asked, std::span(&root, 1), std::span(&gradient, 1), where, options) {}
  // Leaves no trace in the graph, whether the pass ended or threw; but what {.release_graph = true} cut stays cut.
  ~Pass();
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;

  // For grad(): limits the pass to nodes that lead to these tensors, whose gradients it captures.
  void lead_to(const std::vector<Tensor>& targets);

  // The op whose turn it is, or nullptr at the end.
  Node* next();
  // To be called before a gradient arrives at this node: puts the node in line unless it is there already.
  void enqueue(Node& node) {
    if (node.pass != this || !node.gradient.defined()) enqueue_new(node);
  }
  // Does the node's backward have to run, or is its gradient only captured?
  bool must_run(const Node& node) const { return !captures_only_ || leads_on(node); }
  void capture(const Node& node, const Tensor& gradient) {
    if (captures_only_) capture_target(node, gradient);
  }
  // What was captured for a target, in memory of its own. Undefined if no gradient arrived there.
  Tensor hand_out(const Tensor& target);
  // To be called before a tensor's gradient is replaced: a pass that fails puts the old one back.
  void keep_for_rollback(GradientSlot& slot) { before_.emplace_back(Ref<GradientSlot>(&slot), slot.gradient); }

  // For instruments: all nodes that the pass may run, in its order. Found by walking the graph, at each call.
  std::vector<Ref<Node>> nodes() const;
  const std::vector<Ref<Node>>& roots() const { return roots_; }
  bool has_ended() const { return has_ended_; }
  bool captures_only() const { return captures_only_; }
  bool is_nested() const { return depth_ > 1; }   // in another pass of this thread
  Where called_at() const { return called_at_; }  // the line that called backward() or grad()
  // Is each op cut out of the graph once it has run, so that nothing needs its saved values any more?
  bool releases_graph() const { return options_.release_graph; }

 private:
  explicit Pass(const char* asked);
  void begin();
  void enqueue_new(Node& node);
  void finish_current();
  bool leads_on(const Node& node) const;
  void capture_target(const Node& node, const Tensor& gradient);
  void roll_back();

  const char* const asked_;
  const std::uint16_t depth_;  // how deep this pass is nested in others: 1, 2, ..
  const Borrower borrower_;    // of the memory of gradients, as long as this pass lives
  NodeQueue waiting_;          // nodes at which a gradient has arrived
  Ref<Node> current_;          // the op whose turn it is
  std::vector<Ref<Node>> roots_;
  std::vector<Ref<Node>> searched_;  // the nodes among which lead_to() looked for those that lead to a target
  bool captures_only_ = false;
  bool has_begun_ = false;
  bool announced_ = false;  // an observer was told of the beginning
  bool has_ended_ = false;
  Where called_at_;
  BackwardOptions options_;
  std::unordered_map<const Node*, Tensor> captured_;
  std::vector<std::pair<Ref<GradientSlot>, Tensor>> before_;  // the gradients that were replaced
};

// ---- where everything passes -------------------------------------------------------------------------------

// The node whose backward is running on this thread, or nullptr.
inline constinit thread_local const Node* running = nullptr;
inline const Node* running_node() {
  return running;
}

// Runs a node's backward and its hooks, and hands the gradients on.
[[gnu::noinline]] void run_node(Node& node);  // a breakpoint stops in Release too
// Adds a contribution to the gradient of a node's output.
void accumulate(Node& to, const Tensor& contribution);
// For the backward() of an op whose output is a part of its input: the input's gradient so far, to which it adds in
// place. Then it returns no gradient. So a loop that takes a slice per step does not write the whole sequence at each
// step. Undefined where the whole gradient is wanted: by somebody who watches, or to be differentiated.
Tensor gradient_to_add_to(const Node& node, std::size_t input);
// Sums a gradient over the dims that broadcasting repeated: to `shape`, which broadcasts to the gradient's own. No op
// whose `broadcasts` is true does this itself.
Tensor sum_to(const Tensor& gradient, const Shape& shape);
// Sums a gradient with respect to an input of `node` to the input's own shape, and accumulates it there.
void contribute(const Node& node, std::size_t input, const Tensor& gradient);

// Calls the hooks on a node's output, which may replace the gradient, stores the gradient if retain_grad() was called,
// then calls the node's prehooks. Returns the gradient as the hooks left it.
Tensor run_hooks(Node& node, Tensor gradient);
// Calls the hooks that follow the node's backward.
void run_posthooks(const Node& node, const Grads& gradients, const Tensor& dy);

}  // namespace autograd
