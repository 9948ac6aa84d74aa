// What the instruments stand on: the recording has the values of the program and every contribution of backward(), bit
// for bit, and lets go of graphs that are dead.

#include "autograd/debug/recording.h"

#include <autograd/autograd.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

#include "autograd/debug/start.h"
#include "autograd/tape/node.h"
#include "autograd/tape/record.h"
#include "autograd/text/words.h"
#include "tests/support/expect.h"
#include "tests/support/golden.h"
#include "tests/support/pattern.h"

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
  const auto sum = program.recording.call(program.node_of(program.loss));
  ASSERT_TRUE(sum);
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

// Of a leaf, and of an op's output.
TEST(Recording, GivesEachUseTheValueOfItsTime) {
  for (const bool of_leaf : {true, false}) {
    Recording recording;
    const ObserverGuard attached(recording);
    const Tensor x = tensor({1, 2}).requires_grad_();
    const Tensor y = of_leaf ? x : x * 1.0;
    const Tensor before = y + 1.0;
    {
      const NoGradGuard no_grad;
      y.fill_(7.0);
    }
    const Tensor after = y + 1.0;
    EXPECT_TRUE(holds(recording.call(*before.grad_fn())->inputs[0], {1, 2}));
    EXPECT_TRUE(holds(recording.call(*after.grad_fn())->inputs[0], {7, 7}));
  }
}

TEST(Recording, CountsContributionsAsTheyArrive) {
  Recurrence program;
  program.loss.backward();
  const PassRecord& pass = *program.recording.last();
  const Node& w = program.node_of(program.w);
  EXPECT_TRUE(pass.completed);
  EXPECT_EQ(pass.expected(w), 3u);
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
  EXPECT_EQ(tanh.gradients[0], given.value);
  EXPECT_EQ(pass.steps[2].dy, given.value);
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
  EXPECT_TRUE(holds(contributions[0]->value.tensor(), {2}));
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

// ---- what is too large to be kept -----------------------------------------------------------------------------------

// A weight of 4 KiB that is used at each of eight steps.
struct WideRecurrence {
  Recording recording{Recording::Keeps::what_is_small};
  ObserverGuard attached{recording};
  Tensor w = (randn({32, 32}) * 0.2).requires_grad_();
  Tensor loss;

  WideRecurrence() {
    Tensor h = ones({2, 32});
    for (int t = 0; t < 8; ++t) h = tanh(matmul(h, w) + w.select(0, t));
    loss = h.sum();
  }
  // Are the gradients of all positions the sums that the engine made, and one of them not kept?
  void expect_exact() const {
    const PassRecord& pass = *recording.last();
    const Node& node = *gradient_node(w);
    const std::size_t own = *pass.step_of(node);
    EXPECT_TRUE(pass.contribution_to(node, 0).value.is_fingerprint());
    EXPECT_EQ(pass.gradient(node, own).to_vector(), w.grad().to_vector());
    EXPECT_EQ(pass.arrived(node, own), 16u);
  }
};

// Also after the graph was released, and after a value was overwritten.
TEST(NotKept, IsComputedAgainToTheBit) {
  for (const bool released : {false, true}) {
    WideRecurrence program;
    program.loss.backward({.release_graph = released});
    program.expect_exact();
    const NoGradGuard no_grad;
    program.w.mul_(0.5);
    program.expect_exact();
  }
}

// Ten ops in a row on a hundred numbers, of which the program keeps all.
struct WideChain {
  Recording recording;
  ObserverGuard attached{recording};
  Tensor x = (ones({100}) * 0.3).requires_grad_();
  std::vector<Tensor> values;

  explicit WideChain(Recording::Keeps keeps) : recording(keeps) {
    Tensor y = x;
    for (int i = 0; i < 5; ++i) {
      values.push_back(y * 1.5);
      values.push_back(sin(values.back()));
      y = values.back();
    }
    y.sum().backward();
  }
  std::vector<std::vector<double>> gradients() const {
    std::vector<std::vector<double>> all;
    const PassRecord& pass = *recording.last();
    for (const debug::Step& step : pass.steps) all.push_back(pass.dy_of(step).to_vector());
    return all;
  }
};

TEST(NotKept, ValuesInARowAreComputedAgainToTheBit) {
  const WideChain program(Recording::Keeps::what_is_small);
  int kept = 0;
  for (const Tensor& value : program.values) {
    const debug::KeptCall& call = *program.recording.kept(*value.grad_fn());
    EXPECT_LE(call.runs, 3);
    kept += call.output.is_fingerprint() ? 0 : 1;
    EXPECT_EQ(program.recording.output_of(call).to_vector(), value.to_vector());
  }
  EXPECT_LE(kept, 3);
}

TEST(NotKept, GradientsInARowAreComputedAgainToTheBit) {
  const WideChain program(Recording::Keeps::what_is_small);
  int kept = 0;
  for (const debug::Step& step : program.recording.last()->steps) {
    EXPECT_LE(step.runs, 3);
    kept += step.dy.is_fingerprint() ? 0 : 1;
  }
  EXPECT_LE(kept, 5);
  EXPECT_EQ(program.gradients(), WideChain(Recording::Keeps::everything).gradients());
}

// y = 2 x, whose forward() says 3 x.
struct Disagreeing final : Node {
  static constexpr OpText text{"disagreeing", "y = 2 * x", "dx = 2 * dy"};
  Tensor forward(const Inputs& x) const override { return x[0] * 3.0; }
  Grads backward(const Tensor& dy) override { return {dy * 2.0}; }
};

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return std::string(error.what()) + "\n";
  }
  return "";
}

std::string message_of_disagreeing() {
  Recording recording{Recording::Keeps::what_is_small};
  const ObserverGuard attached(recording);
  const Tensor x = ones({100}).requires_grad_();
  Tensor y = x.detach() * 2.0;
  record<Disagreeing>(y, {&x}, Where::current());
  const Tensor next = y + 1.0;  // until then, what was recorded last is kept
  return message_of([&] { recording.output_of(*recording.kept(*y.grad_fn())); });
}

// y = 2 x, with another derivative each time.
struct Restless final : Node {
  static constexpr OpText text{"restless", "y = 2 * x", "dx = 2 * dy"};
  double factor = 2.0;
  Tensor forward(const Inputs& x) const override { return x[0] * 2.0; }
  Grads backward(const Tensor& dy) override { return {dy * factor++}; }
};

Tensor restless(const Tensor& x, Where where = Where::current()) {
  const NoGradGuard no_graph;
  Tensor y = x * 2.0;
  const GradModeGuard graph(true);
  record<Restless>(y, {&x}, where);
  return y;
}

std::string message_of_restless() {
  Recording recording{Recording::Keeps::what_is_small};
  const ObserverGuard attached(recording);
  const Tensor x = ones({100}).requires_grad_();
  (restless(x) + x).sum().backward();
  const PassRecord& pass = *recording.last();
  const Node& node = *gradient_node(x);
  EXPECT_TRUE(holds(pass.value_of(pass.contribution_to(node, 0)), std::vector<double>(100, 1.0)));
  return message_of([&] { pass.value_of(pass.contribution_to(node, 1)); });
}

TEST(NotKept, ValuesAreNotMadeUp) {
  EXPECT_NE(message_of_disagreeing(), "");
  EXPECT_NE(message_of_restless(), "");
}

// An observer may replace what a backward gives; running that again would give something else.
TEST(NotKept, IsNothingThatAnotherObserverMayReplace) {
  struct Doubling : Observer {
    Grads run(Node& node, const Tensor& dy) override {
      Grads gradients = Observer::run(node, dy);
      for (Tensor& gradient : gradients) gradient = gradient * 2.0;
      return gradients;
    }
  };
  Doubling doubling;
  const ObserverGuard first(doubling);
  Recording recording{Recording::Keeps::what_is_small};
  const ObserverGuard attached(recording);
  const Tensor x = ones({100}).requires_grad_();
  (x * x).sum().backward();
  const PassRecord& pass = *recording.last();
  EXPECT_TRUE(holds(pass.value_of(pass.contribution_to(*gradient_node(x), 0)), std::vector<double>(100, 4.0)));
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

// ---- the switch -----------------------------------------------------------------------------------------------------

TEST(Start, RefusesWhatIsNoInstrument) {
  EXPECT_THROW(debug::start("stpe"), std::invalid_argument);
}

TEST(Words, AreAsTheyWere) {
  std::string text = message_of_disagreeing() + message_of_restless();
  const std::string no_instrument = message_of([] { debug::start("stpe"); });
  const Recurrence program;  // which watches from here on
  text += debug::describe(*program.node_of(program.loss).inputs[0]) + "\n";
  text += no_instrument.substr(0, no_instrument.find('\n') + 1);
  EXPECT_TRUE(fixtures::says("autograd_debug", lines_in(fixtures::replace(text, "%[0-9]+", "%N"))));
}

// Two leaves of a module and one of none; what is done between two passes is the update of the second.
TEST(Recording, KnowsHowLargeGradientsWeightsAndUpdatesWereInEachPass) {
  Recording recording;
  const ObserverGuard attached(recording);
  const Tensor w = tensor({3, 4}).set_name("net.w").requires_grad_();
  const Tensor b = tensor({0}).set_name("net.b").requires_grad_();
  const Tensor x = tensor({2}).set_name("x").requires_grad_();
  const auto pass = [&](bool with_x) {
    const Tensor y = (w * 2.0).sum() + b.sum();
    (with_x ? y + x.sum() : y).backward();
  };
  pass(true);
  {
    const NoGradGuard no_grad;
    w.sub_(tensor({0, 4}));
  }
  pass(false);
  const debug::History& history = recording.history();
  EXPECT_EQ(history.count, 2u);
  EXPECT_EQ(history.passes, (std::vector<std::uint64_t>{1, 2}));
  ASSERT_EQ(history.modules.size(), 2u);
  const auto& [net, of_net] = history.modules[0];
  const auto& [other, of_x] = history.modules[1];
  EXPECT_EQ(net + " " + other, "net x");
  EXPECT_DOUBLE_EQ(of_net[0].gradient, 3);  // 2, 2 and 1
  EXPECT_DOUBLE_EQ(of_net[0].weight, 5);
  EXPECT_TRUE(std::isnan(of_net[0].update));
  EXPECT_DOUBLE_EQ(of_net[1].gradient, 3);  // of this pass, though .grad() is the sum of both
  EXPECT_DOUBLE_EQ(of_net[1].weight, 3);
  EXPECT_DOUBLE_EQ(of_net[1].update, 4);
  EXPECT_DOUBLE_EQ(of_x[0].gradient, 1);
  EXPECT_TRUE(std::isnan(of_x[1].gradient));
}

// Its gradients are taken back.
TEST(Recording, LeavesAPassThatAnErrorEndedOutOfTheHistory) {
  Recording recording;
  const ObserverGuard attached(recording);
  const Tensor w = tensor(1.0).set_name("w").requires_grad_();
  const int hook = w.register_hook([](const Tensor&) -> Tensor { throw std::runtime_error("stop"); });
  const Tensor y = w * 1.0 + tensor(2.0).set_name("x").requires_grad_();
  EXPECT_THROW(y.backward(), std::runtime_error);
  EXPECT_TRUE(recording.history().passes.empty());
  w.remove_hook(hook);
  y.backward();
  EXPECT_EQ(recording.history().passes, (std::vector<std::uint64_t>{2}));
  EXPECT_DOUBLE_EQ(recording.history().modules.at(0).sizes.at(0).gradient, 1);
}

TEST(Recording, KeepsEverySecondPassOfALongRun) {
  Recording recording;
  const ObserverGuard attached(recording);
  const Tensor w = tensor(1.0).set_name("w").requires_grad_();
  for (int i = 0; i < 600; ++i) (w * 1.0).backward();
  const debug::History& history = recording.history();
  EXPECT_EQ(history.count, 600u);
  EXPECT_EQ(history.passes.size(), 300u);
  EXPECT_EQ(history.passes[299], 599u);
  EXPECT_EQ(history.modules.at(0).sizes.size(), 300u);
  EXPECT_EQ(history.modules.at(0).sizes[299].update, 0.0);
}

}  // namespace recording_test
