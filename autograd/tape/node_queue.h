// NodeQueue: the nodes whose turn in a pass is still to come. The one that the program ran last comes first; leaves
// come last even if the program used them late, so that somebody who steps through a pass sees all ops before them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "autograd/tape/node.h"

namespace autograd {

// A node's place in the order of a pass: of two nodes, the one whose turn is the higher number comes first.
inline std::uint64_t turn_of(const Node& node) {
  constexpr std::uint64_t above_leaves = std::uint64_t{1} << 63;
  return node.leaf ? node.number : above_leaves + node.number;
}

class NodeQueue {
 public:
  bool empty() const { return !newest_.node && others_.empty(); }

  void push(Node& node) {
    Entry entry{turn_of(node), Ref<Node>(&node)};
    if (newest_.node) {
      others_.push_back(std::min(entry, newest_));  // first, because it may throw
      std::push_heap(others_.begin(), others_.end());
    }
    if (newest_ < entry) newest_ = std::move(entry);
  }

  Ref<Node> pop() {
    if (others_.empty() || others_.front() < newest_) return std::exchange(newest_, Entry()).node;
    std::pop_heap(others_.begin(), others_.end());
    Ref<Node> node = std::move(others_.back().node);
    others_.pop_back();
    return node;
  }

 private:
  struct Entry {
    std::uint64_t turn = 0;
    Ref<Node> node;
    friend bool operator<(const Entry& a, const Entry& b) { return a.turn < b.turn; }
  };
  // Leaves and weights wait in the heap for most of a pass. Whatever comes next is usually what came last, and stays
  // out of the heap: a chain of ops never moves an entry past those of the leaves.
  Entry newest_;
  std::vector<Entry> others_;
};

}  // namespace autograd
