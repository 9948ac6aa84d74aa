// Changes in place: what they compute, what they record, and how a value that backward needs is protected from them.

#include <gtest/gtest.h>

#include <functional>

#include "autograd/autograd.h"
#include "tests/support/expect.h"
#include "tests/support/golden.h"

namespace in_place_test {

using namespace autograd;
using fixtures::holds;
using fixtures::mentions;
using fixtures::message_of;

Tensor leaf(std::initializer_list<double> values) {
  return tensor(values, float64).requires_grad_();
}

std::uint32_t version(const Tensor& x) {
  return x.impl()->storage->version;
}

// ---- values -----------------------------------------------------------------------------------------------

TEST(InPlace, ChangesTheElementsOfThisVeryTensor) {
  const Tensor x = tensor({1, 2, 3});
  EXPECT_TRUE(holds(x.add_(tensor({10, 20, 30})), {11, 22, 33}));
  EXPECT_TRUE(holds(x.add_(tensor({1, 1, 1}), 2.0), {13, 24, 35}));
  EXPECT_TRUE(holds(x.sub_(3.0), {10, 21, 32}));
  EXPECT_TRUE(holds(x.sub_(tensor({1, 2, 3}), 10.0), {0, 1, 2}));
  EXPECT_TRUE(holds(x.mul_(4.0), {0, 4, 8}));
  EXPECT_TRUE(holds(x.mul_(tensor({1, 2, 3})), {0, 8, 24}));
  EXPECT_TRUE(holds(x.div_(8.0), {0, 1, 3}));
  EXPECT_TRUE(holds(x.copy_(tensor({7, 8, 9})), {7, 8, 9}));
  EXPECT_TRUE(holds(x.fill_(5.0), {5, 5, 5}));
  EXPECT_TRUE(holds(x.zero_(), {0, 0, 0}));
  EXPECT_TRUE(holds(x.addcmul_(tensor({1, 2, 3}), tensor({4, 5, 6}), 0.5), {2, 5, 9}));
  EXPECT_TRUE(holds(x.addcdiv_(tensor({1, 2, 3}), tensor({1, 2, 4}), 4.0), {6, 9, 12}));
}

TEST(InPlace, ReturnsTheTensorItself) {
  const Tensor x = tensor({1, 2});
  EXPECT_EQ(x.add_(1.0).mul_(2.0).impl(), x.impl());
}

TEST(InPlace, BroadcastsTheOtherOperandOnly) {
  const Tensor x = zeros({2, 3});
  x.add_(tensor({1, 2, 3})).mul_(tensor({1, 10}).unsqueeze(1));
  EXPECT_TRUE(holds(x, {1, 2, 3, 10, 20, 30}));
  EXPECT_TRUE(holds(x.copy_(tensor(4.0)), {4, 4, 4, 4, 4, 4}));
  EXPECT_TRUE(fixtures::says("autograd_tape", {message_of(ErrorId::shape_mismatch, [] {
                               zeros({3}).add_(zeros({2, 3}));
                             })}));
  message_of(ErrorId::shape_mismatch, [] { zeros({1}).copy_(zeros({2})); });
  message_of(ErrorId::shape_mismatch, [] { zeros({2}).mul_(zeros({3})); });
  message_of(ErrorId::shape_mismatch, [] { zeros({2}).addcmul_(zeros({3}), zeros({1})); });
}

TEST(InPlace, WorksOnAnyLayout) {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  x.t().add_(tensor({{10, 40}, {20, 50}, {30, 60}}));
  EXPECT_TRUE(holds(x, {11, 22, 33, 44, 55, 66}));
  x.select(1, 1).fill_(0.0);
  EXPECT_TRUE(holds(x, {11, 0, 33, 44, 0, 66}));
  x.index({Index::all(), Slice{0, Slice::to_end, 2}}).mul_(2.0);
  EXPECT_TRUE(holds(x, {22, 0, 66, 88, 0, 132}));
}

TEST(InPlace, FillsAndCopiesAnyDType) {
  EXPECT_TRUE(holds(ids({1, 2}).fill_(7.0), {7, 7}));
  EXPECT_TRUE(holds(mask({true, false}).copy_(mask({false, true})), {0, 1}));
  const Tensor x = ids({1, 2});
  x.set_({1}, 9.0);
  EXPECT_TRUE(holds(x, {1, 9}));
}

TEST(InPlace, WithItselfAsOperand) {
  const Tensor x = tensor({1, 2, 3});
  EXPECT_TRUE(holds(x.add_(x), {2, 4, 6}));
  EXPECT_TRUE(holds(x.mul_(x), {4, 16, 36}));
  EXPECT_TRUE(holds(x.copy_(x), {4, 16, 36}));
  EXPECT_TRUE(holds(x.sub_(x), {0, 0, 0}));
  const Tensor square = tensor({{1, 2}, {3, 4}});
  EXPECT_TRUE(holds(square.add_(square.t()), {2, 5, 5, 8}));
}

// All of the source is read before any of the target is written.
TEST(InPlace, FromOverlappingMemory) {
  const auto shifted = [](const std::function<void(const Tensor& to, const Tensor& from)>& change) {
    const Tensor x = tensor({1, 2, 4, 8, 16});
    change(x.narrow(0, 1, 4), x.narrow(0, 0, 4));
    return x;
  };
  const Tensor one = ones({4});
  EXPECT_TRUE(holds(shifted([](const Tensor& to, const Tensor& from) { to.copy_(from); }), {1, 1, 2, 4, 8}));
  EXPECT_TRUE(holds(shifted([](const Tensor& to, const Tensor& from) { to.add_(from); }), {1, 3, 6, 12, 24}));
  EXPECT_TRUE(holds(shifted([](const Tensor& to, const Tensor& from) { to.mul_(from); }), {1, 2, 8, 32, 128}));
  EXPECT_TRUE(holds(shifted([&](const Tensor& to, const Tensor& from) { to.addcmul_(from, one); }), {1, 3, 6, 12, 24}));
  EXPECT_TRUE(
      holds(shifted([&](const Tensor& to, const Tensor& from) { to.addcdiv_(one, from); }), {1, 3, 4.5, 8.25, 16.125}));
  const Tensor square = tensor({{1, 2}, {3, 4}});
  EXPECT_TRUE(holds(square.copy_(square.t()), {1, 3, 2, 4}));
}

// One place in memory cannot hold several new values.
TEST(InPlace, OfRepeatedElementsIsAnError) {
  const Tensor x = tensor({1.0}).expand(3);
  const Tensor values = tensor({1, 2, 3});
  const std::string message = message_of(ErrorId::in_place_on_view, [&] { x.add_(values); });
  EXPECT_TRUE(fixtures::says("autograd_tape", {message}));
  message_of(ErrorId::in_place_on_view, [&] { x.copy_(values); });
  message_of(ErrorId::in_place_on_view, [&] { x.mul_(2.0); });
  message_of(ErrorId::in_place_on_view, [&] { x.fill_(2.0); });
  message_of(ErrorId::in_place_on_view, [&] { x.set_({0}, 2.0); });
  const NoGradGuard no_grad;
  message_of(ErrorId::in_place_on_view, [&] { x.add_(values); });
  EXPECT_TRUE(holds(x, {1, 1, 1}));
}

// ---- versions ---------------------------------------------------------------------------------------------

TEST(InPlace, OfNothingChangesNothing) {
  const Tensor x = zeros({3, 0}, float64);
  x.add_(1.0).mul_(x).fill_(2.0).copy_(zeros({0}, float64));
  EXPECT_TRUE(holds(x, {}));
  EXPECT_EQ(version(x), 4u);
}

TEST(Versions, CountEveryChange) {
  const Tensor x = tensor({1, 2});
  // clang-format off
  const std::vector<std::function<void()>> changes = {
      [&] { x.add_(1.0); },
      [&] { x.add_(tensor({1, 2})); },
      [&] { x.sub_(x); },
      [&] { x.mul_(2.0); },
      [&] { x.mul_(tensor({1, 2})); },
      [&] { x.div_(2.0); },
      [&] { x.copy_(tensor({1, 2})); },
      [&] { x.fill_(1.0); },
      [&] { x.zero_(); },
      [&] { x.set_({0}, 1.0); },
      [&] { x.addcmul_(x.clone(), x.clone()); },
      [&] { x.addcdiv_(x.clone(), x.clone()); },
  };
  // clang-format on
  std::uint32_t expected = version(x);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    changes[i]();
    EXPECT_EQ(version(x), ++expected) << "change " << i;
  }
}

TEST(Versions, AreSharedByAllViewsAndByDetach) {
  const Tensor x = tensor({{1, 2}, {3, 4}});
  const Tensor view = x.t();
  const Tensor detached = x.detach();
  const Tensor copy = x.clone();
  view.add_(1.0);
  detached.add_(1.0);
  EXPECT_EQ(version(x), 2u);
  EXPECT_EQ(version(view), 2u);
  EXPECT_EQ(version(detached), 2u);
  EXPECT_EQ(version(copy), 0u);
}

// backward() changes no tensor that anybody has: a sum of gradients is a new one.
TEST(Versions, OfAGradientDoNotCountWhatIsAddedLater) {
  const Tensor x = leaf({1, 2});
  const Tensor w = leaf({3, 4});
  (2.0 * x).sum().backward();
  const Tensor first = x.grad();
  const Tensor weighted = (first * w).sum();
  (2.0 * x).sum().backward();
  EXPECT_EQ(version(first), 0u);
  weighted.backward();
  EXPECT_TRUE(holds(w.grad(), {2, 2}));
  EXPECT_TRUE(holds(x.grad(), {4, 4}));
}

// ---- values that backward needs ---------------------------------------------------------------------------

TEST(Clobber, NamesTheOpThatNeedsTheValueAndTheOneThatOverwroteIt) {
  const Tensor x = leaf({1, 2});
  const Where first = Where::current();
  const Tensor y = x.exp();
  y.add_(1.0);
  const std::string message = message_of(ErrorId::in_place_clobber, [&] { y.sum().backward(); });
  EXPECT_TRUE(mentions(message, {fixtures::place(first, 1), fixtures::place(first, 2)}));
  EXPECT_TRUE(fixtures::says("autograd_tape", {message}));
  EXPECT_FALSE(x.grad().defined());
}

TEST(Clobber, NamesTheLineThatCalledTheModuleThatOverwroteIt) {
  const Tensor y = leaf({1, 2}).exp();
  {
    const ScopeGuard scope("encoder", Where::current("caller.cpp", 7));
    y.add_(1.0);
  }
  EXPECT_TRUE(fixtures::says("autograd_tape", {message_of(ErrorId::in_place_clobber, [&] { y.sum().backward(); })}));
}

TEST(Clobber, IsSeenThroughViewsAndDetach) {
  std::vector<std::string> said;
  const std::vector<std::function<void(const Tensor& value)>> changes = {
      [](const Tensor& value) { value.detach().add_(1.0); },
      [](const Tensor& value) { value.detach()[0].fill_(9.0); },
      [](const Tensor& value) { value.detach().set_({1}, 9.0); },
      [](const Tensor& value) {
        const NoGradGuard no_grad;
        value.narrow(0, 1, 1).mul_(2.0);
      },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    SCOPED_TRACE(i);
    const Tensor x = leaf({1, 2});
    const Tensor w = leaf({3, 4});
    const Tensor y = (x * w).sum();
    changes[i](w);
    const std::string message = message_of(ErrorId::in_place_clobber, [&] { y.backward(); });
    said.push_back(message);
  }
  EXPECT_TRUE(fixtures::says("autograd_tape", said));
}

TEST(Clobber, OfAValueSavedThroughAView) {
  const Tensor x = leaf({1, 2});
  const Tensor memory = tensor({3, 4, 5}, float64);
  const Tensor y = (x * memory.narrow(0, 0, 2)).sum();
  memory.set_({0}, 7.0);
  message_of(ErrorId::in_place_clobber, [&] { y.backward(); });
}

TEST(Clobber, IsNoErrorWhereTheValueIsNotNeeded) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x + 1.0;
  y.mul_(3.0);
  const Tensor constant = tensor({5, 6}, float64);
  const Tensor z = y + constant;
  constant.zero_();
  z.sum().backward();
  EXPECT_TRUE(holds(x.grad(), {3, 3}));
}

TEST(Clobber, IsFoundInASecondDerivativeToo) {
  const Tensor x = leaf({1, 2});
  const Tensor first = grad((x * x * x).sum(), {x}, {.create_graph = true})[0];
  {
    const NoGradGuard no_grad;
    x.add_(1.0);
  }
  const std::string message = message_of(ErrorId::in_place_clobber, [&] { first.sum().backward(); });
  EXPECT_TRUE(fixtures::says("autograd_tape", {message}));
}

// As after an optimiser's step: the graph belongs to the old parameters.
TEST(Clobber, OfAParameterBetweenTwoBackwards) {
  const Tensor w = leaf({1, 2});
  const Tensor loss = (w * w).sum();
  loss.backward();
  {
    const NoGradGuard no_grad;
    w.sub_(w.grad(), 0.1);
  }
  EXPECT_TRUE(fixtures::says("autograd_tape", {message_of(ErrorId::in_place_clobber, [&] { loss.backward(); })}));
}

TEST(RecordedInPlace, MultipliesAndDividesByItself) {
  const Tensor x = leaf({1, 2});
  const Tensor square = x * 1.0;
  square.mul_(square);
  EXPECT_TRUE(holds(square, {1, 4}));
  const Tensor one = x * 1.0;
  one.div_(one);
  EXPECT_TRUE(holds(one, {1, 1}));
  (square.sum() + one.sum()).backward();
  EXPECT_TRUE(holds(x.grad(), {2, 4}));
}

// ---- what is recorded -------------------------------------------------------------------------------------

TEST(RecordedInPlace, DifferentiatesAsTheOutOfPlaceOpWould) {
  struct Change {
    std::function<void(const Tensor& y, const Tensor& w)> in_place;
    std::function<Tensor(const Tensor& y, const Tensor& w)> out_of_place;
  };
  const std::vector<Change> changes = {
      {[](const Tensor& y, const Tensor& w) { y.add_(w); }, [](const Tensor& y, const Tensor& w) { return y + w; }},
      {[](const Tensor& y, const Tensor& w) { y.add_(w, 3.0); },
       [](const Tensor& y, const Tensor& w) { return y + 3.0 * w; }},
      {[](const Tensor& y, const Tensor& w) { y.sub_(w, 2.0); },
       [](const Tensor& y, const Tensor& w) { return y - 2.0 * w; }},
      {[](const Tensor& y, const Tensor& w) { y.mul_(w); }, [](const Tensor& y, const Tensor& w) { return y * w; }},
      {[](const Tensor& y, const Tensor& w) { y.mul_(w[0]); },
       [](const Tensor& y, const Tensor& w) { return y * w[0]; }},
      {[](const Tensor& y, const Tensor& w) { y.div_(w); }, [](const Tensor& y, const Tensor& w) { return y / w; }},
      {[](const Tensor& y, const Tensor& w) { y.copy_(w); },
       [](const Tensor& y, const Tensor& w) { return 0.0 * y + w; }},
      {[](const Tensor& y, const Tensor& w) { y.mul_(2.0).add_(w).mul_(w); },
       [](const Tensor& y, const Tensor& w) { return (2.0 * y + w) * w; }},
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    SCOPED_TRACE(i);
    const Tensor direction = tensor({1, 10}, float64);
    const Tensor x = leaf({1, 2});
    const Tensor w = leaf({3, 5});
    const Tensor y = x * x;
    changes[i].in_place(y, w);
    const Tensor expected = changes[i].out_of_place(x * x, w);
    EXPECT_TRUE(allclose(y, expected));
    const std::vector<Tensor> g = grad(y, {x, w}, {.grad_output = direction, .allow_unused = true});
    const std::vector<Tensor> expected_g = grad(expected, {x, w}, {.grad_output = direction});
    EXPECT_TRUE(g[0].defined() ? allclose(g[0], expected_g[0]) : allclose(zeros_like(x), expected_g[0]));
    EXPECT_TRUE(allclose(g[1], expected_g[1]));
  }
}

TEST(RecordedInPlace, MakesAConstantPartOfTheGraph) {
  const Tensor w = leaf({1, 2});
  const Tensor total = zeros({2}, float64);
  for (int i = 1; i <= 3; ++i) total.add_(w, i);
  EXPECT_TRUE(total.requires_grad());
  total.sum().backward();
  EXPECT_TRUE(holds(w.grad(), {6, 6}));
}

TEST(RecordedInPlace, CopyCutsTheTensorOffFromItsOldGraph) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * x;
  y.copy_(tensor({5, 6}, float64));
  EXPECT_FALSE(y.requires_grad());
  const Tensor z = x * 3.0;
  z.zero_();
  EXPECT_TRUE(z.is_leaf());
}

TEST(RecordedInPlace, RetainedGradientIsThatOfTheNewValue) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * 1.0;
  y.retain_grad();
  y.mul_(10.0);
  (y * 3.0).sum().backward();
  EXPECT_TRUE(holds(y.grad(), {3, 3}));
  EXPECT_TRUE(holds(x.grad(), {30, 30}));
}

TEST(RecordedInPlace, HookStaysWithTheOldValue) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * 1.0;
  Tensor seen;
  y.register_hook([&](const Tensor& gradient) {
    seen = gradient;
    return Tensor();
  });
  y.mul_(10.0);
  y.sum().backward();
  EXPECT_TRUE(holds(seen, {10, 10}));
}

TEST(RecordedInPlace, AddcmulAndAddcdiv) {
  const Tensor x = leaf({1, 2});
  const Tensor y = zeros({2}, float64);
  y.addcmul_(x, x, 3.0).addcdiv_(tensor({8, 8}, float64), x);
  EXPECT_TRUE(holds(y, {11, 16}));
  y.sum().backward();
  EXPECT_TRUE(holds(x.grad(), {6 - 8, 12 - 2}));
}

// ---- leaves -----------------------------------------------------------------------------------------------

TEST(InPlaceOnALeaf, ThatRequiresGradientsIsAnError) {
  const Tensor x = leaf({1, 2});
  const Where here = Where::current();
  const Error error = fixtures::error_of(ErrorId::in_place_on_leaf, [&] { x.add_(1.0); });
  EXPECT_EQ(error.where().line, here.line + 1);
  EXPECT_TRUE(fixtures::says("autograd_tape", {error.what()}));
  message_of(ErrorId::in_place_on_leaf, [&] { x.sub_(1.0); });
  message_of(ErrorId::in_place_on_leaf, [&] { x.mul_(1.0); });
  message_of(ErrorId::in_place_on_leaf, [&] { x.div_(1.0); });
  message_of(ErrorId::in_place_on_leaf, [&] { x.copy_(x.detach()); });
  message_of(ErrorId::in_place_on_leaf, [&] { x.fill_(1.0); });
  message_of(ErrorId::in_place_on_leaf, [&] { x.zero_(); });
  message_of(ErrorId::in_place_on_leaf, [&] { x.set_({0}, 1.0); });
  message_of(ErrorId::in_place_on_leaf, [&] { x.addcmul_(x, x); });
  message_of(ErrorId::in_place_on_leaf, [&] { x.addcdiv_(x, x); });
  EXPECT_TRUE(holds(x, {1, 2}));
  EXPECT_EQ(version(x), 0u);
}

// It makes no node, so a gradient through the overwritten element would be wrong.
TEST(SetOfOneElement, InAGraphIsAnErrorEachTime) {
  const Tensor y = leaf({1, 2}) * 3.0;
  for (int time = 0; time < 2; ++time) {
    message_of(ErrorId::in_place_on_leaf, [&] { y.set_({0}, 1.0); });
  }
  EXPECT_TRUE(holds(y, {3, 6}));
  EXPECT_EQ(version(y), 0u);
  const NoGradGuard no_grad;
  y.set_({0}, 1.0);
  EXPECT_TRUE(holds(y, {1, 6}));
}

TEST(InPlaceOnALeaf, IsAllowedUnderNoGradGuard) {
  const Tensor x = leaf({1, 2});
  {
    const NoGradGuard no_grad;
    x.add_(1.0);
    x.set_({0}, 5.0);
    x[1].mul_(2.0);
  }
  EXPECT_TRUE(holds(x, {5, 6}));
  EXPECT_TRUE(x.is_leaf());
  EXPECT_TRUE(x.requires_grad());
  (x * x).sum().backward();
  EXPECT_TRUE(holds(x.grad(), {10, 12}));
}

TEST(InPlaceUnderNoGradGuard, LeavesAnIntermediateInItsGraph) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x + 1.0;
  {
    const NoGradGuard no_grad;
    y.copy_(tensor({7, 8}, float64));
  }
  EXPECT_TRUE(holds(y, {7, 8}));
  y.sum().backward();
  EXPECT_TRUE(holds(x.grad(), {1, 1}));
}

// ---- views ------------------------------------------------------------------------------------------------

TEST(InPlaceOnAView, ThatIsRecordedIsAnError) {
  std::vector<std::string> said;
  const Tensor x = tensor({{1, 2}, {3, 4}}, float64).requires_grad_();
  const Tensor y = x * 2.0;
  for (const Tensor& view : {y.t(), y[0], y.narrow(0, 0, 1), y.reshape(4), y.unsqueeze(0), x.t()}) {
    const std::string message = message_of(ErrorId::in_place_on_view, [&] { view.add_(1.0); });
    said.push_back(message);
    message_of(ErrorId::in_place_on_view, [&] { view.copy_(view.detach() + 1.0); });
  }
  EXPECT_TRUE(holds(y, {2, 4, 6, 8}));
  EXPECT_TRUE(fixtures::says("autograd_tape", said));
}

TEST(InPlaceOnAView, IsAnErrorOnTheViewedTensorToo) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * 2.0;
  {
    const Tensor view = y[0];
    message_of(ErrorId::in_place_on_view, [&] { y.add_(1.0); });
  }
  y.add_(1.0);  // nobody sees it any more
  y.sum().backward();
  EXPECT_TRUE(holds(x.grad(), {2, 2}));
}

// matmul folds a batch by views of its own, which are gone when it returns.
TEST(InPlaceOnAView, IsAllowedWhereNobodyElseSeesTheMemory) {
  const Tensor x = ones({2, 3, 4}, float64).requires_grad_();
  const Tensor w = ones({4, 5}, float64).requires_grad_();
  const Tensor y = x.matmul(w);
  y.add_(1.0);
  y.sum().backward();
  EXPECT_TRUE(holds(w.grad(), std::vector<double>(20, 6.0)));

  const Tensor part = (x * 2.0)[0];
  part.mul_(3.0);
  x.zero_grad();
  part.sum().backward();
  EXPECT_EQ(x.grad().at({0, 1, 2}), 6.0);
  EXPECT_EQ(x.grad().at({1, 1, 2}), 0.0);
}

// Only the view would know of the gradient; the tensor behind it would carry the values without it.
TEST(InPlaceOnAView, OfAConstantCannotTakeInAGradient) {
  const Tensor w = leaf({1, 2});
  const Tensor outputs = zeros({3, 2}, float64);
  const std::string message = message_of(ErrorId::in_place_on_view, [&] { outputs[0].copy_(w); });
  EXPECT_TRUE(fixtures::says("autograd_tape", {message}));
  message_of(ErrorId::in_place_on_view, [&] { outputs[1].add_(w); });
  message_of(ErrorId::in_place_on_view, [&] { outputs[1].mul_(w); });
  EXPECT_TRUE(holds(outputs, {0, 0, 0, 0, 0, 0}));
  outputs[2].add_(w.detach());
  EXPECT_TRUE(holds(outputs, {0, 0, 0, 0, 1, 2}));
}

TEST(InPlaceOnAView, OfADetachedTensorChangesTheValuesOnly) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x + 1.0;
  y.detach().mul_(10.0);
  EXPECT_TRUE(holds(y, {20, 30}));
  y.sum().backward();
  EXPECT_TRUE(holds(x.grad(), {1, 1}));
}

TEST(InPlaceOnAView, ReachesTheMemoryAfterTheFirstTensorIsGone) {
  Tensor base = tensor({{1, 2}, {3, 4}});
  const Tensor row = base[1];
  const Tensor column = base.select(1, 0);
  base = Tensor();
  row.add_(10.0);
  EXPECT_TRUE(holds(column, {1, 13}));
}

// ---- views that are gone ---------------------------------------------------------------------------------------

TEST(InPlace, IsAllowedOnceTheViewInTheGraphIsGone) {
  const Tensor x = leaf({2, 3});
  const Tensor y = x * 1.0;
  const Tensor values = y.detach();  // sees the memory, but is in no graph
  {
    const Tensor view = y.narrow(0, 0, 1);
    message_of(ErrorId::in_place_on_view, [&] { y.add_(1.0); });
  }
  y.add_(1.0);
  y.sum().backward();
  EXPECT_TRUE(holds(values, {3, 4}));
  EXPECT_TRUE(holds(x.grad(), {1, 1}));
}

// ---- operators ---------------------------------------------------------------------------------------------

TEST(InPlaceOperators, ChangeTheMemoryThatAllHandlesSee) {
  Tensor x = tensor({1, 2, 3});
  const Tensor same = x;
  x += 1.0;
  x *= tensor({1, 2, 3});
  x -= tensor({2, 2, 2});
  x /= 2.0;
  EXPECT_TRUE(holds(same, {0, 2, 5}));
  EXPECT_EQ(same.impl(), x.impl());
}

TEST(InPlaceOperators, OnAPartChangeTheWhole) {
  const Tensor x = zeros({2, 2});
  x[0] += tensor({1, 2});
  x[1] -= 3.0;
  EXPECT_TRUE(holds(x, {1, 2, -3, -3}));
}

TEST(InPlaceOperators, ReturnAHandleThatOutlivesATemporary) {
  const Tensor& sum = ((ones({2}) + 1.0) += 1.0) *= 2.0;
  EXPECT_TRUE(holds(sum, {6, 6}));
}

TEST(InPlaceOperators, AreRecordedAndRefusedAsTheirMethods) {
  const Tensor x = leaf({2, 3});
  Tensor total = zeros({2}, float64);
  total += x * x;
  total += x;
  total.sum().backward();
  EXPECT_TRUE(holds(x.grad(), {5, 7}));
  EXPECT_TRUE(fixtures::says("autograd_tape", {message_of(ErrorId::in_place_on_leaf, [&] { x *= 2.0; })}));
  const Tensor y = x.exp();
  y += 1.0;
  message_of(ErrorId::in_place_clobber, [&] { y.sum().backward(); });
}

}  // namespace in_place_test
