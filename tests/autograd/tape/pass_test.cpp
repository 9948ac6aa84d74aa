// The nodes of a pass in their order: whatever order they come in, the one that the program ran last comes first.
#include "autograd/tape/pass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace pass_test {

using autograd::Grads;
using autograd::Inputs;
using autograd::Node;
using autograd::NodeQueue;
using autograd::Ref;
using autograd::Tensor;

struct Numbered final : Node {
  explicit Numbered(std::uint64_t number_, bool leaf_ = false) {
    number = number_;
    leaf = leaf_;
  }
  Tensor forward(const Inputs&) const override { return {}; }
  Grads backward(const Tensor&) override { return {}; }
};

Ref<Node> node(std::uint64_t number, bool leaf = false) {
  return Ref<Node>(new Numbered(number, leaf));
}

std::vector<std::uint64_t> drain(NodeQueue& queue) {
  std::vector<std::uint64_t> numbers;
  while (!queue.empty()) numbers.push_back(queue.pop()->number);
  return numbers;
}

TEST(NodeQueueTest, TheLastOpComesFirstAndLeavesComeLast) {
  NodeQueue queue;
  EXPECT_TRUE(queue.empty());
  for (const std::uint64_t number : {3, 9, 1}) queue.push(*node(number));
  queue.push(*node(20, true));
  queue.push(*node(7));
  queue.push(*node(2, true));
  EXPECT_EQ(drain(queue), (std::vector<std::uint64_t>{9, 7, 3, 1, 20, 2}));
}

TEST(NodeQueueTest, KeepsItsNodesAlive) {
  const Ref<Node> kept = node(1);
  NodeQueue queue;
  queue.push(*kept);
  EXPECT_EQ(kept->refs, 2U);
  EXPECT_EQ(queue.pop().get(), kept.get());
  EXPECT_EQ(kept->refs, 1U);
}

// As a pass uses it: after each node come nodes with lower numbers, which may be lower than those that wait.
TEST(NodeQueueTest, RandomGraphsComeOutInOrder) {
  std::mt19937 random(7);
  for (int graph = 0; graph < 100; ++graph) {
    NodeQueue queue;
    std::vector<std::uint64_t> pushed{1'000'000};
    std::vector<std::uint64_t> popped;
    queue.push(*node(pushed.front()));
    while (!queue.empty()) {
      const std::uint64_t number = queue.pop()->number;
      popped.push_back(number);
      for (auto inputs = random() % 4; inputs > 0 && number > 0 && pushed.size() < 300; --inputs) {
        pushed.push_back(random() % number);
        queue.push(*node(pushed.back()));
      }
    }
    std::sort(pushed.rbegin(), pushed.rend());
    ASSERT_EQ(popped, pushed);
  }
}

}  // namespace pass_test
