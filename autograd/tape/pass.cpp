#include "autograd/tape/pass.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

#include "autograd/tape/backward.h"
#include "autograd/tape/observer.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/factories.h"
#include "autograd/tensor/format.h"

namespace autograd {

// Delegating to Pass() makes the object complete before anything can throw, so that its destructor cleans up.
Pass::Pass(std::span<const Tensor> roots, std::span<const Tensor> gradients, Where where, BackwardOptions options)
    : Pass() {
  called_at_ = where;
  options_ = options;
  nodes_.reserve(64);
  for (const Tensor& root : roots) collect(gradient_node(root).get(), where);
  const auto later = [](const Ref<Node>& a, const Ref<Node>& b) { return a->number > b->number; };
  if (!found_in_order_) std::sort(nodes_.begin(), nodes_.end(), later);
  nodes_.insert(nodes_.end(), leaves_.begin(), leaves_.end());
  for (std::size_t i = 0; i < roots.size(); ++i) {
    seed(roots[i], i < gradients.size() ? gradients[i] : Tensor(), where);
  }
}

// Tells the observer, if there is one, that everything is in place; the destructor tells it of the end.
void Pass::begin() {
  has_begun_ = true;
  if (!observer()) return;
  observer()->pass_begins(*this);
  announced_ = true;
}

Pass::~Pass() {
  if (announced_ && observer()) observer()->pass_ends(*this);
  if (!has_ended_) put_back();
  for (const auto* list : {&nodes_, &leaves_}) {
    for (const Ref<Node>& node : *list) {
      if (!node) continue;  // released
      node->pass = nullptr;
      node->off_path = false;
      node->gradient = Tensor();
    }
  }
}

namespace {

// A node may wait more than once, such as a parameter that every step of a loop uses. Only its last entry counts: the
// others will find it visited. Where a long list would grow they are dropped: it could become as long as the graph is
// deep.
[[gnu::noinline]] void make_room(std::vector<Node*>& to_visit) {
  constexpr std::size_t is_long = 1024;
  if (to_visit.size() < is_long) return;
  std::unordered_set<const Node*> seen;
  const auto waits_above = [&](const Node* node) { return !seen.insert(node).second; };
  const auto kept = std::remove_if(to_visit.rbegin(), to_visit.rend(), waits_above).base();
  to_visit.erase(to_visit.begin(), kept);
  if (to_visit.size() > to_visit.capacity() / 2) to_visit.reserve(2 * to_visit.capacity());
}

[[noreturn, gnu::noinline]] void fail_unusable(const Node& node, Where where) {
  if (node.released) {
    fail(ErrorId::no_graph, "backward", where,
         fmt::format("the graph of the op {} at {} was released by an earlier backward()", node.name(),
                     to_string(node.called_at)),
         "run the forward pass again, or leave out {.release_graph = true}");
  }
  fail(ErrorId::nested_backward, "backward", where,
       fmt::format("the op {} at {} is part of a backward pass that is still running", node.name(),
                   to_string(node.called_at)),
       "do not call backward() from a hook of the same graph; use the gradient that the hook is given");
}

}  // namespace

inline void Pass::add(Node* node) {
  if (node->is_leaf()) {
    leaves_.push_back(Ref<Node>(node));
    return;
  }
  found_in_order_ &= node->number < last_found_;
  last_found_ = node->number;
  nodes_.emplace_back(node);
}

// Depth-first search with a stack of its own: the graph may be deeper than the machine's stack.
void Pass::collect(Node* root, Where where) {
  std::vector<Node*> to_visit;
  to_visit.reserve(64);  // enough for most graphs
  to_visit.push_back(root);
  while (!to_visit.empty()) {
    Node* node = to_visit.back();
    to_visit.pop_back();
    if (node->pass == this) continue;
    if (node->pass || node->released) fail_unusable(*node, where);
    add(node);
    node->pass = this;  // only now: what is not in the list would keep the mark if add() threw
    const Ref<Node>* first = node->inputs.begin();
    for (const Ref<Node>* input = node->inputs.end(); input != first;) {
      --input;
      if (!*input || (*input)->pass == this) continue;
      if (to_visit.size() == to_visit.capacity()) make_room(to_visit);
      to_visit.push_back(input->get());
    }
  }
}

namespace {

void check_seed(const Tensor& root, const Tensor& gradient, Where where) {
  if (!gradient.defined()) {
    if (root.numel() == 1) return;
    fail(ErrorId::not_a_scalar, "backward", where,
         fmt::format("a gradient is implied only for a single number, and this tensor is {}", root.shape()),
         "reduce it first, as in x.sum().backward(), or pass dL/dx: x.backward(gradient)");
  }
  if (!(gradient.shape() == root.shape())) {
    fail(ErrorId::shape_mismatch, "backward", where,
         fmt::format("the gradient passed is {}, the tensor is {}", gradient.shape(), root.shape()),
         "pass a gradient of the tensor's own shape");
  }
  if (gradient.dtype() != root.dtype()) {
    fail(ErrorId::dtype_mismatch, "backward", where,
         fmt::format("the gradient passed is {}, the tensor is {}", gradient.dtype(), root.dtype()),
         "convert the gradient with to()");
  }
}

}  // namespace

void Pass::seed(const Tensor& root, const Tensor& gradient, Where where) {
  check_seed(root, gradient, where);
  const Tensor seed = gradient.defined() ? gradient : ones_like(root);
  accumulate(*gradient_node(root), seed);
}

void Pass::lead_to(const std::vector<Tensor>& targets) {
  captures_only_ = true;
  for (const Tensor& target : targets) {
    const Ref<Node> node = gradient_node(target);
    if (node->pass == this) captured_[node.get()] = Tensor();  // a target that is not in the graph gets no gradient
  }
  for (auto it = nodes_.rbegin(); it != nodes_.rend(); ++it) {  // inputs come before the ops that use them
    Node& node = **it;
    node.off_path = !must_run(node) && !captured_.contains(&node);
  }
}

bool Pass::leads_on(const Node& node) const {
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.needs(i)) return true;
  }
  return false;
}

void Pass::capture_target(const Node& node, const Tensor& gradient) {
  const auto place = captured_.find(&node);
  if (place != captured_.end()) place->second = gradient;
}

Tensor Pass::captured(const Tensor& target) const {
  const auto place = captured_.find(gradient_node(target).get());
  return place == captured_.end() ? Tensor() : place->second;
}

void Pass::replace(GradientSlot& slot, const Tensor& gradient) {
  replaced_.emplace_back(Ref<GradientSlot>(&slot), slot.gradient);
  slot.gradient = gradient;
}

// The last first: a tensor may have been given several.
void Pass::put_back() {
  for (auto it = replaced_.rbegin(); it != replaced_.rend(); ++it) it->first->gradient = it->second;
}

void Pass::release_inputs(Node& node) {
  node.inputs = {};
  node.released = !node.is_leaf();  // a leaf may belong to other graphs too
  Ref<Node>& held = nodes_[position_ - 1];
  held->pass = nullptr;
  held = Ref<Node>();
}

}  // namespace autograd
