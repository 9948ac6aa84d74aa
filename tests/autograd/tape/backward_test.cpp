// Differentiation: backward(), grad(), second derivatives, hooks, retained gradients, and what is left behind when a
// pass ends early.

#include "autograd/tape/backward.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <thread>

#include "autograd/tape/node.h"
#include "autograd/tape/observer.h"
#include "autograd/tape/pass.h"
#include "tests/support/expect.h"
#include "tests/support/golden.h"

namespace backward_test {

using namespace autograd;
using fixtures::has_shape;
using fixtures::holds;
using fixtures::message_of;

Tensor leaf(std::initializer_list<double> values) {
  return tensor(values, float64).requires_grad_();
}
Tensor leaf(double value) {
  return tensor(value, float64).requires_grad_();
}

// ---- gradients of leaves ----------------------------------------------------------------------------------

TEST(Backward, AddsUpWhatEachUseContributes) {
  const Tensor x = leaf({1, 2, 3});
  (x * x + 3.0 * x).sum().backward();
  EXPECT_TRUE(holds(x.grad(), {5, 7, 9}));
  EXPECT_EQ(x.grad().dtype(), float64);
}

TEST(Backward, AccumulatesOverCallsUntilZeroGrad) {
  const Tensor x = leaf({1, 2});
  const Tensor y = (x * x).sum();
  y.backward();
  y.backward();
  EXPECT_TRUE(holds(x.grad(), {4, 8}));
  (3.0 * x).sum().backward();
  EXPECT_TRUE(holds(x.grad(), {7, 11}));
  x.zero_grad();
  EXPECT_FALSE(x.grad().defined());
  y.backward();
  EXPECT_TRUE(holds(x.grad(), {2, 4}));
}

TEST(Backward, OfALeafIsOne) {
  const Tensor x = leaf(3.0);
  x.backward();
  EXPECT_TRUE(holds(x.grad(), {1}));
}

TEST(Backward, SumsOverBroadcastDims) {
  const Tensor number = leaf(2.0);
  const Tensor row = leaf({1, 2, 3});
  const Tensor column = tensor({{1.0}, {2.0}}, float64).requires_grad_();
  (number * row * column).sum().backward();
  EXPECT_TRUE(holds(number.grad(), {18}));
  EXPECT_TRUE(holds(row.grad(), {6, 6, 6}));
  EXPECT_TRUE(holds(column.grad(), {12, 12}));
  EXPECT_TRUE(has_shape(number.grad(), {}));
  EXPECT_TRUE(has_shape(column.grad(), {2, 1}));
}

TEST(Backward, OfEightDims) {
  const Tensor x = ones({1, 2, 1, 2, 1, 2, 1, 2}, float64).requires_grad_();
  const Tensor y = ones({2, 1, 2, 1, 2, 1, 2, 1}, float64).requires_grad_();
  (x * y).sum().backward();
  EXPECT_TRUE(holds(x.grad(), std::vector<double>(16, 16.0)));
  EXPECT_TRUE(has_shape(y.grad(), {2, 1, 2, 1, 2, 1, 2, 1}));
}

TEST(Backward, ReachesOnlyWhatRequiresGradients) {
  const Tensor x = leaf({1, 2});
  const Tensor constant = tensor({3, 4}, float64);
  (x * constant).sum().backward();
  EXPECT_TRUE(holds(x.grad(), {3, 4}));
  EXPECT_FALSE(constant.grad().defined());
}

// Doubling 60 times: 2^60 paths, each visited once.
TEST(Backward, FollowsEveryPathWithoutWalkingEach) {
  const Tensor x = leaf(1.0);
  Tensor y = x;
  for (int i = 0; i < 60; ++i) y = y + y;
  y.backward();
  EXPECT_EQ(x.grad().item(), 0x1p60);
}

TEST(Backward, AddsAThousandContributionsToOneNode) {
  const Tensor x = leaf({1, 2});
  const Tensor y = 2.0 * x;
  Tensor total = tensor({0, 0}, float64);
  for (int i = 1; i <= 1000; ++i) total = total + y * static_cast<double>(i);
  total.sum().backward();
  EXPECT_TRUE(holds(x.grad(), {1001000, 1001000}));
}

// A node in the middle of the graph must wait for its last user, however far behind that one runs.
TEST(Backward, RunsNodesInTheReverseOfTheProgram) {
  const Tensor x = leaf(3.0);
  const Tensor early = x * x;
  const Tensor detour = early.exp().log() * 2.0;
  const Tensor late = early + detour;
  late.backward();
  EXPECT_NEAR(x.grad().item(), 18.0, 1e-12);
}

// Whatever order their gradients arrive in, the op that ran last comes first, and leaves come last.
TEST(Backward, LeavesComeAfterAllOps) {
  struct Order : Observer {
    std::vector<std::string> names;
    Grads run(Node& node, const Tensor& dy) override {
      names.emplace_back(node.name());
      return Observer::run(node, dy);
    }
  } order;
  const Tensor x = leaf(3.0);
  const Tensor product = x * 2.0;
  const Tensor late = leaf(4.0);
  const Tensor sum = product.exp() + late;
  const ObserverGuard guard(order);
  sum.backward();
  EXPECT_EQ(order.names, (std::vector<std::string>{"add", "exp", "mul", "leaf", "leaf"}));
}

TEST(Backward, GradientsOfLeavesAreOnTheirOwn) {
  const Tensor a = leaf({1, 2});
  const Tensor b = leaf({3, 4});
  const Tensor y = a + b;
  const Tensor dy = tensor({5, 6}, float64);
  y.backward(dy);
  a.grad().mul_(2.0);
  EXPECT_TRUE(holds(b.grad(), {5, 6}));
  EXPECT_TRUE(holds(dy, {5, 6}));
  a.backward(dy);
  EXPECT_TRUE(holds(a.grad(), {15, 18}));
  EXPECT_TRUE(holds(dy, {5, 6}));
}

// The gradient of sum() is one number, seen as many.
TEST(Backward, GradientsOfLeavesAreContiguous) {
  const Tensor x = leaf({1, 2, 3});
  x.sum().backward();
  EXPECT_TRUE(x.grad().is_contiguous());
  x.grad().set_({0}, 7.0);
  EXPECT_TRUE(holds(x.grad(), {7, 1, 1}));
}

TEST(Backward, NeverRecords) {
  const Tensor x = leaf({1, 2});
  const Tensor weighted = x * x;
  weighted.retain_grad();
  const Tensor direction = leaf({1, 1});
  backward({weighted, weighted}, {direction, direction});
  EXPECT_FALSE(x.grad().requires_grad());
  EXPECT_FALSE(weighted.grad().requires_grad());
  EXPECT_TRUE(grad_enabled());
}

TEST(Backward, IsNotAskedForByATensorThatNoLongerRequiresGradients) {
  const Tensor x = leaf({1, 2});
  const Tensor w = leaf({3, 4});
  const Tensor y = (x * w).sum();
  w.requires_grad_(false);
  y.backward();
  EXPECT_TRUE(holds(x.grad(), {3, 4}));
  EXPECT_FALSE(w.grad().defined());
}

TEST(Backward, AddsToAGradientOfAnyLayout) {
  const Tensor x = zeros({2, 3}, float64).requires_grad_();
  const Tensor weights = tensor({{1, 2, 3}, {4, 5, 6}}, float64);
  x.set_grad(tensor({{10, 40}, {20, 50}, {30, 60}}, float64).t());
  (x * weights).sum().backward();
  EXPECT_TRUE(holds(x.grad(), {11, 22, 33, 44, 55, 66}));

  x.set_grad(tensor({100}, float64).expand({2, 3}));
  (x * weights).sum().backward();
  EXPECT_TRUE(holds(x.grad(), {101, 102, 103, 104, 105, 106}));
}

// Two leaves: the pass fails at one of them when the other, before or after it, has its gradient already.
TEST(Backward, ThatThrowsChangesNoGradientAndTheNextIsRight) {
  for (const bool fails_at_first : {true, false}) {
    const Tensor a = leaf({1, 2});
    const Tensor b = leaf({3, 4});
    const Tensor product = a * b;
    product.retain_grad();
    const Tensor y = product.sum();
    y.backward();
    bool throws = true;
    (fails_at_first ? a : b).register_hook([&](const Tensor&) {
      if (throws) throw std::runtime_error("stop");
      return Tensor();
    });
    EXPECT_THROW(y.backward(), std::runtime_error);
    EXPECT_TRUE(holds(a.grad(), {3, 4}));
    EXPECT_TRUE(holds(b.grad(), {1, 2}));
    EXPECT_TRUE(holds(product.grad(), {1, 1}));
    throws = false;
    y.backward();
    EXPECT_TRUE(holds(a.grad(), {6, 8}));
    EXPECT_TRUE(holds(b.grad(), {2, 4}));
    EXPECT_TRUE(holds(product.grad(), {2, 2}));
  }
}

TEST(Backward, ALeafWithAGradientCanBeFrozen) {
  const Tensor x = leaf({1, 2});
  x.sum().backward();
  x.requires_grad_(false);
  EXPECT_FALSE(x.requires_grad());
  EXPECT_TRUE(holds(x.grad(), {1, 1}));
}

// x was a leaf, and is now the result of an op: its gradient arrives from both, and then an observer throws.
TEST(Backward, ThatThrowsPutsBackAGradientThatTwoNodesFilled) {
  const Tensor x = leaf({1, 2});
  const Tensor w = leaf({3, 4});
  const Tensor first = x * 2.0;
  const Ref<Node> as_leaf = gradient_node(x);
  x.requires_grad_(false);
  x.add_(w);
  x.retain_grad();
  const Tensor second = x * 3.0;
  x.set_grad(tensor({10, 20}, float64));
  bool throws = true;
  struct Stops : Observer {
    const Node* at;
    const bool& throws;
    Stops(const Node* node, const bool& wanted) : at(node), throws(wanted) {}
    Grads run(Node& node, const Tensor& dy) override {
      Grads gradients = Observer::run(node, dy);
      if (&node == at && throws) throw std::runtime_error("stop");
      return gradients;
    }
  } stops(as_leaf.get(), throws);
  const ObserverGuard guard(stops);
  EXPECT_THROW(backward({first.sum(), second.sum()}), std::runtime_error);
  EXPECT_TRUE(holds(x.grad(), {10, 20}));
  throws = false;
  backward({first.sum(), second.sum()});
  EXPECT_TRUE(holds(x.grad(), {15, 25}));
}

TEST(SetGrad, KeepsACopy) {
  const Tensor x = leaf({1, 2});
  const Tensor given = leaf({5, 6});
  x.set_grad(given);
  EXPECT_FALSE(x.grad().requires_grad());
  x.grad().mul_(2.0);
  EXPECT_TRUE(holds(given, {5, 6}));
  EXPECT_TRUE(holds(x.grad(), {10, 12}));
}

TEST(SetGrad, RefusesAnotherShapeOrDType) {
  const Tensor x = leaf({1, 2});
  EXPECT_TRUE(
      fixtures::says("autograd_tape", {message_of(ErrorId::shape_mismatch, [&] { x.set_grad(zeros({3}, float64)); })}));
  message_of(ErrorId::dtype_mismatch, [&] { x.set_grad(zeros({2}, float32)); });
  x.set_grad(tensor({1, 1}, float64));
  x.set_grad(Tensor());
  EXPECT_FALSE(x.grad().defined());
}

// ---- where backward starts --------------------------------------------------------------------------------

TEST(BackwardFrom, MoreThanOneElementNeedsAGradient) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * x;
  const Where here = Where::current();
  const Error error = fixtures::error_of(ErrorId::not_a_scalar, [&] { y.backward(); });
  EXPECT_EQ(error.where().line, here.line + 1);
  EXPECT_TRUE(fixtures::says("autograd_tape", {error.what()}));
  message_of(ErrorId::shape_mismatch, [&] { y.backward(zeros({3}, float64)); });
  message_of(ErrorId::shape_mismatch, [&] { y.backward(tensor(1.0, float64)); });
  message_of(ErrorId::dtype_mismatch, [&] { y.backward(zeros({2}, float32)); });
  y.backward(tensor({1, 10}, float64));
  EXPECT_TRUE(holds(x.grad(), {2, 40}));
}

TEST(BackwardFrom, OneElementOfAnyShapeNeedsNone) {
  const Tensor x = leaf({3});
  (x * x).reshape({1, 1, 1}).backward();
  EXPECT_TRUE(holds(x.grad(), {6}));
}

TEST(BackwardFrom, ATensorOutsideAnyGraphIsAnError) {
  message_of(ErrorId::no_graph, [] { tensor(1.0).backward(); });
  const Tensor x = leaf(1.0);
  message_of(ErrorId::no_graph, [&] { (x * 2.0).detach().backward(); });
  Tensor unrecorded;
  {
    const NoGradGuard no_grad;
    unrecorded = x * 2.0;
  }
  EXPECT_TRUE(fixtures::says("autograd_tape", {message_of(ErrorId::no_graph, [&] { unrecorded.backward(); })}));
  message_of(ErrorId::no_graph, [&] { backward({x * 2.0, tensor(1.0)}); });
}

TEST(BackwardFrom, SeveralRootsIsTheSum) {
  const Tensor x = leaf({1, 2});
  const Tensor square = x * x;
  const Tensor total = square.sum();
  backward({square, total}, {tensor({1, 10}, float64), Tensor()});
  EXPECT_TRUE(holds(x.grad(), {4, 44}));
}

TEST(BackwardFrom, TheSameRootTwiceCountsTwice) {
  const Tensor x = leaf(3.0);
  const Tensor y = x * x;
  backward({y, y});
  EXPECT_TRUE(holds(x.grad(), {12}));
}

TEST(BackwardFrom, RootsInsideOneAnother) {
  const Tensor x = leaf(3.0);
  const Tensor inner = x * x;
  const Tensor outer = inner * inner;
  backward({inner, outer, x});
  EXPECT_TRUE(holds(x.grad(), {6 + 108 + 1}));
}

TEST(BackwardFrom, NoRootsDoesNothing) {
  EXPECT_NO_THROW(backward(std::vector<Tensor>{}));
}

TEST(BackwardFrom, RootsAndGradientsMustBeEquallyMany) {
  const Tensor x = leaf(3.0);
  const Tensor one = tensor(1.0, float64);
  message_of(ErrorId::bad_argument, [&] { backward({x * x}, {one, one}); });
  message_of(ErrorId::bad_argument, [&] { backward({x * x, x}, {one}); });
}

// ---- grad() -----------------------------------------------------------------------------------------------

TEST(GradFunction, GivesLeavesAndIntermediatesAtOnce) {
  const Tensor x = leaf({1, 2});
  const Tensor w = leaf({3, 4});
  const Tensor hidden = x * w;
  const std::vector<Tensor> g = grad((hidden * hidden).sum(), {hidden, x, w});
  EXPECT_TRUE(holds(g[0], {6, 16}));
  EXPECT_TRUE(holds(g[1], {18, 64}));
  EXPECT_TRUE(holds(g[2], {6, 32}));
}

TEST(GradFunction, TouchesNoGrad) {
  const Tensor x = leaf({1, 2});
  const Tensor other = leaf({3, 4});
  const Tensor hidden = x * other;
  hidden.retain_grad();
  grad((hidden * hidden).sum(), {x});
  EXPECT_FALSE(x.grad().defined());
  EXPECT_FALSE(other.grad().defined());
  EXPECT_FALSE(hidden.grad().defined());
}

TEST(GradFunction, OfTheOutputItselfIsWhatWasPutIn) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * x;
  const std::vector<Tensor> g = grad(y, {y, x}, {.grad_output = tensor({1, 10}, float64)});
  EXPECT_TRUE(holds(g[0], {1, 10}));
  EXPECT_TRUE(holds(g[1], {2, 40}));
  EXPECT_TRUE(holds(grad(x.sum(), {x})[0], {1, 1}));
  const Tensor number = leaf(5.0);
  EXPECT_TRUE(holds(grad(number, {number})[0], {1}));
}

TEST(GradFunction, AnswersTheSameInputTwice) {
  const Tensor x = leaf(3.0);
  const std::vector<Tensor> g = grad(x * x, {x, x});
  EXPECT_TRUE(holds(g[0], {6}));
  EXPECT_TRUE(holds(g[1], {6}));
}

TEST(GradFunction, AnInputThatIsNotUsedIsAnErrorUnlessAllowed) {
  const Tensor x = leaf(3.0);
  const Tensor unused = leaf({1, 2});
  const Tensor also_unused = leaf({3, 4}) * 2.0;
  const std::string message = message_of(ErrorId::no_graph, [&] { grad(x * x, {x, unused}); });
  EXPECT_TRUE(fixtures::says("autograd_tape", {message}));
  const std::vector<Tensor> g = grad(x * x, {unused, x, also_unused, unused}, {.allow_unused = true});
  EXPECT_FALSE(g[0].defined());
  EXPECT_TRUE(holds(g[1], {6}));
  EXPECT_FALSE(g[2].defined());
  EXPECT_FALSE(g[3].defined());
}

TEST(GradFunction, AnInputWithoutGradientIsAnError) {
  const Tensor x = leaf(3.0);
  message_of(ErrorId::no_graph, [&] { grad(x * x, {tensor(1.0)}, {.allow_unused = true}); });
  message_of(ErrorId::no_graph, [&] { grad(tensor(1.0), {x}); });
  message_of(ErrorId::not_a_scalar, [&] { grad(x * tensor({1, 2}, float64), {x}); });
}

TEST(GradFunction, OfNoInputsIsNoGradients) {
  EXPECT_TRUE(grad(leaf(1.0) * 2.0, {}).empty());
}

// Counts the backward functions that run.
struct Counter : Observer {
  Grads run(Node& node, const Tensor& dy) override {
    ++runs;
    return node.backward(dy);
  }
  int runs = 0;
};

TEST(GradFunction, RunsOnlyWhatLeadsToTheInputs) {
  const Tensor x = leaf(1.0);
  const Tensor near_the_end = x.exp().exp().exp();
  const Tensor y = near_the_end * near_the_end;
  Counter counter;
  const ObserverGuard watching(counter);
  grad(y, {near_the_end});
  EXPECT_EQ(counter.runs, 1);
}

// ---- second derivatives -----------------------------------------------------------------------------------

TEST(CreateGraph, GivesHigherDerivatives) {
  const Tensor x = leaf(2.0);
  const Tensor y = x.pow(4);
  const Tensor first = grad(y, {x}, {.create_graph = true})[0];
  const Tensor second = grad(first, {x}, {.create_graph = true})[0];
  const Tensor third = grad(second, {x})[0];
  EXPECT_TRUE(holds(first, {32}));
  EXPECT_TRUE(holds(second, {48}));
  EXPECT_TRUE(holds(third, {48}));
  EXPECT_FALSE(third.requires_grad());
}

// w is beside the path from y to x while dx is computed, and on the path from dx afterwards.
TEST(CreateGraph, GivesMixedDerivatives) {
  const Tensor x = leaf({1, 2});
  const Tensor w = leaf({3, 4});
  const Tensor dx = grad((x * x * w).sum(), {x}, {.create_graph = true})[0];
  EXPECT_TRUE(holds(grad(dx.sum(), {w})[0], {2, 4}));

  const Tensor a = tensor({{1, 2}, {3, 4}}, float64).requires_grad_();
  const Tensor b = tensor({{5, 6}, {7, 8}}, float64).requires_grad_();
  const Tensor da = grad(a.matmul(b).pow(2).sum(), {a}, {.create_graph = true})[0];
  const Tensor db_of_da = grad(da.sum(), {b})[0];
  // d/db_kl of sum_mp 2 * (ab)_mn b_pn, by the product rule
  EXPECT_TRUE(holds(db_of_da, {2 * (4 * 12 + 19 + 43), 2 * (4 * 14 + 22 + 50),  //
                               2 * (6 * 12 + 19 + 43), 2 * (6 * 14 + 22 + 50)}));
}

TEST(CreateGraph, CanBeFollowedByBackward) {
  const Tensor x = leaf(3.0);
  const Tensor w = leaf(2.0);
  const Tensor slope = grad(w * x * x, {x}, {.create_graph = true})[0];
  (slope * slope).backward();  // (2 w x)^2
  EXPECT_TRUE(holds(x.grad(), {8 * 4 * 3}));
  EXPECT_TRUE(holds(w.grad(), {8 * 9 * 2}));
}

TEST(CreateGraph, FlowsThroughTheGradientThatWasPutIn) {
  const Tensor x = leaf({1, 2});
  const Tensor v = leaf({3, 4});
  const Tensor product = grad(x * x, {x}, {.grad_output = v, .create_graph = true})[0];
  EXPECT_TRUE(holds(grad(product.sum(), {v})[0], {2, 4}));
}

TEST(CreateGraph, RecordsEvenUnderNoGradGuard) {
  const Tensor x = leaf(2.0);
  const Tensor y = x * x * x;
  const NoGradGuard no_grad;
  const Tensor first = grad(y, {x}, {.create_graph = true})[0];
  EXPECT_TRUE(holds(grad(first, {x})[0], {12}));
  EXPECT_FALSE(grad_enabled());
}

// softmax(x, 0)[0] is sigmoid(x), and logsumexp(x, 0) its integral.
Tensor beside_zero(const Tensor& x) {
  return stack({x, 0.0 * x});
}
double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
double slope_of_sigmoid(double x) {
  return sigmoid(x) * (1 - sigmoid(x));
}
double curvature_of_sigmoid(double x) {
  return slope_of_sigmoid(x) * (1 - 2 * sigmoid(x));
}

struct OneFunction {
  std::string name;
  Tensor (*f)(const Tensor& x);
  double (*second_derivative)(double x);
};

void PrintTo(const OneFunction& one, std::ostream* out) {
  *out << one.name;
}

const Tensor both_places = mask({true, true});

// These ops keep their output, which the second derivative must see as part of the graph.
const std::vector<OneFunction> functions_with_saved_output = {
    {"exp", [](const Tensor& x) { return x.exp(); }, [](double x) { return std::exp(x); }},
    {"sqrt", [](const Tensor& x) { return x.sqrt(); }, [](double x) { return -0.25 * std::pow(x, -1.5); }},
    {"tanh", [](const Tensor& x) { return x.tanh(); },
     [](double x) { return -2 * std::tanh(x) * (1 - std::tanh(x) * std::tanh(x)); }},
    {"sigmoid", [](const Tensor& x) { return x.sigmoid(); }, curvature_of_sigmoid},
    {"div", [](const Tensor& x) { return 1.0 / x; }, [](double x) { return 2 / (x * x * x); }},
    {"pow", [](const Tensor& x) { return pow(2.0, x); },
     [](double x) { return std::pow(std::log(2.0), 2) * std::pow(2.0, x); }},
    {"relu", [](const Tensor& x) { return x.relu() * x; }, [](double) { return 2.0; }},
    {"softmax", [](const Tensor& x) { return beside_zero(x).softmax(0)[0]; }, curvature_of_sigmoid},
    {"log_softmax", [](const Tensor& x) { return beside_zero(x).log_softmax(0)[0]; },
     [](double x) { return -slope_of_sigmoid(x); }},
    {"masked_softmax", [](const Tensor& x) { return masked_softmax(beside_zero(x), both_places)[0]; },
     curvature_of_sigmoid},
    {"logsumexp", [](const Tensor& x) { return beside_zero(x).logsumexp(0); }, slope_of_sigmoid},
    {"amax", [](const Tensor& x) { return beside_zero(x).amax().pow(2); }, [](double) { return 2.0; }},
};

class SecondDerivative : public testing::TestWithParam<OneFunction> {};

TEST_P(SecondDerivative, FlowsThroughASavedOutput) {
  const double at = 0.7;
  const Tensor x = leaf(at);
  const Tensor first = grad(GetParam().f(x), {x}, {.create_graph = true})[0];
  EXPECT_NEAR(grad(first, {x})[0].item(), GetParam().second_derivative(at), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Ops, SecondDerivative, testing::ValuesIn(functions_with_saved_output));

// ---- recording on and off ---------------------------------------------------------------------------------

TEST(Recording, IsOffWhileAnyGuardLives) {
  const Tensor x = leaf(1.0);
  {
    const NoGradGuard outer;
    {
      const NoGradGuard inner;
      EXPECT_FALSE((x * 2.0).requires_grad());
    }
    EXPECT_FALSE((x * 2.0).requires_grad());
    {
      const GradModeGuard on_again(true);
      EXPECT_TRUE((x * 2.0).requires_grad());
    }
    EXPECT_FALSE((x * 2.0).requires_grad());
  }
  EXPECT_TRUE((x * 2.0).requires_grad());
}

TEST(Recording, IsOnAgainAfterAnException) {
  EXPECT_THROW(
      {
        const NoGradGuard no_grad;
        zeros({2}) + zeros({3});
      },
      Error);
  EXPECT_TRUE(grad_enabled());
  const Tensor x = leaf({1, 2});
  EXPECT_THROW((x * x).backward(), Error);
  EXPECT_TRUE(grad_enabled());
  EXPECT_THROW(grad(x * x, {x}, {.create_graph = true}), Error);
  EXPECT_TRUE(grad_enabled());
}

TEST(Leaves, AreTensorsThatNoRecordedOpMade) {
  const Tensor x = leaf(1.0);
  const Tensor y = x * 2.0;
  EXPECT_TRUE(x.is_leaf());
  EXPECT_EQ(x.grad_fn(), nullptr);
  EXPECT_FALSE(y.is_leaf());
  EXPECT_STREQ(y.grad_fn()->name(), "mul");
  EXPECT_TRUE(y.detach().is_leaf());
  EXPECT_TRUE((tensor(1.0) * 2.0).is_leaf());
  EXPECT_TRUE(fixtures::says("autograd_tape", {message_of(ErrorId::no_gradient, [&] { y.requires_grad_(false); })}));
  EXPECT_NO_THROW(y.requires_grad_());
}

// ---- hooks ------------------------------------------------------------------------------------------------

TEST(Hooks, SeeTheCompleteGradient) {
  const Tensor x = leaf(3.0);
  const Tensor y = x * 1.0;
  std::vector<double> seen;
  const auto look = [&](const Tensor& gradient) {
    seen.push_back(gradient.item());
    return Tensor();
  };
  y.register_hook(look);
  x.register_hook(look);
  (y * y + 4.0 * y).backward();
  EXPECT_EQ(seen, (std::vector<double>{10, 10}));
}

TEST(Hooks, ReplaceTheGradientOneAfterTheOther) {
  const Tensor x = leaf(3.0);
  const Tensor y = x * 5.0;
  y.register_hook([](const Tensor& gradient) { return gradient + 1.0; });
  y.register_hook([](const Tensor& gradient) { return gradient * 10.0; });
  x.register_hook([](const Tensor& gradient) { return -gradient; });
  y.backward();
  EXPECT_TRUE(holds(x.grad(), {-100}));
}

TEST(Hooks, AreRemovedByTheirNumber) {
  const Tensor x = leaf(3.0);
  const Tensor y = x * 2.0;
  const int doubling = y.register_hook([](const Tensor& gradient) { return 2.0 * gradient; });
  const int tripling = y.register_hook([](const Tensor& gradient) { return 3.0 * gradient; });
  EXPECT_NE(doubling, tripling);
  y.remove_hook(doubling);
  y.remove_hook(doubling);  // is gone already
  y.backward();
  EXPECT_TRUE(holds(x.grad(), {6}));
}

TEST(Hooks, MayRemoveThemselves) {
  const Tensor x = leaf(3.0);
  const Tensor y = x * 1.0;
  for (const Tensor& hooked : {x, y}) {
    auto number = std::make_shared<int>();
    *number = hooked.register_hook([=](const Tensor& gradient) {
      hooked.remove_hook(*number);
      return 10.0 * gradient;
    });
  }
  y.backward();
  EXPECT_TRUE(holds(x.grad(), {100}));
  y.backward();
  EXPECT_TRUE(holds(x.grad(), {101}));
}

TEST(Hooks, MayRegisterOthers) {
  const Tensor x = leaf(3.0);
  const Tensor y = x * 1.0;
  int calls = 0;
  y.register_hook([&, has_run = false](const Tensor&) mutable {
    for (int i = 0; i < 100 && !has_run; ++i) y.register_hook([&](const Tensor&) { return ++calls, Tensor(); });
    has_run = true;
    return Tensor();
  });
  y.backward();
  EXPECT_EQ(calls, 0);
  y.backward();
  EXPECT_EQ(calls, 100);
}

TEST(Hooks, MustKeepShapeAndDType) {
  const Tensor x = leaf({1, 2});
  Tensor replacement = zeros({3}, float64);
  x.register_hook([&](const Tensor&) { return replacement; });
  const std::string message = message_of(ErrorId::wrong_gradient, [&] { (x * x).sum().backward(); });
  EXPECT_TRUE(fixtures::says("autograd_tape", {message}));
  replacement = zeros({2}, float32);
  message_of(ErrorId::wrong_gradient, [&] { (x * x).sum().backward(); });
  EXPECT_FALSE(x.grad().defined());
}

TEST(Hooks, NeedATensorThatAGradientCanReach) {
  message_of(ErrorId::no_gradient, [] { tensor(1.0).register_hook({}); });
  message_of(ErrorId::no_gradient, [] { tensor(1.0).retain_grad(); });
}

TEST(Hooks, MayDifferentiateAnotherGraph) {
  const Tensor x = leaf(3.0);
  const Tensor other = leaf(5.0);
  const Tensor y = x * 2.0;
  y.register_hook([&](const Tensor&) {
    const GradModeGuard recording_again(true);
    (other * other).backward();
    return Tensor();
  });
  y.backward();
  EXPECT_TRUE(holds(other.grad(), {10}));
  EXPECT_TRUE(holds(x.grad(), {2}));
}

TEST(Hooks, MustNotDifferentiateTheGraphThatIsRunning) {
  const Tensor x = leaf(3.0);
  const Tensor y = x * 2.0;
  const Tensor z = y * y;
  const int again = y.register_hook([&](const Tensor&) {
    z.backward();
    return Tensor();
  });
  EXPECT_TRUE(fixtures::says("autograd_tape", {message_of(ErrorId::nested_backward, [&] { z.backward(); })}));
  y.remove_hook(again);
  z.backward();
  EXPECT_TRUE(holds(x.grad(), {24}));
}

// grad() skips the path to b, and a pass inside of it, on the same nodes, does not.
TEST(Hooks, MayDifferentiateWhatAGradIsOnItsWayThrough) {
  const Tensor a = leaf(3.0);
  const Tensor b = leaf(5.0);
  const Tensor product = a * b;
  const Tensor y = product * 2.0;
  const Tensor beside = product.sum();
  y.register_hook([&](const Tensor&) {
    beside.backward();
    return Tensor();
  });
  EXPECT_TRUE(holds(grad(y, {a})[0], {10}));
  EXPECT_TRUE(holds(a.grad(), {5}));
  EXPECT_TRUE(holds(b.grad(), {3}));
}

TEST(Hooks, HaveNumbersOfTheirOwnAcrossThreads) {
  const Tensor x = leaf(3.0);
  const auto twice = [](const Tensor& gradient) { return gradient * 2.0; };
  const int here = x.register_hook(twice);
  int there = 0;
  std::thread([&] { there = x.register_hook(twice); }).join();
  EXPECT_NE(here, there);
  x.remove_hook(here);
  (x * 1.0).backward();
  EXPECT_TRUE(holds(x.grad(), {2}));
}

// What a hook keeps is not changed by what comes after it.
TEST(Hooks, MayKeepTheGradient) {
  const Tensor x = leaf({1, 2});
  Tensor kept;
  x.register_hook([&](const Tensor& gradient) {
    kept = gradient;
    return Tensor();
  });
  (x * 2.0).sum().backward();
  (x * 3.0).sum().backward();
  EXPECT_TRUE(holds(kept, {3, 3}));
  EXPECT_TRUE(holds(x.grad(), {5, 5}));
}

// ---- gradients that are written over -------------------------------------------------------------------

// Ops that write their gradient over the one they are given, where nobody else holds that.
struct Overwriting {
  const Tensor x = leaf({0.5, -0.25, 0.75});
  const Tensor w = leaf({2, 3, -1});
  const Tensor product = x * w;
  const Tensor hyperbolic = tanh(product);
  const Tensor y = sigmoid(hyperbolic);

  std::vector<double> dx(const Tensor& dy) const { return (dproduct(dy) * w.detach()).to_vector(); }
  Tensor dhyperbolic(const Tensor& dy) const {
    const Tensor y_ = y.detach();
    return dy * (y_ * (1.0 - y_));
  }
  Tensor dproduct(const Tensor& dy) const {
    const Tensor t = hyperbolic.detach();
    return dhyperbolic(dy) * (1.0 - t * t);
  }
};

TEST(OverwrittenGradients, AreNeverTheCallersOwn) {
  const Overwriting chain;
  const Tensor dy = tensor({1, 10, 100}, float64);
  chain.y.backward(dy);
  EXPECT_TRUE(holds(dy, {1, 10, 100}));
  EXPECT_TRUE(holds(chain.x.grad(), chain.dx(dy)));
}

TEST(OverwrittenGradients, AreNeverThoseThatWereAskedFor) {
  const Overwriting chain;
  const Tensor dy = tensor({1, 10, 100}, float64);
  const std::vector<Tensor> gradients = grad(chain.y, {chain.x, chain.product, chain.hyperbolic}, {.grad_output = dy});
  EXPECT_TRUE(holds(gradients[0], chain.dx(dy)));
  EXPECT_TRUE(holds(gradients[1], chain.dproduct(dy).to_vector()));
  EXPECT_TRUE(holds(gradients[2], chain.dhyperbolic(dy).to_vector()));
}

TEST(OverwrittenGradients, AreNeverThoseThatHooksKeep) {
  const Overwriting chain;
  Tensor kept, incoming;
  chain.hyperbolic.register_hook([&](const Tensor& gradient) { return kept = gradient, Tensor(); });
  chain.product.register_hook([&](const Tensor& gradient) { return incoming = gradient, Tensor(); });
  const Tensor dy = tensor({1, 10, 100}, float64);
  chain.y.backward(dy.clone());
  EXPECT_TRUE(holds(kept, chain.dhyperbolic(dy).to_vector()));
  EXPECT_TRUE(holds(incoming, chain.dproduct(dy).to_vector()));
  EXPECT_TRUE(holds(chain.x.grad(), chain.dx(dy)));
}

// a + b hands the same gradient to both.
TEST(OverwrittenGradients, AreNeverSharedWithAnotherBranch) {
  const Tensor x = leaf({0.5, -0.25});
  const Tensor first = tanh(x), second = x * 3.0;
  (first + second).backward(tensor({1, 10}, float64));
  const Tensor t = first.detach();
  EXPECT_TRUE(holds(x.grad(), (tensor({1, 10}, float64) * (1.0 - t * t) + tensor({3, 30}, float64)).to_vector()));
}

// Who calls a node's backward himself, in a hook even, gets its gradients and loses nothing.
TEST(OverwrittenGradients, AreNeverThoseOfADirectCall) {
  const Overwriting chain;
  const Tensor dy = tensor({1, 10, 100}, float64);
  const auto expect_untouched = [&] {
    const Tensor mine = dy.clone();
    EXPECT_TRUE(holds(chain.y.grad_fn()->backward(mine)[0], chain.dhyperbolic(dy).to_vector()));
    const Grads gradients = chain.product.grad_fn()->backward(mine);
    EXPECT_TRUE(holds(gradients[0], (dy * chain.w.detach()).to_vector()));
    EXPECT_TRUE(holds(gradients[1], (dy * chain.x.detach()).to_vector()));
    EXPECT_TRUE(holds(mine, {1, 10, 100}));
  };
  expect_untouched();
  const Tensor other = chain.w * 2.0;  // runs first, so that a gradient of w has arrived when the hook calls
  const Tensor hooked = other * 1.0;
  other.register_hook([&](const Tensor&) {
    expect_untouched();
    return Tensor();
  });
  chain.hyperbolic.register_hook([&](const Tensor&) {
    expect_untouched();
    return Tensor();
  });
  (chain.y + hooked).backward(dy);
  EXPECT_TRUE(holds(chain.x.grad(), chain.dx(dy)));
  EXPECT_TRUE(holds(chain.w.grad(), (chain.dproduct(dy) * chain.x.detach() + 2.0 * dy).to_vector()));
}

// A product adds its part to what has arrived, to the same bit as the tensor of it would be added.
TEST(OverwrittenGradients, AddUpToTheSameBitsAsSeparateOnes) {
  const Tensor x = randn({7, 5}, float64).requires_grad_();
  const Tensor w = randn({7, 5}, float64).requires_grad_();
  const auto gradients = [&] {
    x.zero_grad();
    w.zero_grad();
    Tensor y = x;
    for (int i = 0; i < 4; ++i) y = tanh(y * w) * x;
    (y * y.t().contiguous().t()).sum().backward();
    return std::pair(x.grad().to_vector(), w.grad().to_vector());
  };
  const auto unwatched = gradients();
  Observer nobody_in_particular;
  const ObserverGuard guard(nobody_in_particular);
  EXPECT_EQ(gradients(), unwatched);
}

// ---- retain_grad ------------------------------------------------------------------------------------------

TEST(RetainGrad, KeepsTheGradientOfAnIntermediate) {
  const Tensor x = leaf(3.0);
  const Tensor y = x * 2.0;
  message_of(ErrorId::no_gradient, [&] { y.grad(); });
  y.retain_grad();
  const Tensor z = y * y;
  z.backward();
  EXPECT_TRUE(holds(y.grad(), {12}));
  z.backward();
  EXPECT_TRUE(holds(y.grad(), {24}));
  y.zero_grad();
  z.backward();
  EXPECT_TRUE(holds(y.grad(), {12}));
}

TEST(RetainGrad, KeepsWhatHooksMadeOfIt) {
  const Tensor x = leaf(3.0);
  const Tensor y = x * 2.0;
  y.retain_grad();
  y.register_hook([](const Tensor& gradient) { return 5.0 * gradient; });
  y.backward();
  EXPECT_TRUE(holds(y.grad(), {5}));
}

TEST(RetainGrad, OfALeafChangesNothing) {
  const Tensor x = leaf(3.0);
  x.retain_grad();
  (x * x).backward();
  EXPECT_TRUE(holds(x.grad(), {6}));
}

TEST(RetainGrad, GradientsAreOnTheirOwn) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * 1.0;
  y.retain_grad();
  const Tensor dy = tensor({3, 4}, float64);
  y.backward(dy);
  y.grad().mul_(2.0);
  EXPECT_TRUE(holds(dy, {3, 4}));
  EXPECT_TRUE(holds(x.grad(), {3, 4}));
}

TEST(Grad, OfAnIntermediateThatWasNotRetainedSaysWhatToDo) {
  const Tensor x = leaf(3.0);
  const Tensor y = x * 2.0;
  const std::string message = message_of(ErrorId::no_gradient, [&] { y.grad(); });
  EXPECT_TRUE(fixtures::says("autograd_tape", {message}));
}

// ---- release_graph ----------------------------------------------------------------------------------------

TEST(ReleaseGraph, GivesTheSameGradients) {
  const Tensor x = leaf({1, 2});
  (x * x).exp().sum().backward();
  const Tensor expected = x.grad();
  x.zero_grad();
  (x * x).exp().sum().backward({.release_graph = true});
  EXPECT_TRUE(holds(x.grad(), expected.to_vector()));
}

TEST(ReleaseGraph, CannotBeUsedAgain) {
  const Tensor x = leaf(3.0);
  const Tensor y = x * x;
  const Tensor z = y + 1.0;
  z.backward({.release_graph = true});
  EXPECT_TRUE(fixtures::says("autograd_tape", {message_of(ErrorId::no_graph, [&] { z.backward(); })}));
  message_of(ErrorId::no_graph, [&] { (y * 2.0).backward(); });
  message_of(ErrorId::no_graph, [&] { grad(y, {x}); });
  EXPECT_TRUE(holds(x.grad(), {6}));
}

TEST(ReleaseGraph, LeavesTheLeavesToOtherGraphs) {
  const Tensor w = leaf(3.0);
  const Tensor first = w * 2.0;
  const Tensor second = w * 5.0;
  first.backward({.release_graph = true});
  second.backward();
  EXPECT_TRUE(holds(w.grad(), {7}));
}

TEST(ReleaseGraph, OfSeveralRoots) {
  const Tensor x = leaf(3.0);
  const Tensor y = x * x;
  backward({y, y * 2.0}, {}, {.release_graph = true});
  EXPECT_TRUE(holds(x.grad(), {18}));
  message_of(ErrorId::no_graph, [&] { y.backward(); });
}

// A pass that throws on its way has released what it had run: the same call is an error, a new graph is right.
TEST(ReleaseGraph, ThatThrowsChangesNoGradient) {
  const Tensor w = randn({3, 4}, float64).requires_grad_();
  const Tensor scores = w * 2.0;
  const Tensor loss = cross_entropy(scores, zeros({3}, int64));
  w.register_hook([](const Tensor&) -> Tensor { throw std::runtime_error("stop"); });
  for (int call = 0; call < 2; ++call) {
    EXPECT_ANY_THROW(loss.backward({.release_graph = true}));
    EXPECT_FALSE(w.grad().defined());
  }
  message_of(ErrorId::no_graph, [&] { loss.backward(); });  // of an op that may be fused
}

// ---- a pass that ends early -------------------------------------------------------------------------------

TEST(FailedBackward, ThatNeverStartedLeavesTheGraphAsItWas) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * x;
  for (int i = 0; i < 3; ++i) message_of(ErrorId::not_a_scalar, [&] { y.backward(); });
  message_of(ErrorId::not_a_scalar, [&] { backward({y.sum(), y}); });
  message_of(ErrorId::not_a_scalar, [&] { grad(y, {x}); });
  y.sum().backward();
  EXPECT_TRUE(holds(x.grad(), {2, 4}));
}

TEST(FailedBackward, BehindAReleasedGraphLeavesTheRestAsItWas) {
  const Tensor x = leaf(3.0);
  const Tensor released = x * x;
  const Tensor kept = x * 5.0;
  const Tensor sum_of_both = kept + released;
  released.backward({.release_graph = true});
  message_of(ErrorId::no_graph, [&] { sum_of_both.backward(); });
  x.zero_grad();
  kept.backward();
  EXPECT_TRUE(holds(x.grad(), {5}));
}

TEST(FailedBackward, InAHookLeavesTheGraphAsItWas) {
  const Tensor x = leaf(3.0);
  const Tensor y = x * 2.0;
  const Tensor z = y * y + y;
  const int hook = y.register_hook([](const Tensor&) -> Tensor { throw std::runtime_error("stop"); });
  EXPECT_THROW(z.backward(), std::runtime_error);
  EXPECT_THROW(z.backward(), std::runtime_error);
  EXPECT_THROW(grad(z, {x}), std::runtime_error);
  y.remove_hook(hook);
  EXPECT_FALSE(x.grad().defined());
  EXPECT_EQ(running_node(), nullptr);
  z.backward();
  EXPECT_TRUE(holds(x.grad(), {26}));
  EXPECT_TRUE(holds(grad(z, {y})[0], {13}));
}

// ---- what the engine checks of an op ----------------------------------------------------------------------

// Replaces what the ops' backward functions return.
struct Saboteur : Observer {
  Grads run(Node& node, const Tensor& dy) override { return replace(node, dy); }
  std::function<Grads(Node& node, const Tensor& dy)> replace;
};

std::string message_of_wrong_gradients(const std::function<Grads(const Tensor& dy)>& wrong) {
  const Tensor a = tensor({{1, 2, 3}, {4, 5, 6}}, float64).requires_grad_();
  const Tensor b = leaf({1, 2, 3});
  const Tensor y = a + b;
  Saboteur saboteur;
  saboteur.replace = [&](Node& node, const Tensor& dy) { return &node == y.grad_fn() ? wrong(dy) : node.backward(dy); };
  const ObserverGuard sabotage(saboteur);
  return message_of(ErrorId::wrong_gradient, [&] { y.backward(ones({2, 3}, float64)); });
}

TEST(WrongGradients, AreNamedByOpLineInputAndShapes) {
  std::vector<std::string> said;
  const std::string count = message_of_wrong_gradients([](const Tensor& dy) { return Grads{dy}; });
  said.push_back(count);
  const std::string shape = message_of_wrong_gradients([](const Tensor& dy) { return Grads{dy.t(), dy}; });
  said.push_back(shape);
  const std::string dtype = message_of_wrong_gradients([](const Tensor& dy) { return Grads{dy, dy.to(float32)}; });
  said.push_back(dtype);
  EXPECT_TRUE(fixtures::says("autograd_tape", said));
}

TEST(WrongGradients, OfAValueThatWasNeverSavedAreAnErrorAndNoCrash) {
  const Tensor y = leaf(1.0).tanh();
  EXPECT_TRUE(
      fixtures::says("autograd_tape", {message_of(ErrorId::undefined_tensor, [&] { y.grad_fn()->use(Saved()); })}));
}

// Only ops that say that they broadcast get their gradients summed.
TEST(WrongGradients, OfOpsThatDoNotBroadcastAreNotSummed) {
  const Tensor x = leaf({1, 2, 3});
  const Tensor y = x.tanh();
  Saboteur saboteur;
  saboteur.replace = [&](Node& node, const Tensor& dy) {
    return &node == y.grad_fn() ? Grads{dy.expand({2, 3})} : node.backward(dy);
  };
  const ObserverGuard sabotage(saboteur);
  message_of(ErrorId::wrong_gradient, [&] { y.backward(ones({3}, float64)); });
}

TEST(WrongGradients, UndefinedMeansThatNothingFlows) {
  const Tensor a = leaf(1.0);
  const Tensor b = leaf(2.0);
  const Tensor y = a * b;
  Saboteur saboteur;
  saboteur.replace = [&](Node& node, const Tensor& dy) {
    return &node == y.grad_fn() ? Grads{dy, Tensor()} : node.backward(dy);
  };
  const ObserverGuard sabotage(saboteur);
  y.backward();
  EXPECT_TRUE(holds(a.grad(), {1}));
  EXPECT_FALSE(b.grad().defined());
}

}  // namespace backward_test
