// The origin of the first NaN or infinity: which op, line and element, and why. That the environment variable does the
// same is tested in switch/.

#include <autograd/debug/nan/nan_origin.h>
#include <gtest/gtest.h>
#include <nn/nn.h>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "tests/autograd/ops/op_cases.h"
#include "tests/support/expect.h"
#include "tests/support/golden.h"

namespace nan_origin_test {

using namespace autograd;
using debug::NanCause;
using debug::NanReport;
using debug::ScopedNanOrigin;
using Kind = debug::NanReport::Kind;

constexpr double infinity = std::numeric_limits<double>::infinity();
const double not_a_number = std::numeric_limits<double>::quiet_NaN();

Tensor numbers(const std::vector<double>& values, const Shape& shape, DType dtype = float64) {
  return from_vector(values, shape, dtype);
}
Tensor leaf(const std::vector<double>& values, const Shape& shape, DType dtype = float64) {
  return numbers(values, shape, dtype).requires_grad_();
}
// Without braces, which a table has no room for.
template <class... Numbers> Tensor row(Numbers... values) {
  return numbers({static_cast<double>(values)...}, {sizeof...(values)});
}
template <class... Numbers> Tensor leaf_row(Numbers... values) {
  return row(values...).requires_grad_();
}
template <class... Numbers> Tensor float_leaf(Numbers... values) {
  return row(values...).to(float32).requires_grad_();
}
template <class... Numbers> Tensor leaf_rows(Numbers... values) {
  return leaf({static_cast<double>(values)...}, {2, sizeof...(values) / 2});
}

// ---- planted causes -------------------------------------------------------------------------------------------------

// Of the op to be named.
const Where here = Where::current("planted.cpp", 7);
Operand at_here(const Tensor& x) {
  return Operand(x, here);
}

struct Expected {
  Kind kind;
  std::string op;
  std::vector<std::int64_t> index;
  double value;
  NanCause cause;
};

struct Cause {
  std::string name;
  Expected expected;
  std::function<void()> run;
  debug::NanOptions options = {};
};

// [2, 2], of which the second row is masked.
Tensor masked_scores() {
  return leaf({1.0, 2.0, 3.0, 4.0}, {2, 2}).masked_fill(numbers({0, 1, 1, 1}, {2, 2}) == 1.0, -infinity);
}

const std::vector<Cause>& forward_causes() {
  static const std::vector<Cause> causes = {
      {"log of 0",
       {Kind::forward, "log", {1}, -infinity, NanCause::pole},
       [] { log(leaf_row(0.5, 0.0, 0.25), here).sum().backward(); }},
      {"log of a negative number",
       {Kind::forward, "log", {0, 1}, not_a_number, NanCause::domain},
       [] { log(leaf_rows(0.5, -0.5, 0.25, 1.0), here); }},
      {"0 / 0",
       {Kind::forward, "div", {1, 0}, not_a_number, NanCause::domain},
       [] { div(leaf_rows(1.0, 2.0, 0.0, 3.0).clone(), at_here(leaf_rows(1.0, 0.0))); }},
      {"1 / 0",
       {Kind::forward, "div", {2}, infinity, NanCause::pole},
       [] { div(1.0, at_here(leaf_row(1.0, 2.0, 0.0))); }},
      {"division by a masked count of 0",
       {Kind::forward, "div", {1, 0}, not_a_number, NanCause::domain},
       [] {
         const Tensor mask = numbers({1, 1, 0, 0}, {2, 2});
         const Tensor total = (leaf_rows(1.0, 2.0, 3.0, 4.0) * mask).sum({1}, true);
         div(total, at_here(mask.sum({1}, true))).sum().backward();
       }},
      {"exp overflow",
       {Kind::forward, "exp", {1}, infinity, NanCause::overflow},
       [] { exp(float_leaf(1.0, 89.0), here); }},
      {"softmax written out, overflow",
       {Kind::forward, "exp", {0, 2}, infinity, NanCause::overflow},
       [] {
         const Tensor e = exp(leaf_rows(1.0, 2.0, 800.0, 0.0, 1.0, 2.0), here);
         (e / e.sum({1}, true)).sum().backward();
       }},
      {"all-masked softmax",
       {Kind::forward, "softmax", {1, 0}, not_a_number, NanCause::masked_row},
       [] { softmax(masked_scores(), 1, here); }},
      {"all-masked softmax written out",
       {Kind::forward, "sub", {1, 0}, not_a_number, NanCause::infinities},
       [] {
         const Tensor masked = masked_scores();
         const Tensor e = exp(sub(masked, at_here(masked.amax({1}, true))));
         (e / e.sum({1}, true)).sum().backward();
       }},
      {"0 * infinity",
       {Kind::forward, "mul", {1}, not_a_number, NanCause::infinities},
       [] { mul(leaf_row(1.0, 2.0).masked_fill(row(0, 1) == 1.0, infinity), at_here(row(1.0, 0.0))); }},
      {"infinity - infinity",
       {Kind::forward, "add", {0}, not_a_number, NanCause::infinities},
       [] {
         const Tensor x = leaf_row(1.0);
         add(x.masked_fill(x > 0.0, infinity), at_here(x.masked_fill(x > 0.0, -infinity)));
       }},
      {"pow(0, -1)",
       {Kind::forward, "pow", {1}, infinity, NanCause::pole},
       [] { pow(leaf_row(2.0, 0.0), Operand(-1.0, here)); }},
      {"pow(-8, 1/3)",
       {Kind::forward, "pow", {0}, not_a_number, NanCause::domain},
       [] { pow(leaf_row(-8.0, 8.0), Operand(1.0 / 3.0, here)); }},
      {"sqrt of a negative number",
       {Kind::forward, "sqrt", {1}, not_a_number, NanCause::domain},
       [] { sqrt(leaf_row(1.0, 1.0) * row(1.0, -1e-17), here); }},
      {"variance of one element",
       {Kind::forward, "div", {}, not_a_number, NanCause::domain},
       [] { var(leaf_row(3.0), {}, 1, false, here); }},
      {"a loss over no target",
       {Kind::forward, "nll_loss", {}, not_a_number, NanCause::of_nothing},
       [] {
         cross_entropy(leaf_rows(1.0, 2.0, 3.0, 4.0), ids({0, 0}, {2}), {.ignore_index = 0}, here);
       }},
      {"an infinite score",
       {Kind::forward, "log_softmax", {1, 0}, not_a_number, NanCause::infinities},
       [] {
         const Tensor x = leaf_rows(1.0, 2.0, 3.0, 4.0);
         cross_entropy(x.masked_fill(x == 3.0, infinity), ids({0, 1}, {2}), {}, here);
       }},
      {"exploding recurrence",
       {Kind::forward, "matmul", {0, 0}, infinity, NanCause::overflow},
       [] {
         const Tensor w = leaf({30.0, 1.0, 1.0, 30.0}, {2, 2}, float32);
         Tensor h = ones({1, 2}, float32);
         for (int t = 0; t < 40; ++t) {
           const StepScope step(t);
           h = matmul(h, w, here);
         }
       }},
      {"too high a learning rate",
       {Kind::forward, "mse_loss", {}, infinity, NanCause::overflow},
       [] {
         const Tensor x = numbers({1, 2, 3, 4}, {4, 1}, float32);
         const Tensor w = leaf({0.5}, {1, 1}, float32);
         nn::SGD optimizer({w}, {.lr = 5.0});
         for (int step = 0; step < 60; ++step) {
           optimizer.zero_grad();
           mse_loss(linear(x, w), x, Reduction::mean, here).backward();
           optimizer.step();
         }
       }},
      {"to float32",
       {Kind::forward, "to", {0}, infinity, NanCause::overflow},
       [] { leaf_row(1e300).to(float32, here); }},
  };
  return causes;
}

const std::vector<Cause>& entering_causes() {
  static const std::vector<Cause> causes = {
      {"NaN in the data",
       {Kind::entered, "linear", {1, 0}, not_a_number, NanCause::other},
       [] {
         const Tensor x = numbers({1.0, 2.0, not_a_number, 3.0}, {2, 2});
         linear(x, leaf({1.0, 2.0}, {1, 2}), {}, here).sum().backward();
       }},
      {"NaN in a weight",
       {Kind::entered, "linear", {0, 1}, not_a_number, NanCause::other},
       [] {
         const Tensor w = leaf({1.0, 2.0}, {1, 2}).set_name("fc.weight");
         {
           const NoGradGuard no_grad;
           w.set_({0, 1}, not_a_number);
         }
         linear(ones({2, 2}, float64), w, {}, here);
       }},
      {"a weight after a huge step",
       {Kind::entered, "mul", {0}, -infinity, NanCause::other},
       [] {
         const Tensor w = float_leaf(1.0, 2.0);
         nn::SGD optimizer({w}, {.lr = 1e38});
         for (int step = 0; step < 2; ++step) {
           mul(w, at_here(row(100.0, 1.0).to(float32))).sum().backward();
           optimizer.step();
         }
       }},
      {"made where nothing is recorded",
       {Kind::entered, "mul", {0}, not_a_number, NanCause::other},
       [] {
         const Tensor x = leaf_row(1.0, 2.0);
         Tensor scale;
         {
           const NoGradGuard no_grad;
           scale = log(x - 1.5);
         }
         mul(x, at_here(scale));
       }},
      {"a gradient from outside",
       {Kind::started, "tanh", {1}, not_a_number, NanCause::other},
       [] { tanh(leaf_row(1.0, 2.0), here).backward(row(1.0, not_a_number)); }},
  };
  return causes;
}

const std::vector<Cause>& backward_causes() {
  const auto norm_at_zero = [] {
    const Tensor x = leaf_rows(1.0, 2.0, 0.0, 0.0);
    sqrt(mul(x, at_here(x)).sum({1}), here).sum().backward();
  };
  static const std::vector<Cause> causes = {
      {"sqrt at 0",
       {Kind::backward, "sqrt", {1}, infinity, NanCause::infinite_slope},
       [] { sqrt(leaf_row(1.0, 0.0), here).sum().backward(); }},
      {"a norm at 0", {Kind::backward, "sqrt", {1}, infinity, NanCause::infinite_slope}, norm_at_zero},
      {"a norm at 0, NaN",
       {Kind::backward, "mul", {1, 0}, not_a_number, NanCause::infinities},
       norm_at_zero,
       {.only_nan = true}},
      {"the deviation of a constant",
       {Kind::backward, "sqrt", {}, infinity, NanCause::infinite_slope},
       [] { sqrt(var(leaf_row(2.0, 2.0, 2.0)), here).backward(); }},
      {"pow at 0",
       {Kind::backward, "pow", {0}, infinity, NanCause::infinite_slope},
       [] { pow(leaf_row(0.0, 1.0), Operand(0.5, here)).sum().backward(); }},
      {"the exponent of a negative number",
       {Kind::backward, "pow", {0}, not_a_number, NanCause::infinite_slope},
       [] { pow(row(-2.0, 1.0), at_here(leaf_row(2.0, 2.0))).sum().backward(); }},
      {"log hidden by where",
       {Kind::backward, "log", {1}, not_a_number, NanCause::infinite_slope},
       [] {
         const Tensor x = leaf_row(1.0, 0.0);
         where(x > 0.0, log(x, here), 0.0).sum().backward();
       },
       {.only_nan = true}},
      {"sqrt hidden by a mask",
       {Kind::backward, "sqrt", {0}, not_a_number, NanCause::infinite_slope},
       [] {
         const Tensor x = leaf_row(0.0, 4.0);
         sqrt(x, here).masked_fill(x == 0.0, 0.0).sum().backward();
       }},
      {"a product with an infinite factor",
       {Kind::backward, "mul", {1}, not_a_number, NanCause::infinities},
       [] {
         const Tensor factor = row(1.0, infinity);
         where(factor == 1.0, mul(leaf_row(1.0, 2.0), at_here(factor)), 0.0).sum().backward();
       }},
      {"exploding gradient",
       {Kind::backward, "matmul", {0, 0}, infinity, NanCause::overflow},
       [] {
         const Tensor w = numbers({30.0, 0.0, 0.0, 30.0}, {2, 2}, float32);
         Tensor h = leaf({0.0, 0.0}, {1, 2}, float32);
         for (int t = 0; t < 40; ++t) h = tanh(matmul(h, w, here));
         h.sum().backward();
       }},
      {"the sum of gradients",
       {Kind::summed, "mul", {0}, infinity, NanCause::other},
       [] {
         const Tensor y = mul(float_leaf(1e-30), Operand(1.0, here));
         (y * 3e38 + y * 3e38).sum().backward();
       }},
      {"the sum that undoes broadcasting",
       {Kind::summed, "mul", {}, infinity, NanCause::other},
       [] { mul(leaf({1.0}, {}, float32), at_here(ones({2}, float32))).sum().backward(full({}, 3e38, float32)); }},
  };
  return causes;
}

void PrintTo(const Cause& cause, std::ostream* out) {
  *out << cause.name;
}

class PlantedNan : public testing::TestWithParam<Cause> {};

TEST_P(PlantedNan, OriginIsFound) {
  const Cause& cause = GetParam();
  const ScopedNanOrigin origin(cause.options);
  cause.run();
  ASSERT_TRUE(origin.found());
  const NanReport& report = *origin.found();
  const std::string text = to_string(report);
  EXPECT_EQ(static_cast<int>(report.kind), static_cast<int>(cause.expected.kind)) << text;
  EXPECT_EQ(report.op, cause.expected.op) << text;
  EXPECT_EQ(report.index, cause.expected.index) << text;
  EXPECT_EQ(to_string(report.where), to_string(here)) << text;
  EXPECT_TRUE(std::isnan(cause.expected.value) ? std::isnan(report.value) : report.value == cause.expected.value)
      << text;
  EXPECT_EQ(static_cast<int>(report.explanation.kind), static_cast<int>(cause.expected.cause)) << text;
}

TEST(NanWords, AreTheGoldenOnes) {
  std::string text;
  for (const auto& causes : {forward_causes(), entering_causes(), backward_causes()}) {
    for (const Cause& cause : causes) {
      const ScopedNanOrigin origin(cause.options);
      cause.run();
      const debug::Explanation& explanation = origin.found()->explanation;
      text += cause.name + ": " + explanation.cause + "\n  try: " + explanation.advice + "\n";
    }
  }
  EXPECT_TRUE(fixtures::is_golden("nan_origin", text));
}

std::string test_name(const testing::TestParamInfo<Cause>& info) {
  std::string name = info.param.name;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}
INSTANTIATE_TEST_SUITE_P(Forward, PlantedNan, testing::ValuesIn(forward_causes()), test_name);
INSTANTIATE_TEST_SUITE_P(Entering, PlantedNan, testing::ValuesIn(entering_causes()), test_name);
INSTANTIATE_TEST_SUITE_P(Backward, PlantedNan, testing::ValuesIn(backward_causes()), test_name);

// ---- what is told ---------------------------------------------------------------------------------------------------

TEST(NanOrigin, TellsTheNumbersThatLedThere) {
  const ScopedNanOrigin origin;
  const Tensor a = leaf({1.0, 2.0, 0.0, 3.0}, {2, 2}).set_name("total\x1b[2J");
  const Tensor b = leaf({1.0, 0.0}, {2, 1});
  a / b;
  ASSERT_TRUE(origin.found());
  const NanReport& report = *origin.found();
  ASSERT_EQ(report.operands.size(), 2u);
  EXPECT_EQ(report.operands[0].name, "input 0 total\\x1b[2J");
  EXPECT_EQ(report.operands[0].at_element, 0.0);
  EXPECT_EQ(report.operands[0].numbers.smallest, 0.0);
  EXPECT_EQ(report.operands[0].numbers.largest, 3.0);
  EXPECT_EQ(report.operands[1].at_element, 0.0);
  EXPECT_EQ(report.operands[1].numbers.largest, 1.0);
  EXPECT_EQ(report.nans, 1);
  EXPECT_EQ(report.infinities, 1);
}

TEST(NanOrigin, TellsModuleTimeStepAndGrowth) {
  const ScopedNanOrigin origin;
  const Tensor w = leaf({30.0}, {1, 1}, float32);
  Tensor h = ones({1, 1}, float32);
  for (int t = 0; t < 40; ++t) {
    const ScopeGuard scope("rnn", Where::current());
    const StepScope step(t);
    h = matmul(h, w);
  }
  ASSERT_TRUE(origin.found());
  EXPECT_EQ(origin.found()->module, "rnn, step 26");  // 30^27 > 3.4e38
  const std::vector<double>& grew = origin.found()->growth;
  ASSERT_GE(grew.size(), 3u);
  for (std::size_t i = 1; i < grew.size(); ++i) EXPECT_NEAR(grew[i] / grew[i - 1], 30.0, 1e-4);
}

// ---- silence --------------------------------------------------------------------------------------------------------

TEST(NanOrigin, MinusInfinityOnPurposeIsNoAlarm) {
  const ScopedNanOrigin origin;
  const Tensor scores = leaf({1.0, 2.0, 3.0, 4.0}, {2, 2});
  const Tensor mask = numbers({0, 1, 0, 0}, {2, 2}) == 1.0;
  softmax(scores.masked_fill(mask, -infinity), 1).sum().backward();
  softmax(where(mask, -infinity, scores), 1).sum().backward();
  const Tensor added = where(mask, full({2, 2}, -infinity, float64), 0.0);
  log_softmax(scores + added, 1).masked_fill(mask, 0.0).sum().backward();
  logsumexp(scores + added, {1}).sum().backward();
  exp(scores + added).sum().backward();
  EXPECT_FALSE(origin.found()) << to_string(*origin.found());
  EXPECT_GT(origin.summary().derivatives, 10);
}

TEST(NanOrigin, StrictStopsThereToo) {
  const ScopedNanOrigin origin({.strict = true});
  const Tensor scores = leaf({1.0, 2.0}, {2});
  scores.masked_fill(scores > 1.5, -infinity);
  ASSERT_TRUE(origin.found());
  EXPECT_EQ(origin.found()->op, "masked_fill");
}

TEST(NanOrigin, TellsInfinitiesOfBothSignsFromAnOverflowAndFromAHook) {
  {
    const ScopedNanOrigin origin({.only_nan = true});
    const Tensor x = leaf({4.0, 0.0}, {2});
    (sqrt(x) - 2.0 * sqrt(x)).sum().backward();
    ASSERT_TRUE(origin.found());
    EXPECT_EQ(origin.found()->kind, Kind::summed);
    EXPECT_EQ(origin.found()->contributions, 2);
    ASSERT_EQ(origin.found()->infinite.size(), 2u);
    EXPECT_EQ(origin.found()->infinite[0].value, -origin.found()->infinite[1].value);
    EXPECT_EQ(origin.found()->index, (std::vector<std::int64_t>{1}));
  }
  for (const double returned : {not_a_number, infinity}) {
    const ScopedNanOrigin origin;
    const Tensor x = leaf({4.0}, {1});
    const Tensor y = sqrt(x);
    y.register_hook([&](const Tensor& dy) { return full_like(dy, returned); });
    (y + 2.0 * y).sum().backward();
    ASSERT_TRUE(origin.found());
    EXPECT_EQ(origin.found()->kind, Kind::hooked);
    EXPECT_EQ(origin.found()->op, "sqrt");
  }
}

TEST(NanOrigin, SaysInHowManyPassesItLooked) {
  const ScopedNanOrigin origin;
  const Tensor x = leaf({4.0}, {1});
  for (int pass = 0; pass < 3; ++pass) sqrt(x).sum().backward();
  {
    const ObserverGuard unobserved(nullptr);
    sqrt(x).sum().backward();
  }
  EXPECT_EQ(origin.summary().passes, 4);
  EXPECT_EQ(origin.summary().passes_watched, 3);
  EXPECT_EQ(origin.summary().derivatives, 6);
}

TEST(NanOrigin, OnlyNanLetsInfinitiesPass) {
  const ScopedNanOrigin origin({.only_nan = true});
  const Tensor x = leaf({0.0, 1.0}, {2});
  exp(log(x));
  EXPECT_FALSE(origin.found());
  log(x) * x;
  ASSERT_TRUE(origin.found());
  EXPECT_EQ(origin.found()->op, "mul");
}

// An infinity of the op's own, beside one that was there on purpose.
TEST(NanOrigin, NewInfinityBesideAnOldOneIsFound) {
  const ScopedNanOrigin origin;
  const Tensor x = leaf({1.0, 2.0, 800.0}, {3});
  exp(x.masked_fill(x < 1.5, infinity));
  ASSERT_TRUE(origin.found());
  EXPECT_EQ(origin.found()->op, "exp");
}

TEST(NanOrigin, IsSilentAboutFinitePrograms) {
  for (const op_cases::OpCase& one : op_cases::all()) {
    if (!op_cases::is_differentiable(one)) continue;
    const op_cases::Tensors inputs = op_cases::inputs_of(one);
    bool finite = true;
    for (const Tensor& input : inputs) finite = finite && (!is_floating(input.dtype()) || all_finite(input));
    const ScopedNanOrigin origin;
    const Tensor y = one.call(inputs);
    if (y.requires_grad()) y.backward(ones_like(y));
    finite = finite && all_finite(y);
    for (const Tensor& input : inputs) {
      if (input.requires_grad() && input.grad().defined()) finite = finite && all_finite(input.grad());
    }
    EXPECT_FALSE(finite && origin.found()) << one.id << '\n' << to_string(*origin.found());
  }
}

TEST(NanOrigin, UnusableOptionsAreRefused) {
  EXPECT_TRUE(debug::nan_options("strict").strict);
  EXPECT_TRUE(debug::nan_options("only-nan").only_nan);
  for (const char* text : {"strict=1", "all", "strict:only-nan"}) {
    EXPECT_THROW(debug::nan_options(text), std::invalid_argument) << text;
  }
}

}  // namespace nan_origin_test
