// Each allocation fails in turn: an error, nothing lost, nothing half done, and the same call again gives the right
// answer. (Optimisers and files: nn/out_of_memory_test.cpp.)
#include <autograd/autograd.h>
#include <autograd/memory/recycler.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "tests/support/expect.h"
#include "tests/support/failing_allocations.h"

namespace out_of_memory_test {

using namespace autograd;
using fixtures::for_each_failing_allocation;
using fixtures::holds;

// Leaves, of which one has a gradient from before.
struct Leaves {
  Tensor x = tensor({{0.5, -1.0, 2.0}, {1.5, 0.25, -0.75}}, float64).requires_grad_();
  Tensor w = tensor({{1.0, 2.0, 3.0}, {-1.0, 0.5, 0.1}}, float64).requires_grad_();
  Tensor b = tensor({0.1, 0.2}, float64).requires_grad_();

  Leaves() { b.set_grad(tensor({10.0, 20.0}, float64)); }
  std::vector<Tensor> all() const { return {x, w, b}; }
};

std::vector<double> numbers_of(const Tensor& x) {
  return x.defined() ? x.to_vector() : std::vector<double>{};
}

std::vector<std::vector<double>> gradients_of(const Leaves& leaves) {
  std::vector<std::vector<double>> all;
  for (const Tensor& leaf : leaves.all()) all.push_back(numbers_of(leaf.grad()));
  return all;
}

// Ops of every kind: saved inputs and outputs, broadcasting, views, slices of one leaf, many inputs, a loss.
Tensor loss_of(const Leaves& leaves) {
  const Tensor hidden = linear(leaves.x, leaves.w, leaves.b).tanh();  // [2, 2]
  const Tensor parts = cat({hidden, leaves.x[0].narrow(0, 1, 2).unsqueeze(0), hidden.t(), hidden * leaves.b}, 0);
  const Tensor mixed = bmm(parts.softmax(-1).unsqueeze(0), hidden.exp().unsqueeze(0)).squeeze(0);  // [7, 2]
  const Tensor stacked = stack({mixed.select(1, 0), mixed.select(1, 1).sigmoid(), mixed.sum(1)});  // [3, 7]
  Tensor chain = leaves.b;
  for (int i = 0; i < 80; ++i) chain = chain + leaves.b;  // more nodes than a pass makes room for at first
  return cross_entropy(stacked / (1.0 + leaves.w.abs().sum()), ids({1, 6, 0})) + stacked.logsumexp({0, 1}) +
         chain.sum();
}

class OutOfMemory : public testing::Test {
 protected:
  // What a call makes that nothing interrupts.
  template <class Call> static std::vector<std::vector<double>> gradients_after(Call&& call) {
    const Leaves leaves;
    call(leaves);
    return gradients_of(leaves);
  }
  std::vector<std::vector<double>> before_ = gradients_of(Leaves());
};

TEST_F(OutOfMemory, InTheForwardPassLeavesNothingBehind) {
  const double expected = loss_of(Leaves()).item();
  const Leaves leaves;
  const std::size_t blocks = recycler::statistics().live_blocks;
  const std::int64_t count =
      for_each_failing_allocation([] { return 0; }, [&](int) { EXPECT_EQ(loss_of(leaves).item(), expected); },
                                  [&](int, bool) {
                                    EXPECT_EQ(recycler::statistics().live_blocks, blocks);
                                    EXPECT_EQ(loss_of(leaves).item(), expected);
                                  });
  EXPECT_GT(count, 20);
}

struct Graph {
  Leaves leaves;
  Tensor loss = loss_of(leaves);
};

TEST_F(OutOfMemory, InBackwardLeavesTheGradientsAsTheyWere) {
  const auto expected = gradients_after([](const Leaves& leaves) { loss_of(leaves).backward(); });
  const std::int64_t count =
      for_each_failing_allocation([] { return Graph(); }, [](const Graph& graph) { graph.loss.backward(); },
                                  [&](const Graph& graph, bool finished) {
                                    EXPECT_EQ(gradients_of(graph.leaves), finished ? expected : before_);
                                    if (finished) return;
                                    graph.loss.backward();
                                    EXPECT_EQ(gradients_of(graph.leaves), expected);
                                  });
  EXPECT_GT(count, 10);
}

// The second call gives the right answer, or says that the graph has been released, and the step is run again.
TEST_F(OutOfMemory, InABackwardThatReleasesTheGraphLeavesTheGradientsAsTheyWere) {
  const auto expected = gradients_after([](const Leaves& leaves) { loss_of(leaves).backward(); });
  const std::int64_t count = for_each_failing_allocation(
      [] { return Graph(); }, [](const Graph& graph) { graph.loss.backward({.release_graph = true}); },
      [&](const Graph& graph, bool finished) {
        EXPECT_EQ(gradients_of(graph.leaves), finished ? expected : before_);
        if (finished) return;
        try {
          graph.loss.backward({.release_graph = true});
        } catch (const Error& error) {
          EXPECT_EQ(error.id(), ErrorId::no_graph) << error.what();
          EXPECT_EQ(gradients_of(graph.leaves), before_);
          loss_of(graph.leaves).backward({.release_graph = true});
        }
        EXPECT_EQ(gradients_of(graph.leaves), expected);
      });
  EXPECT_GT(count, 10);
}

TEST_F(OutOfMemory, InASecondDerivativeLeavesTheGraphAsItWas) {
  const auto derive = [](const Graph& graph) {
    const std::vector<Tensor> first = grad(graph.loss, graph.leaves.all(), {.create_graph = true});
    backward({first[0].pow(2).sum(), first[1].pow(2).sum()});
  };
  const auto expected = gradients_after([&](const Leaves& leaves) { derive({leaves, loss_of(leaves)}); });
  const std::int64_t count =
      for_each_failing_allocation([] { return Graph(); }, derive,
                                  [&](const Graph& graph, bool finished) {
                                    EXPECT_EQ(gradients_of(graph.leaves), finished ? expected : before_);
                                    if (finished) return;
                                    derive(graph);
                                    EXPECT_EQ(gradients_of(graph.leaves), expected);
                                  });
  EXPECT_GT(count, 10);
}

TEST_F(OutOfMemory, BesideHooksAndRetainedGradientsLeavesThemAsTheyWere) {
  struct Hooked : Graph {
    Tensor middle = leaves.x * leaves.w;
    Tensor total = (middle * leaves.w).sum() + loss;
    Hooked() {
      middle.retain_grad();
      middle.register_hook([](const Tensor& gradient) { return gradient * 2.0; });
      leaves.x.register_hook([](const Tensor& gradient) { return gradient + 1.0; });
    }
  };
  Hooked undisturbed;
  undisturbed.total.backward();
  const auto expected = gradients_of(undisturbed.leaves);
  for_each_failing_allocation([] { return Hooked(); }, [](const Hooked& graph) { graph.total.backward(); },
                              [&](const Hooked& graph, bool finished) {
                                EXPECT_EQ(graph.middle.grad().defined(), finished);
                                if (!finished) graph.total.backward();
                                EXPECT_EQ(gradients_of(graph.leaves), expected);
                                EXPECT_EQ(numbers_of(graph.middle.grad()), numbers_of(undisturbed.middle.grad()));
                              });
}

// The version tells which values backward may still use: it counts up with the values, or not at all.
TEST_F(OutOfMemory, InAChangeInPlaceLeavesTheTensorAsItWasOrAsItShouldBe) {
  using Change = std::function<void(const Tensor& x)>;
  const Tensor other = tensor({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}, float64);
  const std::vector<Change> changes = {
      [&](const Tensor& x) { x.add_(other); },
      [&](const Tensor& x) { x.sub_(other.t().reshape({3, 2}).t(), 0.5); },
      [&](const Tensor& x) { x.mul_(other[0]); },
      [&](const Tensor& x) { x.div_(x); },
      [&](const Tensor& x) { x.copy_(other[1]); },
      [&](const Tensor& x) { x.fill_(7.0); },
      [&](const Tensor& x) { x.set_({1, 2}, 7.0); },
      [&](const Tensor& x) { x.mul_(2.0); },
      [&](const Tensor& x) { x.addcmul_(x, other); },
      [&](const Tensor& x) { x.addcdiv_(other, x, 0.5); },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    SCOPED_TRACE(i);
    const auto fresh = [] { return tensor({{1.0, 2.0, 4.0}, {8.0, 16.0, 32.0}}, float64); };
    const Tensor expected = fresh();
    changes[i](expected);
    for_each_failing_allocation(fresh, changes[i], [&](const Tensor& x, bool finished) {
      EXPECT_TRUE(holds(x, finished ? expected.to_vector() : fresh().to_vector()));
      EXPECT_EQ(x.impl()->storage->version, finished ? 1u : 0u);
      if (finished) return;
      changes[i](x);
      EXPECT_TRUE(holds(x, expected.to_vector()));
    });
  }
}

TEST_F(OutOfMemory, InARecordedChangeInPlaceLeavesTheGraphAsItWas) {
  struct State {
    Leaves leaves;
    Tensor total = leaves.x * 2.0;
    State() { total.retain_grad(); }
  };
  const auto change = [](const State& state) { state.total.mul_(state.leaves.w); };
  const auto finish = [](const State& state) {
    (state.total * state.total).sum().backward();
    return gradients_of(state.leaves);
  };
  const State undisturbed;
  change(undisturbed);
  const auto expected = finish(undisturbed);
  for_each_failing_allocation([] { return State(); }, change,
                              [&](const State& state, bool finished) {
                                if (!finished) {
                                  EXPECT_STREQ(state.total.grad_fn()->name(), "mul");
                                  change(state);
                                }
                                EXPECT_EQ(finish(state), expected);
                                EXPECT_TRUE(holds(state.total.grad(), numbers_of(undisturbed.total.grad())));
                              });
}

TEST_F(OutOfMemory, InSettersLeavesTheTensorAsItWas) {
  using Call = std::function<void(const Tensor& x)>;
  const std::vector<Call> calls = {
      [](const Tensor& x) { x.set_grad(ones({2}, float64)); },
      [](const Tensor& x) { x.set_name("a name that is too long to be kept inside of the string itself"); },
      [](const Tensor& x) { x.retain_grad(); },
      [](const Tensor& x) { x.register_hook([](const Tensor& gradient) { return gradient * 3.0; }); },
  };
  for (std::size_t i = 0; i < calls.size(); ++i) {
    SCOPED_TRACE(i);
    const auto setup = [] { return tensor({1.0, 2.0}, float64).requires_grad_(); };
    const Tensor undisturbed = setup();
    calls[i](undisturbed);
    undisturbed.sum().backward();
    for_each_failing_allocation(setup, calls[i], [&](const Tensor& x, bool finished) {
      if (!finished) {
        EXPECT_FALSE(x.grad().defined());
        EXPECT_EQ(x.name(), "");
        calls[i](x);
      }
      x.sum().backward();
      EXPECT_EQ(x.name(), undisturbed.name());
      EXPECT_TRUE(holds(x.grad(), undisturbed.grad().to_vector()));
    });
  }
}

}  // namespace out_of_memory_test
