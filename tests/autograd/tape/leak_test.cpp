// Nothing stays behind: whatever a program does, and wherever it is interrupted, all memory of the engine is returned.
//
// Tensors, nodes and their memory are blocks of the recycler, which counts those that are alive.

#include <gtest/gtest.h>

#include <functional>

#include "autograd/autograd.h"
#include "autograd/memory/recycler.h"
#include "autograd/tape/observer.h"
#include "autograd/tape/pass.h"
#include "tests/support/expect.h"

namespace leak_test {

using namespace autograd;

Tensor leaf(std::initializer_list<double> values) {
  return tensor(values, float64).requires_grad_();
}

// Some ops of every kind: with saved inputs, saved outputs, views, broadcasting, several inputs.
Tensor network(const Tensor& x, const Tensor& w) {
  const Tensor hidden = (x * w + 1.0).tanh();
  const Tensor weights = hidden.unsqueeze(0).softmax(-1);
  const Tensor mixed = weights.matmul(stack({x, w}).t());
  return (mixed / (1.0 + hidden.exp().sum())).pow(2).sum();
}

class Leak : public testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(recycler::statistics().live_blocks, before_) << "blocks leaked"; }

 private:
  std::size_t before_ = recycler::statistics().live_blocks;
};

struct Stop : std::runtime_error {
  Stop() : std::runtime_error("stop") {}
};

TEST_F(Leak, NoneInNormalUse) {
  const Tensor x = leaf({1, 2});
  const Tensor w = leaf({3, 4});
  for (int step = 0; step < 3; ++step) {
    network(x, w).backward();
    const NoGradGuard no_grad;
    w.sub_(w.grad(), 0.1);
    w.zero_grad();
  }
}

TEST_F(Leak, NoneInAGraphThatIsNeverDifferentiated) {
  network(leaf({1, 2}), leaf({3, 4}));
}

TEST_F(Leak, NoneInASecondBackward) {
  const Tensor x = leaf({1, 2});
  const Tensor y = network(x, leaf({3, 4}));
  y.backward();
  y.backward();
}

TEST_F(Leak, NoneInAReleasedGraph) {
  const Tensor x = leaf({1, 2});
  network(x, leaf({3, 4})).backward({.release_graph = true});
}

TEST_F(Leak, NoneInHigherDerivatives) {
  const Tensor x = leaf({1, 2});
  const Tensor w = leaf({3, 4});
  const Tensor first = grad(network(x, w), {x}, {.create_graph = true})[0];
  const Tensor second = grad(first.sum(), {x, w}, {.create_graph = true})[0];
  second.sum().backward();
}

TEST_F(Leak, NoneThroughHooksAndRetainedGradients) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * 2.0;
  y.retain_grad();
  y.register_hook([](const Tensor& gradient) { return gradient * 2.0; });
  x.register_hook([](const Tensor& gradient) { return gradient * 2.0; });
  const Tensor z = network(y, x);
  z.backward();
  z.backward();
}

// The gradient of y, as a part of the graph, leads back to y's node, which must not own it.
TEST_F(Leak, NoneInARetainedGradientOfASecondDerivative) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x.exp();
  y.retain_grad();
  const Tensor first = grad(y.pow(3).sum(), {x}, {.create_graph = true})[0];
  first.sum().backward();
}

// The op that saved its own output does not own it.
TEST_F(Leak, NoneInSavedOutputs) {
  const Tensor x = leaf({0.5, 2});
  const Tensor m = mask({true, true});
  for (const Tensor& y : {x.exp(), x.sqrt(), x.tanh(), x.sigmoid(), x.relu(), x.softmax(0), x.log_softmax(0),
                          masked_softmax(x, m), x.logsumexp(0), x.amax(), amin(x), 1.0 / x, pow(2.0, x)}) {
    const Tensor first = grad(y.sum(), {x}, {.create_graph = true})[0];
    if (first.requires_grad()) first.sum().backward();  // not that of relu and amax, which is constant
  }
}

TEST_F(Leak, NoneInChangesInPlace) {
  const Tensor x = leaf({1, 2});
  const Tensor total = zeros({2}, float64);
  for (int i = 0; i < 3; ++i) total.add_(x).mul_(x).div_(x + 1.0);
  total.sum().backward();
  total.zero_();
}

TEST_F(Leak, NoneInViewsThatOutliveTheirBase) {
  Tensor view;
  {
    const Tensor x = leaf({1, 2});
    view = (x * 2.0).unsqueeze(0).t()[0];
  }
  view.sum().backward();
}

TEST_F(Leak, NoneInNamesAndScopes) {
  const ScopeGuard scope("layer", Where::current());
  const Tensor x = leaf({1, 2});
  x.set_name("a name that is too long to be kept inside of the string itself");
  network(x, x).backward();
}

TEST_F(Leak, NoneInFormatting) {
  const Tensor x = leaf({1, 2});
  EXPECT_FALSE(fmt::format("{} {}", x, x.unsqueeze(1).t()).empty());
}

// ---- interrupted by errors --------------------------------------------------------------------------------

TEST_F(Leak, NoneWhereAnOpRefusesItsInput) {
  const Tensor x = leaf({1, 2});
  const Tensor y = network(x, x);
  // clang-format off
  const std::vector<std::function<void()>> calls = {
      [&] { x + leaf({1, 2, 3}); },
      [&] { x.exp() + tensor({1, 2}, float32); },
      [&] { x.matmul(leaf({1, 2, 3})); },
      [&] { stack({x, y}); },
      [&] { cat({x, leaf({1}), Tensor()}); },
      [&] { x.gather(0, ids({0, 5})); },
      [&] { embedding(stack({x, x}), ids({0, 7})); },
      [&] { length_mask({1, -2}); },
      [&] { x.index({0, 0}); },
      [&] { (x * 1.0).narrow(0, 1, 2); },
      [&] { zeros({1}).expand(std::int64_t{1} << 40).exp(); },
      [&] { split(x, {1, 2}); },
      [&] { x.add_(1.0); },
      [&] { y.add_(x); },
      [&] { tensor(1.0).backward(); },
      [&] { (x * 2.0).backward(); },
      [&] { grad(y, {leaf({1, 2})}); },
      [&] { (x * 2.0).grad(); },
      [&] { x.set_grad(tensor({1.0})); },
  };
  // clang-format on
  for (std::size_t i = 0; i < calls.size(); ++i) {
    EXPECT_THROW(calls[i](), Error) << i;
    EXPECT_THROW(calls[i](), Error) << i << ", the second time";
  }
  const Tensor alone = leaf({1, 2});
  EXPECT_TRUE(fixtures::holds(grad(y, {x})[0], grad(network(alone, alone), {alone})[0].to_vector()));
}

TEST_F(Leak, NoneWhereAHookThrows) {
  const Tensor x = leaf({1, 2});
  const Tensor w = leaf({3, 4});
  const Tensor hidden = x * w;
  const Tensor y = network(hidden, w);
  const int hook = hidden.register_hook([](const Tensor&) -> Tensor { throw Stop(); });
  const std::vector<double> expected = grad(network(w, w), {w})[0].to_vector();
  EXPECT_THROW(y.backward(), Stop);
  EXPECT_THROW(y.backward(), Stop);
  hidden.remove_hook(hook);
  y.backward();
  EXPECT_TRUE(fixtures::holds(x.grad(), grad(network(x * w, w), {x})[0].to_vector()));
  hidden.register_hook([](const Tensor&) -> Tensor { throw Stop(); });
  EXPECT_THROW(y.backward({.release_graph = true}), Stop);
  EXPECT_THROW(y.backward({.release_graph = true}), Error);
  EXPECT_TRUE(fixtures::holds(grad(network(w, w), {w})[0], expected));
}

TEST_F(Leak, NoneWhereAHookThrowsInGrad) {
  const Tensor x = leaf({1, 2});
  const Tensor hidden = x * 2.0;
  const Tensor y = network(hidden, x);
  bool throws = true;
  hidden.register_hook([&](const Tensor&) {
    if (throws) throw Stop();
    return Tensor();
  });
  EXPECT_THROW(grad(y, {x}), Stop);
  EXPECT_THROW(grad(y, {x}, {.create_graph = true}), Stop);
  throws = false;
  EXPECT_TRUE(fixtures::holds(grad(y, {x})[0], grad(network(x * 2.0, x), {x})[0].to_vector()));
}

// Counts the events of a forward and a backward, and throws at one of them.
class ThrowsAt : public Observer {
 public:
  explicit ThrowsAt(int event) : left_(event) {}
  void recorded(Node&, const Inputs&, const Tensor&) override { count(); }
  Grads run(Node& node, const Tensor& dy) override {
    count();
    Grads gradients = node.backward(dy);
    count();
    return gradients;
  }
  void accumulated(const Node&, std::size_t, const Tensor&) override { count(); }
  void pass_begins(Pass&) override { count(); }

 private:
  void count() {
    if (left_-- == 0) throw Stop();
  }
  int left_;
};

TEST_F(Leak, NoneWhereverAPassIsInterrupted) {
  const Tensor x = leaf({1, 2});
  const Tensor w = leaf({3, 4});
  int interrupted = 0;
  for (bool ended = false; !ended;) {
    const std::size_t before = recycler::statistics().live_blocks;
    try {
      ThrowsAt observer(interrupted);
      const ObserverGuard guard(observer);
      const Tensor y = network(x, w);
      const Tensor first = grad(y, {x}, {.create_graph = true})[0];
      backward({y, first.sum()});
      ended = true;
    } catch (const Stop&) {
      ++interrupted;
    }
    x.zero_grad();
    w.zero_grad();
    ASSERT_EQ(recycler::statistics().live_blocks, before) << "interrupted at event " << interrupted;
    ASSERT_TRUE(grad_enabled());
    ASSERT_EQ(running_node(), nullptr);
  }
  EXPECT_GT(interrupted, 100);
}

// After an interruption the same graph gives the same gradients.
TEST_F(Leak, NoGradientStaysBehindWhereverAPassIsInterrupted) {
  const Tensor x = leaf({1, 2});
  const Tensor w = leaf({3, 4});
  const Tensor y = network(x, w);
  const std::vector<double> expected = grad(y, {x})[0].to_vector();
  for (int event = 0; event < 60; ++event) {
    try {
      ThrowsAt observer(event);
      const ObserverGuard guard(observer);
      y.backward();
    } catch (const Stop&) {
    }
    ASSERT_TRUE(fixtures::holds(grad(y, {x})[0], expected)) << "interrupted at event " << event;
  }
}

}  // namespace leak_test
