// What the instruments stand on: the recording has the values of the program and every contribution of backward(), bit
// for bit, and lets go of graphs that are dead.

#include "autograd/debug/recording.h"

#include <autograd/autograd.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "autograd/debug/start.h"
#include "autograd/tape/leaf.h"
#include "tests/support/expect.h"

namespace recording_test {

using namespace autograd;
using debug::PassRecord;
using debug::Recording;
using fixtures::holds;

// The recording of one tanh-RNN of three steps; W is used three times.
struct Recurrence {
  Recording recording;
  ObserverGuard attached{recording};
  Tensor w = tensor({{0.5, -1}, {0.25, 2}}).set_name("W").requires_grad_();
  Tensor x = tensor({{1, 2}}).set_name("x").requires_grad_();
  Tensor loss;

  Recurrence() {
    Tensor h = x;
    for (int t = 0; t < 3; ++t) {
      const StepScope step(t);
      h = tanh(matmul(h, w)).set_name("h");
    }
    loss = h.sum();
  }
  const Node& node_of(const Tensor& tensor) const { return *gradient_node(tensor); }
};

TEST(Recording, HasTheValuesOfEveryOp) {
  Recurrence program;
  const debug::Call* sum = program.recording.call(program.node_of(program.loss));
  ASSERT_NE(sum, nullptr);
  EXPECT_TRUE(holds(sum->output, program.loss.to_vector()));
  EXPECT_EQ(sum->inputs[0].shape(), Shape({1, 2}));
  EXPECT_EQ(program.recording.calls().size(), 9u);  // three steps of two ops, a sum, two leaves
}

TEST(Recording, KeepsAValueThatIsOverwrittenLater) {
  Recording recording;
  const ObserverGuard attached(recording);
  const Tensor x = tensor({1, 2}).requires_grad_();
  Tensor y = x * 3.0;
  const Tensor z = y + 1.0;
  y.mul_(10.0);
  EXPECT_TRUE(holds(recording.call(*z.grad_fn())->inputs[0], {3, 6}));
  EXPECT_TRUE(holds(recording.call(*y.grad_fn())->output, {30, 60}));
}

TEST(Recording, GivesALaterUseTheValueOfThatTime) {
  Recording recording;
  const ObserverGuard attached(recording);
  const Tensor w = tensor({1, 2}).requires_grad_();
  const Tensor before = w * 2.0;
  {
    const NoGradGuard no_grad;
    w.add_(1.0);
  }
  const Tensor after = w * 2.0;
  EXPECT_TRUE(holds(recording.call(*before.grad_fn())->inputs[0], {1, 2}));
  EXPECT_TRUE(holds(recording.call(*after.grad_fn())->inputs[0], {2, 3}));
}

TEST(Recording, CountsContributionsAsTheyArrive) {
  Recurrence program;
  program.loss.backward();
  const PassRecord& pass = *program.recording.last();
  const Node& w = program.node_of(program.w);
  EXPECT_TRUE(pass.completed);
  EXPECT_EQ(pass.expected.at(&w), 3u);
  EXPECT_EQ(pass.arrived(w, 0), 0u);
  EXPECT_FALSE(pass.gradient(w, 0).defined());  // not computed is not zero
  EXPECT_EQ(pass.arrived(w, 3), 1u);            // sum, tanh, matmul
  EXPECT_EQ(pass.arrived(w, pass.steps.size()), 3u);
}

TEST(Recording, SumsContributionsToTheBitsOfTheGradient) {
  Recurrence program;
  program.loss.backward();
  const PassRecord& pass = *program.recording.last();
  EXPECT_EQ(pass.gradient(program.node_of(program.w), pass.steps.size()).to_vector(), program.w.grad().to_vector());
  // Already before the leaf's own step, from the contributions alone.
  EXPECT_EQ(pass.gradient(program.node_of(program.w), pass.steps.size() - 2).to_vector(), program.w.grad().to_vector());
}

TEST(Recording, KeepsAGradientThatIsHandedOnOnce) {
  Recurrence program;
  program.loss.backward();
  const PassRecord& pass = *program.recording.last();
  const debug::Step& tanh = pass.steps[1];  // after the sum: its only input gets one contribution
  const debug::Contribution& given = pass.contributions[tanh.first];
  EXPECT_EQ(tanh.gradients[0].impl(), given.value.impl());
  EXPECT_EQ(pass.steps[2].dy.impl(), given.value.impl());
}

TEST(Recording, TellsWhichInputAContributionBelongsTo) {
  Recording recording;
  const ObserverGuard attached(recording);
  const Tensor x = tensor({3}).requires_grad_();
  (x * x).sum().backward();
  const PassRecord& pass = *recording.last();
  const auto contributions = pass.contributions_to(*gradient_node(x), pass.steps.size());
  ASSERT_EQ(contributions.size(), 2u);
  EXPECT_EQ(contributions[0]->input, 0u);
  EXPECT_EQ(contributions[1]->input, 1u);
}

TEST(Recording, TakesTheSeedAsAContributionFromNowhere) {
  Recurrence program;
  program.loss.backward(tensor(2.0).reshape({}));
  const auto contributions = program.recording.last()->contributions_to(program.node_of(program.loss), 0);
  ASSERT_EQ(contributions.size(), 1u);
  EXPECT_EQ(contributions[0]->from, nullptr);
  EXPECT_TRUE(holds(contributions[0]->value, {2}));
}

TEST(Recording, ShowsWhatAHookMadeOfAGradient) {
  Recording recording;
  const ObserverGuard attached(recording);
  const Tensor x = tensor({1, 2}).requires_grad_();
  const Tensor y = x * 2.0;
  y.register_hook([](const Tensor& gradient) { return gradient * 10.0; });
  y.sum().backward();
  const PassRecord& pass = *recording.last();
  EXPECT_TRUE(holds(pass.gradient(*y.grad_fn(), 1), {1, 1}));
  EXPECT_TRUE(holds(pass.gradient(*y.grad_fn(), pass.steps.size()), {10, 10}));
}

TEST(Recording, KnowsAPassThatWasInterrupted) {
  Recording recording;
  const ObserverGuard attached(recording);
  const Tensor x = tensor({1, 2}).requires_grad_();
  const Tensor y = x * 2.0;
  const int hook = y.register_hook([](const Tensor&) -> Tensor { throw std::runtime_error("stop"); });
  const Tensor total = y.sum();
  EXPECT_THROW(total.backward(), std::runtime_error);
  EXPECT_EQ(recording.running(), nullptr);
  EXPECT_FALSE(recording.last()->completed);
  EXPECT_EQ(recording.last()->steps.size(), 1u);
  y.remove_hook(hook);
  total.backward();
  EXPECT_TRUE(recording.last()->completed);
  EXPECT_EQ(recording.last()->steps.size(), 3u);
  EXPECT_TRUE(holds(x.grad(), {2, 2}));
}

TEST(Recording, KeepsNestedPassesApart) {
  Recording recording;
  const ObserverGuard attached(recording);
  const Tensor x = tensor({1, 2}).requires_grad_();
  const Tensor inner = tensor({5}).requires_grad_();
  const Tensor y = x * 2.0;
  y.register_hook([&](const Tensor& gradient) {
    const GradModeGuard recorded(true);
    (inner * 3.0).sum().backward();
    return gradient;
  });
  y.sum().backward();
  EXPECT_EQ(recording.last()->number, 1u);
  EXPECT_EQ(recording.last()->steps.size(), 3u);
  EXPECT_TRUE(holds(inner.grad(), {3}));
}

TEST(Recording, LetsGoOfDeadGraphs) {
  Recording recording;
  const ObserverGuard attached(recording);
  const Tensor w = tensor({1, 2}).requires_grad_();
  std::size_t calls = 0;
  for (int i = 0; i < 5; ++i) {
    Tensor y = w;
    for (int k = 0; k < 10; ++k) y = y * 1.5;
    y.sum().backward();
    if (i == 1) calls = recording.calls().size();
  }
  EXPECT_EQ(recording.calls().size(), calls);
}

// A view of x is part of the graph. Once the graph is gone, x may be changed in place again.
TEST(Recording, KeepsNoGraphAliveThatTheProgramLetGo) {
  Recording recording;
  const ObserverGuard attached(recording);
  const Tensor w = tensor({1, 2, 3, 4}).requires_grad_();
  const Tensor x = tensor({1, 1, 1, 1}).requires_grad_() * 2.0;
  {
    const Tensor y = x.view({2, 2}) * w.view({2, 2});
    EXPECT_EQ(recording.calls().size(), 6u);  // w, its view, x, the leaf that it comes from, its view, the product
  }
  EXPECT_EQ(recording.calls().size(), 2u);
  x.add_(w);
}

// With its inputs cut off, a node's inputs are held by its call alone, and end with it.
TEST(Recording, ForgetsCallsThatEndWithOneAnother) {
  struct Forgetful : Recording {
    using Recording::forget;
  };
  Forgetful recording;
  const ObserverGuard attached(recording);
  const Tensor x = tensor({1, 2}).requires_grad_();
  const Tensor loss = (x * 2.0).tanh().exp().sum();
  loss.backward({.release_graph = true});
  recording.forget();
  EXPECT_TRUE(recording.calls().empty());
}

TEST(Recording, HoldsADeepGraphWithoutRecursion) {
  Recording recording;
  const ObserverGuard attached(recording);
  Tensor y = tensor(1.0).requires_grad_();
  for (int i = 0; i < 100000; ++i) y = y + 1.0;
  y.backward();
  EXPECT_EQ(recording.last()->steps.size(), 100001u);
}

TEST(Recording, ChangesNoBitOfAGradient) {
  const auto gradient = [] {
    Recurrence program;
    program.loss.backward();
    return program.w.grad().to_vector();
  };
  const auto undisturbed = [] {
    const Tensor w = tensor({{0.5, -1}, {0.25, 2}}).requires_grad_();
    Tensor h = tensor({{1, 2}}).requires_grad_();
    for (int t = 0; t < 3; ++t) h = tanh(matmul(h, w));
    h.sum().backward();
    return w.grad().to_vector();
  };
  EXPECT_EQ(gradient(), undisturbed());
}

// ---- names ----------------------------------------------------------------------------------------------------------

TEST(Names, AreTheUsersWhereThereAreSome) {
  Recurrence program;
  EXPECT_EQ(debug::label(program.node_of(program.w)), "W");
  const Node& sum = program.node_of(program.loss);
  EXPECT_EQ(debug::label(sum), "%" + std::to_string(sum.number));
  const Node& tanh = *sum.inputs[0];
  EXPECT_EQ(debug::label(tanh), "h");
  EXPECT_TRUE(
      fixtures::mentions(debug::describe(tanh), {"h tanh at tests/autograd/debug/recording_test.cpp:", " in step 2"}));
}

TEST(Names, WithControlCharactersAreHarmless) {
  const Tensor x = tensor({1, 2}).set_name("a\x1b[31m\nb").requires_grad_();
  EXPECT_EQ(debug::label(*gradient_node(x)), "a\\x1b[31m\\x0ab");
}

// ---- the switch -----------------------------------------------------------------------------------------------------

TEST(Start, RefusesWhatIsNoInstrument) {
  try {
    debug::start("stpe");
    FAIL() << "it was accepted";
  } catch (const std::invalid_argument& problem) {
    EXPECT_TRUE(fixtures::mentions(problem.what(), {"'stpe' is no instrument", "use one of"}));
  }
}

}  // namespace recording_test
