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
  bool empty() const { return heap_.empty(); }

  void push(Node& node) {
    heap_.push_back({turn_of(node), Ref<Node>(&node)});
    std::push_heap(heap_.begin(), heap_.end());
  }

  Ref<Node> pop() {
    std::pop_heap(heap_.begin(), heap_.end());
    Ref<Node> node = std::move(heap_.back().node);
    heap_.pop_back();
    return node;
  }

 private:
  struct Entry {
    std::uint64_t turn = 0;
    Ref<Node> node;
    friend bool operator<(const Entry& a, const Entry& b) { return a.turn < b.turn; }
  };
  std::vector<Entry> heap_;
};

}  // namespace autograd
