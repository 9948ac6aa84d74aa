#include "autograd/tape/pass.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "autograd/tape/backward.h"
#include "autograd/tape/observer.h"
#include "autograd/tape/record.h"
#include "autograd/tensor/checks.h"
#include "autograd/tensor/factories.h"
#include "autograd/tensor/format.h"

namespace autograd {
namespace {

// A node's place in the order of a pass.
std::uint64_t turn_of(const Node& node) {
  constexpr std::uint64_t above_leaves = std::uint64_t{1} << 63;
  return node.leaf ? node.number : above_leaves + node.number;
}

void check_seed(const char* asked, const Tensor& root, const Tensor& gradient, Where where) {
  if (!gradient.defined()) {
    if (root.numel() == 1) return;
    fail(ErrorId::not_a_scalar, asked, where,
         fmt::format("a gradient is implied only for a single number, and this tensor is {}", root.shape()),
         "reduce it first, as in x.sum().backward(), or pass dL/dx: x.backward(gradient)");
  }
  check_same_shape(asked, root.shape(), gradient.shape(), where, "the gradient does not have the shape of the tensor",
                   "pass a gradient of the tensor's own shape");
  check_same_dtype(asked, root, gradient, where);
}

// The node cannot be part of this pass.
[[noreturn]] void fail_enqueue(const char* asked, const Node& node, Where where) {
  if (node.released) {
    fail(ErrorId::no_graph, asked, where,
         fmt::format("the graph of the op {} at {} was released by an earlier backward()", node.name(),
                     to_string(node.called_at)),
         "run the forward pass again, or leave out {.release_graph = true}");
  }
  fail(ErrorId::nested_backward, asked, where,
       fmt::format("the op {} at {} is part of a backward pass that is still running", node.name(),
                   to_string(node.called_at)),
       "do not call backward() from a hook of the same graph; use the gradient that the hook is given");
}

}  // namespace

// ---- the order ---------------------------------------------------------------------------------------------

void Pass::start_from(const Tensor& root, const Tensor& gradient) {
  check_seed(asked_, root, gradient, called_at_);
  roots_.push_back(gradient_node(root));
  enqueue(*roots_.back());
  accumulate(*roots_.back(), gradient.defined() ? gradient : ones_like(root));
}

void Pass::enqueue(Node& node) {
  if (node.pass == this) return;
  if (node.released || node.pass) fail_enqueue(asked_, node, called_at_);
  waiting_.push({turn_of(node), Ref<Node>(&node)});
  node.pass = this;
}

Ref<Node> Pass::take_first() {
  Ref<Node> node = waiting_.top().node;
  waiting_.pop();
  return node;
}

Node* Pass::next() {
  if (!has_begun_) begin();
  if (current_) finish_current();
  has_ended_ = waiting_.empty();
  if (!has_ended_) current_ = take_first();
  return current_.get();
}

// A leaf may belong to other graphs too: it is never `released`.
void Pass::finish_current() {
  current_->pass = nullptr;
  if (options_.release_graph) {
    current_->inputs = {};
    current_->released = !current_->is_leaf();
  }
  current_ = Ref<Node>();
}

// ---- its beginning and its end -----------------------------------------------------------------------------

Pass::Pass(const char* asked, Where where, BackwardOptions options)
    : RunningPass(++given_out.passes, around_op.pass), asked_(asked), called_at_(where), options_(options) {
  around_op.pass = this;
}

// Tells instruments that the pass begins; the destructor tells of the end.
void Pass::begin() {
  has_begun_ = true;
  if (const Moments* tell = moments_told) {
    tell->thread_begins();
    if (!is_nested()) tell->outer_pass_begins();
  }
  if (!observer()) return;
  observer()->pass_begins(*this);
  announced_ = true;
}

Pass::~Pass() {
  const Ref<Node> interrupted = std::move(current_);
  if (announced_ && observer()) observer()->pass_ends(*this);
  if (!has_ended_) {  // in reverse: of a tensor that was noted twice, the oldest gradient comes back
    for (auto it = before_.rbegin(); it != before_.rend(); ++it) it->first->gradient = it->second;
  }
  if (interrupted) interrupted->pass = nullptr;
  while (!waiting_.empty()) {
    const Ref<Node> node = take_first();
    node->pass = nullptr;
    node->gradient = Tensor();
  }
  around_op.pass = outer;
}

// ---- grad() ------------------------------------------------------------------------------------------------

namespace {

// The roots and all nodes that they were computed from, without those numbered below `lowest`, in the order of a pass.
// All users of a node come before it, so that none puts it into the set again after its turn.
std::vector<Ref<Node>> nodes_in_pass_order(const std::vector<Ref<Node>>& roots, std::uint64_t lowest) {
  const auto order_of_pass = [](const Node* a, const Node* b) { return turn_of(*a) > turn_of(*b); };
  std::set<Node*, decltype(order_of_pass)> waiting;
  for (const Ref<Node>& root : roots) waiting.insert(root.get());
  std::vector<Ref<Node>> order;
  while (!waiting.empty()) {
    Node* node = waiting.extract(waiting.begin()).value();
    order.emplace_back(node);
    for (const Ref<Node>& input : node->inputs) {
      if (input && input->number >= lowest) waiting.insert(input.get());
    }
  }
  return order;
}

}  // namespace

void Pass::restrict_to(const std::vector<Tensor>& targets) {
  Targets& wanted = targets_.emplace();
  std::vector<Ref<Node>> at;
  std::uint64_t lowest = UINT64_MAX;
  for (const Tensor& target : targets) {
    at.push_back(gradient_node(target));
    lowest = std::min(lowest, at.back()->number);
  }
  wanted.searched = nodes_in_pass_order(roots_, lowest);
  for (auto it = wanted.searched.rbegin(); it != wanted.searched.rend(); ++it) {  // inputs come before their users
    const Node& node = **it;
    const bool is_target = std::find(at.begin(), at.end(), *it) != at.end();
    if (is_target) wanted.found[&node] = Tensor();
    if (is_target || runs(node)) wanted.on_the_way.insert(&node);
  }
}

bool Pass::runs(const Node& node) const {
  return !targets_ || std::any_of(node.inputs.begin(), node.inputs.end(),
                                  [this](const Ref<Node>& input) { return input && wants(*input); });
}

bool Node::needs(std::size_t input) const {
  return inputs[input] && (!pass || pass->wants(*inputs[input]));
}

void Pass::arrived(const Node& node, const Tensor& gradient) {
  if (!targets_) return;
  const auto target = targets_->found.find(&node);
  if (target != targets_->found.end()) target->second = gradient;
}

Tensor Pass::result(const Tensor& target) {
  const auto found = targets_->found.find(gradient_node(target).get());
  if (found == targets_->found.end() || !found->second.defined()) return Tensor();
  return found->second = own_memory(found->second);  // a target that is named twice is handed out twice
}

std::vector<Ref<Node>> Pass::nodes() const {
  return targets_ ? targets_->searched : nodes_in_pass_order(roots_, 0);
}

// ---- for errors and instruments ----------------------------------------------------------------------------

const Node* node_of_running_pass() {
  for (const RunningPass* pass = around_op.pass; pass; pass = pass->outer) {
    if (const Node* node = static_cast<const Pass*>(pass)->current()) return node;
  }
  return nullptr;
}

Differentiated Pass::differentiated() const {
  const Node* node = running_node();
  if (!node) return {};
  if (node->is_leaf()) return {fmt::format("the gradient of: a leaf, {}", to_string(node->shape))};
  return {fmt::format("the backward of: {}, run at {}", node->name(), to_string(node->called_at)), node->called_at,
          node->scope};
}

}  // namespace autograd
