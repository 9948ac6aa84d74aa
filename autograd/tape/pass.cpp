#include "autograd/tape/pass.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <set>

#include "autograd/tape/checks.h"
#include "autograd/tape/leaf.h"
#include "autograd/tape/observer.h"
#include "autograd/tensor/factories.h"

namespace autograd {
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

constinit thread_local std::uint16_t passes_running = 0;
constinit std::atomic<std::uint32_t> passes_begun = 0;

}  // namespace

Pass::Pass(const char* asked)
    : asked_(asked), depth_(++passes_running), borrower_{passes_begun.fetch_add(1) + 1, borrowers} {
  borrowers = &borrower_;
}

// Delegating makes the object complete before anything can throw, so that its destructor cleans up.
Pass::Pass(const char* asked, std::span<const Tensor> roots, std::span<const Tensor> gradients, Where where,
           BackwardOptions options)
    : Pass(asked) {
  called_at_ = where;
  options_ = options;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const Tensor gradient = i < gradients.size() ? gradients[i] : Tensor();
    check_seed(asked_, roots[i], gradient, where);
    roots_.push_back(gradient_node(roots[i]));
    enqueue(*roots_.back());
    accumulate(*roots_.back(), gradient.defined() ? gradient : ones_like(roots[i]));
  }
}

Pass::~Pass() {
  if (announced_ && observer()) observer()->pass_ends(*this);
  if (!has_ended_) roll_back();
  if (current_) current_->pass = nullptr;
  while (!waiting_.empty()) {
    const Ref<Node> node = waiting_.pop();
    node->pass = nullptr;
    node->gradient = Tensor();
  }
  for (const Ref<Node>& node : searched_) {
    if (node->on_path_of == depth_) node->on_path_of = 0;
  }
  borrowers = borrower_.outer;
  --passes_running;
}

// ---- one op after the other --------------------------------------------------------------------------------

void Pass::enqueue_new(Node& node) {
  const bool is_in_other_pass = node.pass && node.pass != this;
  const bool is_on_other_path = node.on_path_of != 0 && node.on_path_of != depth_ && !node.is_leaf();
  if (is_in_other_pass || is_on_other_path || node.released) fail_unusable(asked_, node, called_at_);
  waiting_.push(node);
  node.pass = this;
}

Node* Pass::next() {
  if (!has_begun_) begin();
  if (current_) finish_current();
  if (waiting_.empty()) {
    has_ended_ = true;
    return nullptr;
  }
  current_ = waiting_.pop();
  return current_.get();
}

// Tells an observer that the pass begins; the destructor tells it of the end.
void Pass::begin() {
  has_begun_ = true;
  begin_thread();
  if (!is_nested()) {
    ++outer_passes_begun;
    if (const Told tell = told_of_passes.load(std::memory_order_relaxed)) tell();
  }
  if (!observer()) return;
  observer()->pass_begins(*this);
  announced_ = true;
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

// ---- grad() ------------------------------------------------------------------------------------------------

void Pass::lead_to(const std::vector<Tensor>& targets) {
  captures_only_ = true;
  std::uint64_t lowest = UINT64_MAX;
  std::vector<Ref<Node>> target_nodes;
  for (const Tensor& target : targets) {
    target_nodes.push_back(gradient_node(target));
    lowest = std::min(lowest, target_nodes.back()->number);
  }
  searched_ = nodes_in_pass_order(roots_, lowest);
  for (auto it = searched_.rbegin(); it != searched_.rend(); ++it) {  // inputs come before the ops that use them
    Node& node = **it;
    if (node.on_path_of != 0) fail_unusable(asked_, node, called_at_);
    const bool is_target = std::find(target_nodes.begin(), target_nodes.end(), *it) != target_nodes.end();
    if (is_target) captured_[&node] = Tensor();
    if (is_target || leads_on(node)) node.on_path_of = depth_;
  }
}

bool Pass::leads_on(const Node& node) const {
  const auto is_on_path = [this](const Ref<Node>& input) { return input && input->on_path_of == depth_; };
  return std::any_of(node.inputs.begin(), node.inputs.end(), is_on_path);
}

void Pass::capture_target(const Node& node, const Tensor& gradient) {
  const auto place = captured_.find(&node);
  if (place != captured_.end()) place->second = gradient;
}

Tensor Pass::hand_out(const Tensor& target) {
  const auto place = captured_.find(gradient_node(target).get());
  if (place == captured_.end() || !place->second.defined()) return Tensor();
  return place->second = own_memory(place->second);  // a target that is named twice is handed out twice
}

std::vector<Ref<Node>> Pass::nodes() const {
  return captures_only_ ? searched_ : nodes_in_pass_order(roots_, 0);
}

// In reverse: of a slot that was filled twice, the oldest gradient comes back.
void Pass::roll_back() {
  for (auto it = before_.rbegin(); it != before_.rend(); ++it) it->first->gradient = it->second;
}

}  // namespace autograd
