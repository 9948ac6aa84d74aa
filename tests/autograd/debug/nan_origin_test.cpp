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

// ---- planted causes
// ----------------------------------------------------------------------------------------------------

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
  std::function<Where()> run;  // returns the line of the op to be named
  debug::NanOptions options = {};
};

// The line below the call: put it above the op.
Where below(Where where = Where::current()) {
  ++where.line;
  return where;
}

std::vector<Cause> forward_causes() {
  return {
      {"log of 0",
       {Kind::forward, "log", {1}, -infinity, NanCause::pole},
       [] {
         const Tensor x = leaf({0.5, 0.0, 0.25}, {3});
         const Where line = below();
         log(x).sum().backward();
         return line;
       }},
      {"log of a negative number",
       {Kind::forward, "log", {0, 1}, not_a_number, NanCause::domain},
       [] {
         const Tensor x = leaf({0.5, -0.5, 0.25, 1.0}, {2, 2});
         const Where line = below();
         log(x);
         return line;
       }},
      {"0 / 0",
       {Kind::forward, "div", {1, 0}, not_a_number, NanCause::domain},
       [] {
         const Tensor a = leaf({1.0, 2.0, 0.0, 3.0}, {2, 2});
         const Tensor b = leaf({1.0, 0.0}, {2, 1});
         const Where line = below();
         a.clone() / b;
         return line;
       }},
      {"1 / 0",
       {Kind::forward, "div", {2}, infinity, NanCause::pole},
       [] {
         const Tensor b = leaf({1.0, 2.0, 0.0}, {3});
         const Where line = below();
         1.0 / b;
         return line;
       }},
      {"division by a masked count of 0",
       {Kind::forward, "div", {1, 0}, not_a_number, NanCause::domain},
       [] {
         const Tensor x = leaf({1.0, 2.0, 3.0, 4.0}, {2, 2});
         const Tensor mask = numbers({1, 1, 0, 0}, {2, 2});
         const Tensor count = mask.sum({1}, true);
         const Tensor total = (x * mask).sum({1}, true);
         const Where line = below();
         (total / count).sum().backward();
         return line;
       }},
      {"exp overflow",
       {Kind::forward, "exp", {1}, infinity, NanCause::overflow},
       [] {
         const Tensor x = leaf({1.0, 89.0}, {2}, float32);
         const Where line = below();
         exp(x);
         return line;
       }},
      {"softmax written out, overflow",
       {Kind::forward, "exp", {0, 2}, infinity, NanCause::overflow},
       [] {
         const Tensor scores = leaf({1.0, 2.0, 800.0, 0.0, 1.0, 2.0}, {2, 3});
         const Where line = below();
         const Tensor e = exp(scores);
         (e / e.sum({1}, true)).sum().backward();
         return line;
       }},
      {"all-masked softmax",
       {Kind::forward, "softmax", {1, 0}, not_a_number, NanCause::masked_row},
       [] {
         const Tensor scores = leaf({1.0, 2.0, 3.0, 4.0}, {2, 2});
         const Tensor masked = scores.masked_fill(numbers({0, 1, 1, 1}, {2, 2}) == 1.0, -infinity);
         const Where line = below();
         softmax(masked, 1);
         return line;
       }},
      {"all-masked softmax written out",
       {Kind::forward, "sub", {1, 0}, not_a_number, NanCause::infinities},
       [] {
         const Tensor scores = leaf({1.0, 2.0, 3.0, 4.0}, {2, 2});
         const Tensor masked = scores.masked_fill(numbers({0, 1, 1, 1}, {2, 2}) == 1.0, -infinity);
         const Tensor largest = masked.amax({1}, true);
         const Where line = below();
         const Tensor e = exp(masked - largest);
         (e / e.sum({1}, true)).sum().backward();
         return line;
       }},
      {"0 * infinity",
       {Kind::forward, "mul", {1}, not_a_number, NanCause::infinities},
       [] {
         const Tensor x = leaf({1.0, 2.0}, {2});
         const Tensor masked = x.masked_fill(numbers({0, 1}, {2}) == 1.0, infinity);
         const Where line = below();
         masked* numbers({1.0, 0.0}, {2});
         return line;
       }},
      {"infinity - infinity",
       {Kind::forward, "add", {0}, not_a_number, NanCause::infinities},
       [] {
         const Tensor x = leaf({1.0}, {1});
         const Tensor up = x.masked_fill(x > 0.0, infinity);
         const Tensor down = x.masked_fill(x > 0.0, -infinity);
         const Where line = below();
         up + down;
         return line;
       }},
      {"pow(0, -1)",
       {Kind::forward, "pow", {1}, infinity, NanCause::pole},
       [] {
         const Tensor x = leaf({2.0, 0.0}, {2});
         const Where line = below();
         pow(x, -1.0);
         return line;
       }},
      {"pow(-8, 1/3)",
       {Kind::forward, "pow", {0}, not_a_number, NanCause::domain},
       [] {
         const Tensor x = leaf({-8.0, 8.0}, {2});
         const Where line = below();
         pow(x, 1.0 / 3.0);
         return line;
       }},
      {"sqrt of a negative number",
       {Kind::forward, "sqrt", {1}, not_a_number, NanCause::domain},
       [] {
         const Tensor x = leaf({1.0, 1.0}, {2});
         const Where line = below();
         sqrt(x * numbers({1.0, -1e-17}, {2}));
         return line;
       }},
      {"variance of one element",
       {Kind::forward, "div", {}, not_a_number, NanCause::domain},
       [] {
         const Tensor x = leaf({3.0}, {1});
         const Where line = below();
         var(x);
         return line;
       }},
      {"a loss over no target",
       {Kind::forward, "nll_loss", {}, not_a_number, NanCause::of_nothing},
       [] {
         const Tensor x = leaf({1.0, 2.0, 3.0, 4.0}, {2, 2});
         const Where line = below();
         cross_entropy(x, ids({0, 0}, {2}), {.ignore_index = 0});
         return line;
       }},
      {"an infinite score",
       {Kind::forward, "log_softmax", {1, 0}, not_a_number, NanCause::infinities},
       [] {
         const Tensor x = leaf({1.0, 2.0, 3.0, 4.0}, {2, 2});
         const Tensor scores = x.masked_fill(x == 3.0, infinity);
         const Where line = below();
         cross_entropy(scores, ids({0, 1}, {2}));
         return line;
       }},
      {"exploding recurrence",
       {Kind::forward, "matmul", {0, 0}, infinity, NanCause::overflow},
       [] {
         const Tensor w = leaf({30.0, 1.0, 1.0, 30.0}, {2, 2}, float32);
         Tensor h = ones({1, 2}, float32);
         Where line;
         for (int t = 0; t < 40; ++t) {
           const StepScope step(t);
           line = below();
           h = matmul(h, w);
         }
         return line;
       }},
      {"too high a learning rate",
       {Kind::forward, "mse_loss", {}, infinity, NanCause::overflow},
       [] {
         const Tensor x = numbers({1, 2, 3, 4}, {4, 1}, float32);
         const Tensor w = leaf({0.5}, {1, 1}, float32);
         nn::SGD optimizer({w}, {.lr = 5.0});
         Where line;
         for (int step = 0; step < 60; ++step) {
           optimizer.zero_grad();
           line = below();
           mse_loss(linear(x, w), x).backward();
           optimizer.step();
         }
         return line;
       }},
      {"to float32",
       {Kind::forward, "to", {0}, infinity, NanCause::overflow},
       [] {
         const Tensor x = leaf({1e300}, {1});
         const Where line = below();
         x.to(float32);
         return line;
       }},
  };
}

std::vector<Cause> entering_causes() {
  return {
      {"NaN in the data",
       {Kind::entered, "linear", {1, 0}, not_a_number, NanCause::other},
       [] {
         const Tensor x = numbers({1.0, 2.0, not_a_number, 3.0}, {2, 2});
         const Tensor w = leaf({1.0, 2.0}, {1, 2});
         const Where line = below();
         linear(x, w).sum().backward();
         return line;
       }},
      {"NaN in a weight",
       {Kind::entered, "linear", {0, 1}, not_a_number, NanCause::other},
       [] {
         const Tensor w = leaf({1.0, 2.0}, {1, 2}).set_name("fc.weight");
         {
           const NoGradGuard no_grad;
           w.set_({0, 1}, not_a_number);
         }
         const Where line = below();
         linear(ones({2, 2}, float64), w);
         return line;
       }},
      {"a weight after a huge step",
       {Kind::entered, "mul", {0}, -infinity, NanCause::other},
       [] {
         const Tensor w = leaf({1.0, 2.0}, {2}, float32);
         nn::SGD optimizer({w}, {.lr = 1e38});
         Where line;
         for (int step = 0; step < 2; ++step) {
           line = below();
           (w * numbers({100.0, 1.0}, {2}, float32)).sum().backward();
           optimizer.step();
         }
         return line;
       }},
      {"made where nothing is recorded",
       {Kind::entered, "mul", {0}, not_a_number, NanCause::other},
       [] {
         const Tensor x = leaf({1.0, 2.0}, {2});
         Tensor scale;
         {
           const NoGradGuard no_grad;
           scale = log(x - 1.5);
         }
         const Where line = below();
         x* scale;
         return line;
       }},
      {"a gradient from outside",
       {Kind::started, "tanh", {1}, not_a_number, NanCause::other},
       [] {
         const Tensor x = leaf({1.0, 2.0}, {2});
         const Where line = below();
         const Tensor y = tanh(x);
         y.backward(numbers({1.0, not_a_number}, {2}));
         return line;
       }},
  };
}

std::vector<Cause> backward_causes() {
  const debug::NanOptions only_nan{.only_nan = true};
  return {
      {"sqrt at 0",
       {Kind::backward, "sqrt", {1}, infinity, NanCause::infinite_slope},
       [] {
         const Tensor x = leaf({1.0, 0.0}, {2});
         const Where line = below();
         sqrt(x).sum().backward();
         return line;
       }},
      {"a norm at 0",
       {Kind::backward, "sqrt", {1}, infinity, NanCause::infinite_slope},
       [] {
         const Tensor x = leaf({1.0, 2.0, 0.0, 0.0}, {2, 2});
         const Where line = below();
         sqrt((x * x).sum({1})).sum().backward();
         return line;
       }},
      {"a norm at 0, NaN",
       {Kind::backward, "mul", {1, 0}, not_a_number, NanCause::infinities},
       [] {
         const Tensor x = leaf({1.0, 2.0, 0.0, 0.0}, {2, 2});
         const Where line = below();
         sqrt((x * x).sum({1})).sum().backward();
         return line;
       },
       only_nan},
      {"the deviation of a constant",
       {Kind::backward, "sqrt", {}, infinity, NanCause::infinite_slope},
       [] {
         const Tensor x = leaf({2.0, 2.0, 2.0}, {3});
         const Where line = below();
         sqrt(var(x)).backward();
         return line;
       }},
      {"pow at 0",
       {Kind::backward, "pow", {0}, infinity, NanCause::infinite_slope},
       [] {
         const Tensor x = leaf({0.0, 1.0}, {2});
         const Where line = below();
         pow(x, 0.5).sum().backward();
         return line;
       }},
      {"the exponent of a negative number",
       {Kind::backward, "pow", {0}, not_a_number, NanCause::infinite_slope},
       [] {
         const Tensor x = numbers({-2.0, 1.0}, {2});
         const Tensor b = leaf({2.0, 2.0}, {2});
         const Where line = below();
         pow(x, b).sum().backward();
         return line;
       }},
      {"log hidden by where",
       {Kind::backward, "log", {1}, not_a_number, NanCause::infinite_slope},
       [] {
         const Tensor x = leaf({1.0, 0.0}, {2});
         const Where line = below();
         const Tensor y = log(x);
         where(x > 0.0, y, 0.0).sum().backward();
         return line;
       },
       only_nan},
      {"sqrt hidden by a mask",
       {Kind::backward, "sqrt", {0}, not_a_number, NanCause::infinite_slope},
       [] {
         const Tensor x = leaf({0.0, 4.0}, {2});
         const Where line = below();
         const Tensor y = sqrt(x);
         y.masked_fill(x == 0.0, 0.0).sum().backward();
         return line;
       }},
      {"a product with an infinite factor",
       {Kind::backward, "mul", {1}, not_a_number, NanCause::infinities},
       [] {
         const Tensor x = leaf({1.0, 2.0}, {2});
         const Tensor factor = numbers({1.0, infinity}, {2});
         const Where line = below();
         const Tensor y = x * factor;
         where(factor == 1.0, y, 0.0).sum().backward();
         return line;
       }},
      {"exploding gradient",
       {Kind::backward, "matmul", {0, 0}, infinity, NanCause::overflow},
       [] {
         const Tensor w = numbers({30.0, 0.0, 0.0, 30.0}, {2, 2}, float32);
         Tensor h = leaf({0.0, 0.0}, {1, 2}, float32);
         Where line;
         for (int t = 0; t < 40; ++t) {
           line = below();
           h = tanh(matmul(h, w));
         }
         h.sum().backward();
         return line;
       }},
      {"the sum of gradients",
       {Kind::summed, "mul", {0}, infinity, NanCause::other},
       [] {
         const Tensor x = leaf({1e-30}, {1}, float32);
         const Where line = below();
         const Tensor y = x * 1.0;
         (y * 3e38 + y * 3e38).sum().backward();
         return line;
       }},
      {"the sum that undoes broadcasting",
       {Kind::summed, "mul", {}, infinity, NanCause::other},
       [] {
         const Tensor x = leaf({1.0}, {}, float32);
         const Where line = below();
         (x * ones({2}, float32)).sum().backward(full({}, 3e38, float32));
         return line;
       }},
  };
}

void PrintTo(const Cause& cause, std::ostream* out) {
  *out << cause.name;
}

class PlantedNan : public testing::TestWithParam<Cause> {};

TEST_P(PlantedNan, OriginIsFound) {
  const Cause& cause = GetParam();
  ScopedNanOrigin origin(cause.options);
  const Where line = cause.run();
  ASSERT_TRUE(origin.found());
  const NanReport& report = *origin.found();
  const std::string text = to_string(report);
  EXPECT_EQ(static_cast<int>(report.kind), static_cast<int>(cause.expected.kind)) << text;
  EXPECT_EQ(report.op, cause.expected.op) << text;
  EXPECT_EQ(report.index, cause.expected.index) << text;
  const Where named = report.module.empty() || report.called_from.line == 0 ? report.where : report.called_from;
  if (report.module.rfind("step ", 0) != 0) {
    EXPECT_EQ(to_string(named), to_string(line)) << text;
  } else {
    EXPECT_EQ(to_string(report.where), to_string(line)) << text;
  }
  const double value = cause.expected.value;
  EXPECT_TRUE(std::isnan(value) ? std::isnan(report.value) : report.value == value) << text;
  EXPECT_EQ(static_cast<int>(report.explanation.kind), static_cast<int>(cause.expected.cause)) << text;
}

TEST(NanWords, AreTheGoldenOnes) {
  std::string text;
  for (const auto& causes : {forward_causes(), entering_causes(), backward_causes()}) {
    for (const Cause& cause : causes) {
      ScopedNanOrigin origin(cause.options);
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

// ---- what is told
// ------------------------------------------------------------------------------------------------------

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
  EXPECT_TRUE(fixtures::mentions(origin.found()->history, {"about 30 times larger from call to call"}));
}

// ---- silence
// -----------------------------------------------------------------------------------------------------------

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
