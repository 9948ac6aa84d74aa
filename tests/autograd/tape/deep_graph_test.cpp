// A million ops deep: nothing in the engine may recurse. ctest runs this program on a stack of 256 KiB (see
// CMakeLists.txt), on which even a hundred bytes per level would not fit.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <string>
#include <vector>

#include "autograd/autograd.h"
#include "autograd/memory/recycler.h"
#include "autograd/tape/node.h"
#include "autograd/tape/observer.h"
#include "autograd/tape/pass.h"
#include "tests/support/expect.h"

namespace deep_graph_test {

using namespace autograd;
using fixtures::holds;

#ifdef BACKSTEP_EVERY_BLOCK_FROM_MALLOC
constexpr int depth = 100'000;  // AddressSanitizer takes ten times the memory
#else
constexpr int depth = 1'000'000;
#endif

Tensor leaf(double value) {
  return tensor(value, float64).requires_grad_();
}

TEST(DeepGraph, RunsOnASmallStack) {
  rlimit stack{};
  getrlimit(RLIMIT_STACK, &stack);
  if (stack.rlim_cur > (256u << 10)) GTEST_SKIP() << "run it by ctest, or under `ulimit -s 256`";
}

TEST(DeepGraph, IsBuiltDifferentiatedAndDestroyed) {
  const std::size_t before = recycler::statistics().live_blocks;
  {
    const Tensor x = leaf(1.0);
    Tensor y = x;
    for (int i = 0; i < depth; ++i) y = y + 1.0;
    EXPECT_EQ(y.item(), 1.0 + depth);
    y.backward();
    EXPECT_TRUE(holds(x.grad(), {1}));
    y.backward();
    EXPECT_TRUE(holds(x.grad(), {2}));
  }
  EXPECT_EQ(recycler::statistics().live_blocks, before);
}

// Keeps the names of the leaves in the order in which a pass visits them.
struct LeafNames : Observer {
  std::vector<std::string> names;

  void pass_begins(Pass& pass) override {
    for (const Ref<Node>& node : pass.nodes()) {
      if (node->is_leaf()) names.push_back(static_cast<Leaf&>(*node).tensor.name());
    }
  }
};

// Leaves come last, the one that the program used last first.
TEST(DeepGraph, VisitsLeavesInTheOrderOfAShallowOne) {
  const Tensor x = leaf(1.0).set_name("x");
  const Tensor a = leaf(1.0).set_name("a");
  const Tensor b = leaf(1.0).set_name("b");
  Tensor y = x;
  for (int i = 0; i < 1000; ++i) y = y + a;
  y = y + b + a;
  LeafNames observer;
  const ObserverGuard guard(observer);
  y.backward();
  EXPECT_EQ(observer.names, (std::vector<std::string>{"b", "a", "x"}));
}

// Saved values, which hold the tensors before them, hold the nodes before those.
TEST(DeepGraph, OfSavedValues) {
  const std::size_t before = recycler::statistics().live_blocks;
  {
    const Tensor x = leaf(0.5);
    Tensor y = x;
    for (int i = 0; i < depth / 4; ++i) y = (y * x).tanh();
    EXPECT_EQ(grad(y, {x})[0].item(), 0.0);  // it has vanished long before
  }
  EXPECT_EQ(recycler::statistics().live_blocks, before);
}

TEST(DeepGraph, IsReleasedWhileBackwardRuns) {
  const Tensor x = leaf(1.0);
  Tensor y = x;
  for (int i = 0; i < depth; ++i) y = y + 1.0;
  const std::size_t peak = recycler::statistics().live_blocks;
  y.backward({.release_graph = true});
  EXPECT_TRUE(holds(x.grad(), {1}));
  EXPECT_LT(recycler::statistics().live_blocks, peak / 100);
}

TEST(DeepGraph, OfChangesInPlace) {
  const Tensor x = leaf(1.0);
  const Tensor y = tensor(0.0, float64);
  for (int i = 0; i < depth; ++i) y.add_(x);
  EXPECT_EQ(y.item(), depth);
  y.backward();
  EXPECT_TRUE(holds(x.grad(), {depth}));
}

TEST(DeepGraph, OfViews) {
  const Tensor x = tensor({{1, 2}, {3, 4}}, float64).requires_grad_();
  Tensor y = x;
  for (int i = 0; i < depth / 4; ++i) y = y.t();
  (y * tensor({{1, 2}, {3, 4}}, float64)).sum().backward();
  EXPECT_TRUE(holds(x.grad(), {1, 2, 3, 4}));
}

TEST(DeepGraph, OfSecondDerivatives) {
  const Tensor x = leaf(1.0);
  const Tensor w = leaf(1.0);
  Tensor y = x;
  for (int i = 0; i < depth / 20; ++i) y = y * w;
  const Tensor slope = grad(y, {w}, {.create_graph = true})[0];
  EXPECT_EQ(slope.item(), depth / 20);
  EXPECT_EQ(grad(slope, {x})[0].item(), depth / 20);
}

// Two paths at every op: 2^100000 in all.
TEST(DeepGraph, BranchesAtEveryOp) {
  const Tensor x = leaf(0.0);
  Tensor y = x;
  Tensor total = x;
  for (int i = 0; i < depth / 10; ++i) {
    y = y + total * 0.0;
    total = total + y;
  }
  total.backward();
  EXPECT_EQ(x.grad().item(), depth / 10 + 1);
}

TEST(DeepGraph, OfTensorsInHooks) {
  const Tensor x = leaf(1.0);
  Tensor y = x;
  for (int i = 0; i < depth / 10; ++i) {
    const Tensor previous = y;
    y = y + 1.0;
    y.register_hook([previous](const Tensor&) { return Tensor(); });
  }
  y.backward();
  EXPECT_TRUE(holds(x.grad(), {1}));
}

// ---- chains that are not graphs ------------------------------------------------------------------------------

// On a stack of 256 KiB not even two bytes are left for each.
constexpr int links = depth / 5;

TEST(DeepChain, OfGradientsOfGradientsIsFreed) {
  const std::size_t before = recycler::statistics().live_blocks;
  {
    const Tensor x = leaf(1.0);
    Tensor innermost = x;
    for (int i = 0; i < links; ++i) {
      innermost.set_grad(tensor(1.0, float64));
      innermost = innermost.grad();
    }
  }
  EXPECT_EQ(recycler::statistics().live_blocks, before);
}

TEST(DeepChain, OfHooksThatHoldTensorsWithHooksIsFreed) {
  for (const bool on_leaves : {true, false}) {
    const std::size_t before = recycler::statistics().live_blocks;
    {
      Tensor last = leaf(1.0);
      for (int i = 0; i < links; ++i) {
        const Tensor next = on_leaves ? leaf(1.0) : leaf(1.0) * 2.0;
        next.register_hook([last](const Tensor&) { return last; });
        last = next;
      }
    }
    EXPECT_EQ(recycler::statistics().live_blocks, before);
  }
}

}  // namespace deep_graph_test
