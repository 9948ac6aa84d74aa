#include "autograd/debug/recording.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "autograd/debug/characters.h"
#include "autograd/debug/copies.h"
#include "autograd/debug/unobserved.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/backward.h"
#include "autograd/tape/leaf.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/storage.h"

namespace autograd::debug {
// ---- one pass -----------------------------------------------------------------------------------------------------

std::size_t PassRecord::contributions_after(std::size_t steps_done) const {
  if (steps_done < steps.size()) return steps[steps_done].first;
  return contributions.size();
}

void PassRecord::add(Contribution contribution) {
  arrivals[contribution.to].push_back(contributions.size());
  contributions.push_back(std::move(contribution));
}

void PassRecord::add(Step step) {
  step_positions[step.node.get()] = steps.size();
  steps.push_back(std::move(step));
}

std::size_t PassRecord::arrived(const Node& node, std::size_t steps_done) const {
  const auto place = arrivals.find(&node);
  if (place == arrivals.end()) return 0;
  const std::vector<std::size_t>& at = place->second;  // ascending
  const auto end = std::lower_bound(at.begin(), at.end(), contributions_after(steps_done));
  return static_cast<std::size_t>(end - at.begin());
}

std::vector<const Contribution*> PassRecord::contributions_to(const Node& node, std::size_t steps_done) const {
  std::vector<const Contribution*> result;
  const std::size_t count = arrived(node, steps_done);
  for (std::size_t i = 0; i < count; ++i) result.push_back(&contributions[arrivals.at(&node)[i]]);
  return result;
}

std::optional<std::size_t> PassRecord::step_of(const Node& node) const {
  const auto place = step_positions.find(&node);
  if (place == step_positions.end()) return {};
  return place->second;
}

Tensor PassRecord::gradient(const Node& node, std::size_t steps_done) const {
  const std::optional<std::size_t> own = step_of(node);
  if (own && *own < steps_done) return steps[*own].dy;
  const Unobserved unobserved;
  Tensor sum;
  for (const Contribution* contribution : contributions_to(node, steps_done)) {
    sum = sum.defined() ? sum + contribution->value : contribution->value;
  }
  return sum;
}

// ---- what the program computes --------------------------------------------------------------------------------------

const Call* Recording::call(const Node& node) const {
  const auto place = calls_->find(node.number);
  return place == calls_->end() ? nullptr : &place->second;
}

// If the recording kept graphs alive, changes in place would be refused that the program may make. So a call is removed
// with its node: a hook that does nothing holds a token, whose destructor removes the call.
void Recording::forget_with(Node& node) {
  const auto forget_call = [calls = std::weak_ptr<Calls>(calls_), number = node.number](void*) {
    // Extracted before it is destroyed, because that may free its inputs' nodes, whose calls are then removed here too.
    if (const auto alive = calls.lock()) const auto ended = alive->extract(number);
  };
  const std::shared_ptr<void> token(nullptr, forget_call);
  node.register_prehook([token](const Tensor&) {});
}

// Keeps the value that a leaf has now. Uses after an optimiser's step belong to another pass.
void Recording::keep_leaf(const Tensor& leaf) {
  const Ref<Node> node = gradient_node(leaf);
  const auto [place, is_new] = calls_->try_emplace(node->number);
  if (is_new) forget_with(*node);
  if (!is_new && place->second.version == version_of(leaf)) return;
  place->second = Call{node.get(), {}, {}, copy_of(leaf), version_of(leaf)};
}

// The copy that was kept of the op's output, unless its memory has been written to since.
Tensor Recording::copy_of_input(const Tensor& input) {
  if (!input.defined() || !input.requires_grad()) return copy_of(input);
  if (!input.grad_fn()) keep_leaf(input);
  const Call* made = call(*gradient_node(input));
  const bool unchanged = made && made->version == version_of(input) && made->output.shape() == input.shape();
  return unchanged ? made->output : copy_of(input);
}

void Recording::recorded(Node& node, const Inputs& inputs, const Tensor& output) {
  ForwardingObserver::recorded(node, inputs, output);
  const Unobserved unobserved;
  Call call;
  call.node = &node;
  for (const Ref<Node>& from : node.inputs) call.from.push_back(from);
  for (const Tensor& input : inputs) call.inputs.push_back(copy_of_input(input));
  call.output = copy_of(output);
  call.version = version_of(output);
  (*calls_)[node.number] = std::move(call);
  forget_with(node);
}

std::unique_ptr<PassRecord> Recording::program(const Node* last) const {
  auto record = std::make_unique<PassRecord>();
  record->is_forward = true;
  for (const bool leaves : {true, false}) {
    for (const auto& [number, call] : *calls_) {
      if (call.node->is_leaf() != leaves || (last && number > last->number)) continue;
      record->order.emplace_back(call.node);
    }
  }
  return record;
}

void Recording::forget() {
  Calls ended;  // swapped out first, because destroying a call may remove others from the map
  ended.swap(*calls_);
  last_.reset();
}

// ---- what a pass does -----------------------------------------------------------------------------------------------

void Recording::pass_begins(Pass& pass) {
  ForwardingObserver::pass_begins(pass);
  const Unobserved unobserved;
  if (running_.empty()) last_.reset();
  auto record = std::make_unique<PassRecord>();
  record->number = ++passes_;
  record->called_at = pass.called_at();
  record->captures_only = pass.captures_only();
  record->order = pass.nodes();
  for (const Ref<Node>& node : record->order) {
    if (node->is_leaf()) keep_leaf(static_cast<const Leaf&>(*node).tensor);
    if (node->gradient.defined()) {
      record->add(Contribution{nullptr, 0, node.get(), copy_of(node->gradient)});
      ++record->expected[node.get()];
    }
    if (!pass.must_run(*node)) continue;
    for (std::size_t i = 0; i < node->inputs.size(); ++i) {
      if (node->needs(i)) ++record->expected[node->inputs[i].get()];
    }
  }
  running_.push_back(std::move(record));
}

namespace {

bool same_copy(const Tensor& a, const Tensor& b) {
  if (!a.defined() || !b.defined() || a.dtype() != b.dtype() || !(a.shape() == b.shape())) return false;
  const auto bytes = static_cast<std::size_t>(a.numel() * element_size(a.dtype()));
  const bool same_bits = bytes == 0 || std::memcmp(a.impl()->storage->data, b.impl()->storage->data, bytes) == 0;
  return same_bits && a.name() == b.name();
}

// A copy, or the one that there is already: most gradients are returned by one op, contributed and given to the next.
Tensor copy_unless_same(const Tensor& tensor, const Tensor& other_copy) {
  const Tensor copy = copy_of(tensor);
  return same_copy(copy, other_copy) ? other_copy : copy;
}

}  // namespace

Grads Recording::run(Node& node, const Tensor& dy) {
  if (running_.empty()) return ForwardingObserver::run(node, dy);  // attached in the middle of a pass
  PassRecord& pass = *running_.back();
  const auto arrived = pass.arrivals.find(&node);
  const Tensor given = arrived == pass.arrivals.end() ? Tensor() : pass.contributions[arrived->second.back()].value;
  Step step{Ref<Node>(&node), copy_unless_same(dy, given), {}, pass.contributions.size(), pass.contributions.size()};
  const Grads gradients = ForwardingObserver::run(node, dy);
  for (const Tensor& gradient : gradients) step.gradients.push_back(copy_of(gradient));
  pass.add(std::move(step));
  return gradients;
}

void Recording::accumulated(const Node& from, std::size_t input, const Tensor& contribution) {
  ForwardingObserver::accumulated(from, input, contribution);
  if (running_.empty() || running_.back()->steps.empty()) return;
  PassRecord& pass = *running_.back();
  const Grads& returned = pass.steps.back().gradients;
  const Tensor value = copy_unless_same(contribution, input < returned.size() ? returned[input] : Tensor());
  pass.add(Contribution{&from, input, from.inputs[input].get(), value});
  pass.steps.back().last = pass.contributions.size();
}

void Recording::pass_ends(Pass& pass) {
  ForwardingObserver::pass_ends(pass);
  if (running_.empty()) return;
  last_ = std::move(running_.back());
  last_->completed = pass.has_ended();
  running_.pop_back();
}

// ---- names --------------------------------------------------------------------------------------------------------

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character next = first_character(text);
    const std::size_t bytes = next.bytes == 0 ? 1 : next.bytes;
    if (next.bytes == 0 || (bytes == 1 && turns_or_hides(next.code))) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (turns_or_hides(next.code)) {
      result += fmt::format("\\u{{{:x}}}", static_cast<unsigned>(next.code));
    } else {
      result += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return result;
}

std::string label(const Node& node) {
  std::string name;
  if (node.is_leaf()) name = static_cast<const Leaf&>(node).tensor.name();
  if (node.attachments && !node.attachments->output_name.empty()) name = node.attachments->output_name;
  return name.empty() ? fmt::format("%{}", node.number) : printable(name);
}

std::string module_of(const Node& node) {
  return printable(scope_path(node.scope));
}

std::string describe(const Node& node) {
  const std::string name = label(node);
  const std::string number = fmt::format("%{}", node.number);
  std::string text = name == number ? number : number + " " + name;
  if (node.is_leaf()) return text + " (leaf)";
  text += fmt::format(" {} at {}", node.name(), to_string(node.called_at));
  const std::string module = module_of(node);
  return module.empty() ? text : text + " in " + module;
}

}  // namespace autograd::debug
