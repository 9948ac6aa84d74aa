#include "autograd/debug/trail.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "autograd/debug/kept_tensor.h"
#include "autograd/debug/recording.h"
#include "autograd/tape/node.h"
#include "autograd/text/printable.h"

namespace autograd::debug {
namespace {

constexpr std::size_t most_events = std::size_t{1} << 21;
constexpr std::size_t most_old_events = 10'000;  // from before the last two passes
constexpr std::size_t most_found_at_once = 100;  // leaves, at the end of a pass
constexpr std::size_t most_ends = 8;             // of one tensor

PathEnd::Reason reason_of(Untaped::Why why) {
  switch (why) {
    case Untaped::Why::detached: return PathEnd::Reason::detached;
    case Untaped::Why::grad_mode_off: return PathEnd::Reason::grad_mode_off;
    case Untaped::Why::no_derivative: return PathEnd::Reason::no_derivative;
    case Untaped::Why::overwritten: break;
  }
  return PathEnd::Reason::overwritten;
}

// What this pass itself did tells most, then what took the path out of the graph.
int rank(PathEnd::Reason reason) {
  switch (reason) {
    case PathEnd::Reason::none_flowed:
    case PathEnd::Reason::not_asked: return 0;
    case PathEnd::Reason::other_pass: return 2;
    case PathEnd::Reason::output_unused: return 3;
    default: return 1;
  }
}

struct FoundEnd {
  PathEnd end;
  std::size_t at = 0;  // the place among the events
};

// The most telling first, of these the last in the program; each line once.
std::vector<PathEnd> sorted(std::vector<FoundEnd> found) {
  std::stable_sort(found.begin(), found.end(), [](const FoundEnd& a, const FoundEnd& b) {
    return std::tuple(rank(a.end.reason), b.at) < std::tuple(rank(b.end.reason), a.at);
  });
  std::vector<PathEnd> ends;
  for (const FoundEnd& each : found) {
    const auto is_same = [&](const PathEnd& other) {
      const Where a = line_of(other);
      const Where b = line_of(each.end);
      return other.reason == each.end.reason && a.line == b.line && std::string_view(a.file) == b.file;
    };
    if (std::any_of(ends.begin(), ends.end(), is_same)) continue;
    ends.push_back(each.end);
    if (ends.size() == most_ends) break;
  }
  return ends;
}

void reach(const Node& node, const Pass* pass) {
  if (!node.is_leaf()) return;
  const Tensor& leaf = static_cast<const Leaf&>(node).tensor;
  if (leaf.requires_grad()) reach_leaf(leaf, pass ? pass->called_at() : Where{});
}

}  // namespace

// ---- what the engine reports ----------------------------------------------------------------------------------------

Trail::Source Trail::source_of(const Node& node) {
  return node.is_leaf() ? source_of(static_cast<const Leaf&>(node).tensor) : node.number;
}

Trail::Source Trail::source_of(const Tensor& tensor) {
  if (tensor.grad_fn()) return tensor.grad_fn()->number;
  const KnownLeaf leaf = use_leaf(tensor);
  if (!leaf.reached) waiting_.insert(leaf.id);
  return leaf_bit | leaf.id;
}

void Trail::add(Event event) {
  events_.push_back(std::move(event));
  if (events_.size() <= most_events) return;
  drop(most_events / 2);
  dropped_ = true;
}

// Forgets the oldest, but for what became of leaves that no pass has reached: their graph may live on.
void Trail::drop(std::size_t count) {
  std::unordered_set<Source> lost;
  for (const std::uint64_t id : waiting_) {
    const std::optional<KnownLeaf> leaf = known_leaf(id);
    if (leaf && !leaf->reached) lost.insert(leaf_bit | id);
  }
  std::deque<Event> kept;
  for (std::size_t i = 0; i < count && !lost.empty(); ++i) {
    const Event& event = events_[i];
    const auto is_lost = [&](const Source& source) { return lost.contains(source); };
    if (std::none_of(event.sources.begin(), event.sources.end(), is_lost)) continue;
    if (!event.untaped) lost.insert(event.number);
    kept.push_back(event);
  }
  const std::size_t begin = kept.size() - std::min(kept.size(), most_old_events);
  events_.erase(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(count));
  events_.insert(events_.begin(), kept.begin() + static_cast<std::ptrdiff_t>(begin), kept.end());
  const std::size_t fewer = count - (kept.size() - begin);
  ended_at_ -= std::min(ended_at_, fewer);
  fresh_from_ -= std::min(fresh_from_, fewer);
}

void Trail::recorded(const Node& node) {
  Event event{node.number, node.name(), node.called_at, node.scope};
  for (const Ref<Node>& input : node.inputs) {
    if (input) event.sources.push_back(source_of(*input));
  }
  add(std::move(event));
}

void Trail::untaped(const Tensor& input, const Untaped& use) {
  Event event{events_.empty() ? 0 : events_.back().number, use.op, use.where, current_scope()};
  event.untaped = use.why;
  event.version = version_of(input);
  event.sources.push_back(source_of(input));
  add(std::move(event));
}

// Two programs are kept: that before the last backward(), and that since.
void Trail::pass_begins(const Pass& pass) {
  running_.emplace_back();
  if (running_.size() > 1 || pass.is_of_grad() || ended_at_ == fresh_from_) return;
  const std::size_t before = fresh_from_;
  fresh_from_ = ended_at_;
  if (before == 0) return;
  drop(before);
  dropped_ = false;
  const std::uint64_t oldest = events_.empty() ? 0 : events_.front().number;
  std::erase_if(roots_, [&](const auto& root) { return root.first < oldest; });
}

void Trail::accumulated(const Node& from, std::size_t input) {
  reach(*from.inputs[input], from.pass);
}

void Trail::runs(const Node& node) {
  reach(node, node.pass);
  if (running_.empty() || node.is_leaf()) return;
  running_.back().ops.push_back(node.number);
  if (!saw(node.number)) running_.back().all_seen = false;
}

void Trail::pass_ends(const Pass& pass) {
  if (running_.empty()) return;
  const bool is_backward = running_.size() == 1 && !pass.is_of_grad() && pass.has_ended();
  if (is_backward) {
    find_missed();
    count_pass();
    ended_at_ = events_.size();
  }
  for (const Ref<Node>& root : pass.roots()) roots_[root->number] = pass.called_at();
  running_.pop_back();
}

void Trail::find_missed() {
  const Running& run = running_.back();
  const auto has_op = [&](std::uint64_t number) {
    return std::binary_search(run.ops.begin(), run.ops.end(), number, std::greater<>());
  };
  std::size_t found = 0;
  for (auto it = waiting_.begin(); it != waiting_.end() && found < most_found_at_once;) {
    const std::optional<KnownLeaf> leaf = known_leaf(*it);
    if (!leaf || leaf->reached) {
      it = waiting_.erase(it);
      continue;
    }
    ++it;
    if (missed_.contains(leaf->id)) continue;
    ++found;
    const NoGradient finding = why_not(*leaf, {has_op, false, {}, run.all_seen});
    if (finding.reason != NoGradient::Reason::not_seen) missed_.try_emplace(leaf->id, finding);
  }
}

// ---- questions ------------------------------------------------------------------------------------------------------

// Of several with one number, the first: the op itself.
const Trail::Event* Trail::event_of(std::uint64_t number) const {
  const auto place = std::lower_bound(events_.begin(), events_.end(), number,
                                      [](const Event& event, std::uint64_t wanted) { return event.number < wanted; });
  return place == events_.end() || place->number != number || place->untaped ? nullptr : &*place;
}

bool Trail::saw(std::uint64_t number) const {
  return event_of(number) != nullptr;
}

OpCall Trail::call_of(const Event& event) const {
  const Where origin = scope_origin(event.scope);
  return {event.untaped ? 0 : event.number, event.op, event.at, origin.line == 0 ? event.at : origin,
          scope_path(event.scope)};
}

OpCall Trail::call_of(Source source) const {
  const Event* event = source & leaf_bit ? nullptr : event_of(source);
  OpCall call;
  if (event) return call_of(*event);
  if (!(source & leaf_bit)) call.number = source;
  return call;
}

// What an optimiser reads before it writes does not count as a use of the parameter by the program.
bool Trail::is_outdated(const Event& event, Source source) const {
  if (!(source & leaf_bit)) return false;
  const std::optional<KnownLeaf> leaf = known_leaf(source & ~leaf_bit);
  return !leaf || event.version != leaf->version;
}

// Follows the source through all that was computed from it since this event.
std::vector<PathEnd> Trail::ends_of(Source source, const Asked& pass, std::size_t since) const {
  std::unordered_set<Source> derived = {source};
  std::unordered_set<Source> continued;
  std::vector<FoundEnd> found;
  for (std::size_t at = since; at < events_.size(); ++at) {
    const Event& event = events_[at];
    for (const Source& used : event.sources) {
      if (!derived.contains(used)) continue;
      if (event.untaped && is_outdated(event, used)) continue;
      continued.insert(used);
      if (event.untaped) {
        found.push_back({{reason_of(*event.untaped), call_of(used), call_of(event), {}}, at});
      } else if (pass.has_op(event.number)) {
        found.push_back({pass.did_not_ask ? PathEnd{PathEnd::Reason::not_asked, {}, {}, pass.called_at}
                                          : PathEnd{PathEnd::Reason::none_flowed, call_of(used), call_of(event), {}},
                         at});
      } else {
        derived.insert(event.number);
      }
    }
  }
  for (const Source last : derived) {
    if (continued.contains(last) || last & leaf_bit) continue;
    const auto root = roots_.find(last);
    const bool started = root != roots_.end();
    found.push_back({{started ? PathEnd::Reason::other_pass : PathEnd::Reason::output_unused,
                      call_of(last),
                      {},
                      started ? root->second : Where{}},
                     static_cast<std::size_t>(last)});
  }
  return sorted(std::move(found));
}

NoGradient Trail::why_not(const Node& op, const Asked& pass) const {
  NoGradient finding;
  finding.name = label(op);
  finding.shape = op.shape;
  finding.ends = ends_of(op.number, pass, 0);
  if (finding.ends.empty()) finding.reason = NoGradient::Reason::not_seen;
  return finding;
}

// The first op on the tape that used it since this event.
OpCall Trail::user_of(Source source, std::size_t since) const {
  const auto uses = [&](const Event& event) {
    return !event.untaped && std::find(event.sources.begin(), event.sources.end(), source) != event.sources.end();
  };
  const auto first = std::find_if(events_.begin() + static_cast<std::ptrdiff_t>(since), events_.end(), uses);
  return first == events_.end() ? OpCall() : call_of(*first);
}

NoGradient Trail::why_not(const KnownLeaf& leaf, const Asked& pass) const {
  NoGradient finding = unused(leaf);
  if (finding.reason == NoGradient::Reason::frozen) return finding;
  const Source source = leaf_bit | leaf.id;
  std::size_t since = fresh_from_;
  finding.ends = ends_of(source, pass, since);
  if (finding.ends.empty() && !leaf.reached) finding.ends = ends_of(source, pass, since = 0);
  if (!finding.ends.empty()) {
    finding.used_by = user_of(source, since);
    finding.reason = NoGradient::Reason::path_ends;
  } else if (finding.reason == NoGradient::Reason::not_used && (dropped_ || !pass.all_seen)) {
    finding.reason = NoGradient::Reason::not_seen;
  }
  return finding;
}

NoGradient unused(const KnownLeaf& leaf) {
  NoGradient finding;
  finding.name = printable(leaf.name);
  finding.shape = leaf.shape;
  finding.marked_at = leaf.marked_at;
  if (leaf.frozen) {
    finding.reason = NoGradient::Reason::frozen;
    finding.where = leaf.frozen_at;
  } else if (leaf.reached) {
    finding.reason = NoGradient::Reason::other_pass;
    finding.where = leaf.reached_by;
  } else {
    finding.reason = NoGradient::Reason::not_used;
  }
  return finding;
}

}  // namespace autograd::debug
