// Trail: what became of the tensors that need a gradient, from the leaves on, also of those whose graph is gone. It
// answers why one of them got none. Each instrument that wants to know has one per thread, and tells it what it sees.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "autograd/debug/known_leaves.h"
#include "autograd/debug/no_gradient.h"
#include "autograd/tape/observer.h"
#include "autograd/tape/pass.h"

namespace autograd::debug {

class Trail {
 public:
  void recorded(const Node& node);
  void untaped(const Tensor& input, const Untaped& use);
  void pass_begins(const Pass& pass);
  void accumulated(const Node& from, std::size_t input);
  void runs(const Node& node);
  void pass_ends(const Pass& pass);

  // A pass that a question is about.
  struct Asked {
    std::function<bool(std::uint64_t number)> has_op;
    bool did_not_ask = false;  // a grad() for other tensors
    Where called_at;
    bool all_seen = true;  // did all of its ops run while this was attached?
  };
  NoGradient why_not(const KnownLeaf& leaf, const Asked& pass) const;
  NoGradient why_not(const Node& op, const Asked& pass) const;
  // Did the op of this number run while this was attached? True for one of the last backward()s at least.
  bool saw(std::uint64_t number) const;

  // Why the first backward() after its use did not reach a leaf, by KnownLeaf::id. Some were reached since.
  const std::unordered_map<std::uint64_t, NoGradient>& missed() const { return missed_; }

 private:
  // What a gradient is asked for: an op, by its number, or a leaf, by this bit and its id.
  using Source = std::uint64_t;
  static constexpr Source leaf_bit = Source{1} << 63;

  // An op was recorded, or a tensor was used without a node.
  struct Event {
    std::uint64_t number = 0;  // of the node; of the last one before a use without
    const char* op = "";
    Where at;
    Ref<Scope> scope;
    std::optional<Untaped::Why> untaped{};
    std::uint32_t version = 0;  // of a leaf that was used without a node
    SmallVector<Source, 2> sources{};
  };
  struct Running {
    std::vector<std::uint64_t> ops;  // that have run, descending
    bool all_seen = true;
  };

  Source source_of(const Node& node);
  Source source_of(const Tensor& tensor);
  void add(Event event);
  void drop(std::size_t count);
  void find_missed();
  const Event* event_of(std::uint64_t number) const;
  OpCall call_of(const Event& event) const;
  OpCall call_of(Source source) const;
  bool is_outdated(const Event& event, Source source) const;
  OpCall user_of(Source source, std::size_t since) const;
  std::vector<PathEnd> ends_of(Source source, const Asked& pass, std::size_t since) const;

  LeafListener listener_;
  std::deque<Event> events_;    // ascending numbers
  std::size_t ended_at_ = 0;    // how many of them there were when the last backward() ended
  std::size_t fresh_from_ = 0;  // what is older belongs to the program before the last pass
  bool dropped_ = false;        // more was recorded than is kept
  std::vector<Running> running_;
  std::unordered_map<std::uint64_t, Where> roots_;  // what earlier passes started from, and the line that started them
  std::set<std::uint64_t> waiting_;                 // leaves that were used, and not reached yet
  std::unordered_map<std::uint64_t, NoGradient> missed_;
};

// Of a leaf that took no part, as far as is known without a trail.
NoGradient unused(const KnownLeaf& leaf);

}  // namespace autograd::debug
