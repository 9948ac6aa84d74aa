#include "autograd/debug/recording.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "autograd/debug/step/refused.h"
#include "autograd/debug/step/replay.h"
#include "autograd/debug/unobserved.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/backward.h"
#include "autograd/tape/node.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/scope.h"
#include "autograd/tensor/storage.h"
#include "autograd/text/printable.h"
#include "autograd/text/words.h"

namespace autograd::debug {
// ---- one pass -----------------------------------------------------------------------------------------------------

void PassRecord::begin(const Pass* running) {
  arrivals_.resize(order.size());
  step_positions_.assign(order.size(), has_not_run);
  first_use_.assign(order.size() + 1, 0);
  const auto each_use = [&](const auto& visit) {
    for (const Ref<Node>& node : order) {
      if (running && !running->runs(*node)) continue;
      for (std::size_t i = 0; i < node->inputs.size(); ++i) {
        const Node* input = node->inputs[i].get();
        const bool is_wanted = input && (!running || running->wants(*input));
        const std::optional<std::size_t> at = is_wanted ? position(*input) : std::nullopt;
        if (at) visit(*at, Use{node.get(), i});
      }
    }
  };
  each_use([&](std::size_t at, const Use&) { ++first_use_[at + 1]; });
  for (std::size_t at = 0; at < order.size(); ++at) first_use_[at + 1] += first_use_[at];
  uses_.resize(first_use_.back());
  std::vector<std::uint32_t> next = first_use_;
  each_use([&](std::size_t at, const Use& use) { uses_[next[at]++] = use; });
}

namespace {

std::string count_text(std::size_t ops, std::size_t leaves) {
  const std::string text = counted(ops, "op");
  return leaves == 0 ? text : text + fmt::format(" and {} {}", leaves, leaves == 1 ? "leaf" : "leaves");
}

}  // namespace

std::string PassRecord::all_text() const {
  const auto leaves = std::count_if(order.begin(), order.end(), [](const Ref<Node>& node) { return node->is_leaf(); });
  return count_text(order.size() - static_cast<std::size_t>(leaves), static_cast<std::size_t>(leaves));
}

std::string PassRecord::ran_text() const {
  const auto leaves = std::count_if(steps.begin(), steps.end(), [](const Step& step) { return step.node->is_leaf(); });
  return count_text(steps.size() - static_cast<std::size_t>(leaves), static_cast<std::size_t>(leaves));
}

std::optional<std::size_t> PassRecord::position(const Node& node) const {
  const auto is_before = [this](const Ref<Node>& a, const Node& b) {
    const bool first = a->is_leaf() != b.is_leaf() ? b.is_leaf() : a->number > b.number;
    return is_forward ? !first && a.get() != &b : first;
  };
  const auto place = std::lower_bound(order.begin(), order.end(), node, is_before);
  if (place == order.end() || place->get() != &node) return {};
  return static_cast<std::size_t>(place - order.begin());
}

const Node* PassRecord::numbered(std::uint64_t wanted) const {
  const auto of_kind = [&](bool leaf) -> const Node* {
    const auto is_before = [&](const Ref<Node>& a, std::uint64_t) {
      if (a->is_leaf() != leaf) return a->is_leaf() == is_forward;
      return is_forward ? a->number < wanted : a->number > wanted;
    };
    const auto place = std::lower_bound(order.begin(), order.end(), wanted, is_before);
    const bool found = place != order.end() && (*place)->number == wanted && (*place)->is_leaf() == leaf;
    return found ? place->get() : nullptr;
  };
  const Node* op = of_kind(false);
  return op ? op : of_kind(true);
}

std::span<const Use> PassRecord::uses(const Node& node) const {
  const std::optional<std::size_t> at = position(node);
  if (!at) return {};
  return std::span<const Use>(uses_).subspan(first_use_[*at], first_use_[*at + 1] - first_use_[*at]);
}

std::size_t PassRecord::contributions_after(std::size_t steps_done) const {
  if (steps_done < steps.size()) return steps[steps_done].first;
  return contributions.size();
}

void PassRecord::add(Contribution contribution) {
  if (const auto at = position(*contribution.to)) {
    arrivals_[*at].push_back(static_cast<std::uint32_t>(contributions.size()));
  }
  contributions.push_back(std::move(contribution));
}

void PassRecord::add(Step step) {
  if (const auto at = position(*step.node)) step_positions_[*at] = static_cast<std::uint32_t>(steps.size());
  steps.push_back(std::move(step));
}

std::size_t PassRecord::arrived(const Node& node, std::size_t steps_done) const {
  const std::optional<std::size_t> at = position(node);
  if (!at) return 0;
  const auto& arrivals = arrivals_[*at];
  const auto end = std::lower_bound(arrivals.begin(), arrivals.end(), contributions_after(steps_done));
  return static_cast<std::size_t>(end - arrivals.begin());
}

const Contribution& PassRecord::contribution_to(const Node& node, std::size_t i) const {
  return contributions[arrivals_[*position(node)][i]];
}

std::vector<const Contribution*> PassRecord::contributions_to(const Node& node, std::size_t steps_done) const {
  std::vector<const Contribution*> result;
  const std::size_t count = arrived(node, steps_done);
  for (std::size_t i = 0; i < count; ++i) result.push_back(&contribution_to(node, i));
  return result;
}

std::optional<std::size_t> PassRecord::step_of(const Node& node) const {
  const std::optional<std::size_t> at = position(node);
  if (!at || step_positions_[*at] == has_not_run) return {};
  return step_positions_[*at];
}

Tensor PassRecord::gradient(const Node& node, std::size_t steps_done) const {
  const std::optional<std::size_t> own = step_of(node);
  if (own && *own < steps_done) return dy_of(steps[*own]);
  const Unobserved unobserved;
  Tensor sum;
  for (const Contribution* contribution : contributions_to(node, steps_done)) {
    const Tensor value = value_of(*contribution);
    sum = sum.defined() ? sum + value : value;
  }
  return sum;
}

// ---- what the program computes --------------------------------------------------------------------------------------

const KeptCall* Recording::kept(const Node& node) const {
  const auto place = calls_->find(node.number);
  return place == calls_->end() ? nullptr : &place->second;
}

std::optional<Call> Recording::call(const Node& node) const {
  const KeptCall* found = kept(node);
  if (!found) return {};
  return Call{found->node, found->from, inputs_of(*found), output_of(*found)};
}

// If the recording kept graphs alive, changes in place would be refused that the program may make. So a call is removed
// with its node, which keeps a token whose destructor does that.
void Recording::forget_with(Node& node) {
  const auto forget_call = [calls = std::weak_ptr<Calls>(calls_), number = node.number](void*) {
    // Extracted before it is destroyed, because that may free its inputs' nodes, whose calls are then removed here too.
    if (const auto alive = calls.lock()) const auto ended = alive->extract(number);
  };
  node.attach().kept.emplace_back(nullptr, forget_call);
}

// Keeps the value that a leaf has now. Uses after an optimiser's step belong to another pass.
void Recording::keep_leaf(Node& node) {
  const Tensor& leaf = static_cast<const Leaf&>(node).tensor;
  const auto [place, is_new] = calls_->try_emplace(node.number);
  if (is_new) forget_with(node);
  if (!is_new && place->second.version == version_of(leaf)) return;
  place->second = KeptCall{&node, {}, {}, KeptTensor(leaf), version_of(leaf)};
}

// The copy that was kept of the op's output, unless its memory has been written to since.
KeptTensor Recording::copy_of_input(const Tensor& input) {
  if (!input.defined() || !input.requires_grad()) return KeptTensor(input);
  const Ref<Node> node = gradient_node(input);
  if (!input.grad_fn()) keep_leaf(*node);
  const KeptCall* made = kept(*node);
  const bool unchanged = made && made->version == version_of(input) && node->shape == input.shape();
  return unchanged ? made->output : KeptTensor(input);
}

namespace {

constexpr std::uint8_t most_runs = 3;  // of ops, one after the other, for a tensor that was not kept

}  // namespace

// The newest op keeps its output until the next one is recorded.
KeptTensor Recording::kept_output(KeptCall& call, const Tensor& output) {
  if (keeps_ == Keeps::everything || is_small(output)) return KeptTensor(output);
  std::uint8_t runs = 1;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (call.inputs[i].is_fingerprint()) runs = std::max<std::uint8_t>(runs, kept(*call.from[i])->runs + 1);
  }
  if (runs > most_runs) return KeptTensor(output);
  call.runs = runs;
  newest_ = call.node->number;
  fingerprint_of_newest_ = KeptTensor::fingerprint_of(output);
  return KeptTensor(output);
}

void Recording::shrink_newest() {
  if (!fingerprint_of_newest_.defined()) return;
  const auto place = calls_->find(newest_);
  if (place != calls_->end()) place->second.output = fingerprint_of_newest_;
  fingerprint_of_newest_ = KeptTensor();
}

void Recording::untaped(const Tensor& input, const Untaped& use) {
  Observer::untaped(input, use);
  if (!resting_) trail_.untaped(input, use);
}

void Recording::recorded(Node& node, const Inputs& inputs, const Tensor& output) {
  Observer::recorded(node, inputs, output);
  if (resting_) return;
  trail_.recorded(node);
  const Unobserved unobserved;
  shrink_newest();
  KeptCall call;
  call.node = &node;
  call.from = node.inputs;
  for (const Tensor& input : inputs) call.inputs.push_back(copy_of_input(input));
  call.output = kept_output(call, output);
  call.version = version_of(output);
  call.composite = around_op.composite.op;
  (*calls_)[node.number] = std::move(call);
  forget_with(node);
}

// Of what has run since the last pass.
void Recording::name_variables(bool has_stopped) const {
  std::vector<RanOp> ops;
  std::vector<Node*> leaves;
  for (const auto& [number, call] : *calls_) {
    if (call.node->is_leaf()) {
      leaves.push_back(call.node);
    } else if (number > last_of_passes_) {
      ops.push_back({call.node, &call.from, call.composite});
    }
  }
  variables_.name(ops, has_stopped);
  variables_.name(leaves);
}

std::unique_ptr<PassRecord> Recording::program(const Node* last) const {
  name_variables(true);
  auto record = std::make_unique<PassRecord>();
  record->recording = this;
  record->is_forward = true;
  std::set<const Node*> belongs;
  for (auto place = calls_->rbegin(); place != calls_->rend(); ++place) {
    const auto& [number, call] = *place;
    const bool is_later = last && number > last->number;
    if (call.node->is_leaf() || is_later || (number <= last_of_passes_ && !belongs.contains(call.node))) continue;
    belongs.insert(call.node);
    for (const Ref<Node>& from : call.from) {
      if (from) belongs.insert(from.get());
    }
  }
  for (const bool leaves : {true, false}) {
    for (const auto& [number, call] : *calls_) {
      if (call.node->is_leaf() == leaves && belongs.contains(call.node)) record->order.emplace_back(call.node);
    }
  }
  record->begin(nullptr);
  return record;
}

void Recording::forget() {
  Calls ended;  // swapped out first, because destroying a call may remove others from the map
  ended.swap(*calls_);
  last_.reset();
}

// ---- what a pass does -----------------------------------------------------------------------------------------------

void Recording::pass_begins(Pass& pass) {
  Observer::pass_begins(pass);
  history_.pass_begins();
  unseen_passes_ += resting_;
  if (resting_) return;
  trail_.pass_begins(pass);
  const Unobserved unobserved;
  if (running_.empty()) last_.reset();
  auto record = std::make_unique<PassRecord>();
  record->recording = this;
  record->number = ++passes_;
  record->called_at = pass.called_at();
  record->captures_only = pass.is_of_grad();
  record->order = pass.nodes();
  record->begin(&pass);
  for (const Ref<Node>& node : record->order) {
    if (node->is_leaf()) keep_leaf(*node);
    if (node->gradient.defined()) record->add(Contribution{nullptr, node.get(), 0, KeptTensor(node->gradient)});
  }
  name_variables(false);
  running_.push_back(std::move(record));
}

// Most gradients are returned by one op, contributed and given to the next.
KeptTensor Recording::kept_dy(Step& step, const Tensor& dy) const {
  const PassRecord& pass = *running_.back();
  const std::size_t arrived = pass.arrived(*step.node, pass.steps.size());
  if (arrived == 0) return KeptTensor(dy);
  const Contribution& given = pass.contribution_to(*step.node, arrived - 1);
  const bool computable = !given.value.is_fingerprint() || arrived == 1;
  if (!computable || !given.value.holds(dy)) return KeptTensor(dy);
  if (given.value.is_fingerprint()) step.runs = pass.steps[*pass.step_of(*given.from)].runs + 1;
  return given.value;
}

// Another observer may replace what a backward gives, which then could not be computed again.
KeptTensor Recording::kept_gradient(const Tensor& gradient, const Step& step, std::size_t input) const {
  if (!step.dy.is_fingerprint() && step.dy.holds(gradient)) return step.dy;
  if (!gradient.defined() || keeps_ == Keeps::everything || passes_on() || is_small(gradient)) {
    return KeptTensor(gradient);
  }
  const Node& node = *step.node;
  const bool is_next_dy =
      input < node.inputs.size() && node.needs(input) && running_.back()->expected(*node.inputs[input]) == 1;
  const bool keeps = is_next_dy && step.runs == most_runs;
  return keeps ? KeptTensor(gradient) : KeptTensor::fingerprint_of(gradient);
}

Grads Recording::run(Node& node, const Tensor& dy) {
  if (node.is_leaf()) history_.leaf_gets(node, dy);
  if (resting_) return Observer::run(node, dy);
  trail_.runs(node);
  if (running_.empty()) return Observer::run(node, dy);  // attached in the middle of a pass
  PassRecord& pass = *running_.back();
  Step step;
  step.node = Ref<Node>(&node);
  step.dy = kept_dy(step, dy);
  step.first = static_cast<std::uint32_t>(pass.contributions.size());
  const Grads gradients = Observer::run(node, dy);
  for (std::size_t i = 0; i < gradients.size(); ++i) step.gradients.push_back(kept_gradient(gradients[i], step, i));
  pass.add(std::move(step));
  return gradients;
}

void Recording::accumulated(const Node& from, std::size_t input, const Tensor& contribution) {
  Observer::accumulated(from, input, contribution);
  if (resting_) return;
  trail_.accumulated(from, input);
  if (running_.empty() || running_.back()->steps.empty()) return;
  PassRecord& pass = *running_.back();
  const Step& step = pass.steps.back();
  const bool returned = input < step.gradients.size() && step.gradients[input].holds(contribution);
  pass.add(Contribution{&from, from.inputs[input].get(), static_cast<std::uint32_t>(input),
                        returned ? step.gradients[input] : kept_gradient(contribution, step, input)});
}

void Recording::pass_ends(Pass& pass) {
  Observer::pass_ends(pass);
  history_.pass_ends(pass.has_ended());
  if (unseen_passes_ > 0) {
    --unseen_passes_;
    return;
  }
  trail_.pass_ends(pass);
  if (running_.empty()) return;
  last_ = std::move(running_.back());
  last_->completed = pass.has_ended();
  running_.pop_back();
  if (running_.empty() && !calls_->empty()) last_of_passes_ = calls_->rbegin()->first;
}

// ---- what was not kept ----------------------------------------------------------------------------------------------

namespace {

// By the op's own node, or by a new one on the recorded inputs where the graph was released, or a value that the
// backward needs overwritten.
Grads run_again(const Step& step, const PassRecord& pass) {
  const Tensor dy = pass.dy_of(step);
  if (!step.node->released) {
    try {
      return step.node->backward(dy);
    } catch (const Error& error) {
      if (error.id() != ErrorId::in_place_clobber) throw;
    }
  }
  const std::optional<Call> call = pass.recording->call(*step.node);
  return call ? pull_back(*call, dy) : Grads();
}

Tensor in_shape(const Tensor& gradient, const Shape& shape) {
  return gradient.shape() == shape ? gradient : sum_to(gradient, shape);
}

[[noreturn]] void refuse(const char* what, const Node& node) {
  throw Refused(
      fmt::format("what {} {} gave was too large to be kept, and it gives something else now", what, describe(node)),
      "an op that computes the same each time from the same inputs");
}

}  // namespace

Tensor Recording::input_of(const KeptCall& call, std::size_t i) const {
  return call.inputs[i].is_fingerprint() ? output_of(*kept(*call.from[i])) : call.inputs[i].tensor();
}

Inputs Recording::inputs_of(const KeptCall& call) const {
  Inputs inputs;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) inputs.push_back(input_of(call, i));
  return inputs;
}

Tensor Recording::output_of(const KeptCall& call) const {
  if (!call.output.is_fingerprint()) return call.output.tensor();
  const Unobserved unobserved;
  const Tensor output = call.node->forward(inputs_of(call)).detach();
  if (!call.output.holds(output)) refuse("the forward() of", *call.node);
  return output;
}

Tensor PassRecord::dy_of(const Step& step) const {
  return step.dy.is_fingerprint() ? value_of(contribution_to(*step.node, 0)) : step.dy.tensor();
}

Tensor PassRecord::value_of(const Contribution& contribution) const {
  if (!contribution.value.is_fingerprint()) return contribution.value.tensor();
  const Unobserved unobserved;
  const Grads again = run_again(steps[*step_of(*contribution.from)], *this);
  if (contribution.input >= again.size() || !again[contribution.input].defined())
    refuse("the backward of", *contribution.from);
  const Tensor value = in_shape(again[contribution.input], contribution.to->shape).detach();
  if (!contribution.value.holds(value)) refuse("the backward of", *contribution.from);
  return value;
}

Grads PassRecord::gradients_of(const Step& step) const {
  const Unobserved unobserved;
  Grads all;
  Grads again;
  for (std::size_t i = 0; i < step.gradients.size(); ++i) {
    const KeptTensor& kept = step.gradients[i];
    if (kept.is_fingerprint() && again.empty()) again = run_again(step, *this);
    if (kept.is_fingerprint() && (i >= again.size() || !kept.holds(again[i]))) refuse("the backward of", *step.node);
    all.push_back(kept.is_fingerprint() ? again[i].detach() : kept.tensor());
  }
  return all;
}

// ---- what gets no gradient ------------------------------------------------------------------------------------------

namespace {

// `node` is that of what the question is about, if it has one.
Trail::Asked asked_about(const PassRecord& pass, const Trail& trail, const Node* node) {
  const auto was_seen = [&](const Ref<Node>& op) { return op->is_leaf() || trail.saw(op->number); };
  const bool did_not_ask = pass.captures_only && (!node || pass.uses(*node).empty());
  const auto has_op = [&pass, did_not_ask](std::uint64_t number) {
    const Node* op = pass.numbered(number);
    return op && !op->is_leaf() && (did_not_ask || pass.step_of(*op));
  };
  return {has_op, did_not_ask, pass.called_at, std::all_of(pass.order.begin(), pass.order.end(), was_seen)};
}

}  // namespace

NoGradient Recording::why_not(const KnownLeaf& leaf, const PassRecord& pass) const {
  return trail_.why_not(leaf, asked_about(pass, trail_, leaf.tensor->leaf));
}

NoGradient Recording::why_not(const Node& node, const PassRecord& pass) const {
  const std::optional<KnownLeaf> leaf =
      node.is_leaf() ? known_leaf(static_cast<const Leaf&>(node).tensor) : std::nullopt;
  return leaf ? why_not(*leaf, pass) : trail_.why_not(node, asked_about(pass, trail_, &node));
}

// ---- names --------------------------------------------------------------------------------------------------------

std::string label(const Node& node) {
  std::string name;
  if (node.is_leaf()) name = static_cast<const Leaf&>(node).tensor.name();
  if (node.attachments && node.attachments->output_meta) name = node.attachments->output_meta->name;
  if (name.empty()) name = variable_of(node);
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

std::string module_name(const Scope* scope) {
  std::string chain;
  for (const Scope* at = scope; at; at = at->parent.get()) {
    if (!at->is_step()) chain = chain.empty() ? at->name : at->name + "." + chain;
  }
  return printable(chain);
}

std::string place_of(const Node& node) {
  return fmt::format("{} {} {} {} {}", node.name(), node.called_at.file, node.called_at.line,
                     node.backward_of ? node.backward_of->text.name : "", module_name(node.scope.get()));
}

}  // namespace autograd::debug
