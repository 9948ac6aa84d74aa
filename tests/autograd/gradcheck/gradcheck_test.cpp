// The gradient checker: what is right must pass, every planted mistake must be caught, named and blamed on the right
// op, and what cannot be decided must be called so.

#include <autograd/autograd.h>
#include <autograd/gradcheck/eps_sweep.h>
#include <autograd/gradcheck/gradcheck.h>
#include <autograd/gradcheck/in_dtype.h>
#include <autograd/gradcheck/numeric_derivative.h>
#include <autograd/pictures/svg.h>
#include <autograd/tape/observer.h>
#include <autograd/tape/record.h>
#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <nn/gradcheck.h>
#include <nn/nn.h>

#include <cmath>
#include <sstream>

#include "tests/support/golden.h"
#include "tests/support/pattern.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/well_formed.h"

namespace gradcheck_test {

using namespace autograd;
using ::testing::ElementsAre;
using ::testing::Not;

// Normal numbers, the same on every run, float64, of a leaf with a name.
Tensor normal(const Shape& shape, const std::string& name, std::uint64_t seed = 1) {
  Generator generator(seed + static_cast<std::uint64_t>(shape.numel()));
  std::vector<double> values(static_cast<std::size_t>(shape.numel()));
  for (double& value : values) value = generator.normal();
  return from_vector(values, shape, float64).set_name(name);
}

// Changes what one op's backward returns, everywhere on the tape.
class Mistake final : public Observer {
 public:
  using Change = std::function<void(const Node& node, const Tensor& dy, Grads& gradients)>;
  Mistake(std::string op, Change change) : op_(std::move(op)), change_(std::move(change)) {}

  Grads run(Node& node, const Tensor& dy) override {
    Grads gradients = node.backward(dy);
    if (op_ == node.name()) change_(node, dy, gradients);
    return gradients;
  }

 private:
  std::string op_;
  Change change_;
};

GradcheckReport check_with_mistake(const std::string& op, const Mistake::Change& change,
                                   const CheckedFunction& function, const std::vector<Tensor>& inputs,
                                   const GradcheckOptions& options = {}) {
  Mistake mistake(op, change);
  const ObserverGuard attached(mistake);
  return gradcheck(function, inputs, options);
}

Cause cause_of_blame(const GradcheckReport& report) {
  return report.blame && report.blame->wrong_input() ? report.blame->wrong_input()->cause.cause : Cause::unknown;
}

// Softmax attention with a broadcast bias: keys [2, 5, 3], query [2, 3], weight [3, 4], bias [4].
Tensor attend(const Tensor& keys, const Tensor& query, const Tensor& weight, const Tensor& bias) {
  const Tensor scores = matmul(keys, unsqueeze(query, 2));  // [2, 5, 1]
  const Tensor shares = softmax(scores, 1);                 // [2, 5, 1]
  const Tensor context = sum(shares * keys, 1);             // [2, 3]
  return tanh(matmul(context, weight) + bias);              // [2, 4]
}

std::vector<Tensor> attend_inputs() {
  return {normal({2, 5, 3}, "keys"), normal({2, 3}, "query"), normal({3, 4}, "weight"), normal({4}, "bias")};
}

// ---- right gradients ---------------------------------------------------------------------------------------

TEST(Gradcheck, PassesAttention) {
  const GradcheckReport report = gradcheck(attend, attend_inputs());
  EXPECT_TRUE(report);
  EXPECT_EQ(report.verdict, Verdict::pass);
  EXPECT_LT(report.max_relative_error, 1e-6);
  ASSERT_EQ(report.inputs.size(), 4u);
  EXPECT_EQ(report.inputs[0].name, "keys");
  EXPECT_EQ(report.inputs[0].shape, Shape({2, 5, 3}));
  EXPECT_EQ(report.inputs[0].checked, 30);
  EXPECT_EQ(report.inputs[0].bad, 0);
}

TEST(Gradcheck, PassesWhatBroadcasts) {
  const auto f = [](const Tensor& a, const Tensor& b, const Tensor& c) { return (a + b) * c / (1.0 + b * b); };
  EXPECT_TRUE(gradcheck(f, {normal({2, 3, 4}, "a"), normal({3, 1}, "b"), normal({4}, "c")}));
}

TEST(Gradcheck, PassesAnEmbeddingWithRepeatedIds) {
  const auto f = [](const Tensor& table, const Tensor& tokens) { return tanh(embedding(table, tokens)); };
  const GradcheckReport report = gradcheck(f, {normal({5, 3}, "table"), ids({{1, 0, 1}, {3, 1, 4}})});
  EXPECT_TRUE(report);
  EXPECT_EQ(report.inputs.size(), 1u) << "ids have no gradient";
}

TEST(Gradcheck, PassesSeveralOutputs) {
  const Tensor x = normal({3, 4}, "x");
  EXPECT_TRUE(gradcheck([](const Tensor& a) { return std::vector<Tensor>{exp(a), a * a, ids({1, 2})}; }, {x}));
  EXPECT_TRUE(gradcheck([](const Tensor& a) { return std::pair(exp(a), a * a); }, {x}));
  EXPECT_TRUE(gradcheck([](const Tensor& a) { return std::tuple(exp(a), a * a, a); }, {x}));
}

TEST(Gradcheck, PassesTheInputItself) {
  EXPECT_TRUE(gradcheck([](const Tensor& x) { return x; }, {normal({3}, "x")}));
}

TEST(Gradcheck, TakesAListOfInputs) {
  const auto product = [](const std::vector<Tensor>& x) { return x[0] * x[1]; };
  EXPECT_TRUE(gradcheck(product, {normal({3}, "a"), normal({3}, "b", 2)}));
}

TEST(Gradcheck, PassesScalarsAndSteepFunctions) {
  EXPECT_TRUE(gradcheck([](const Tensor& x) { return exp(x * x); }, {tensor(1.5)}));
  EXPECT_TRUE(gradcheck([](const Tensor& x) { return sqrt(x); }, {tensor({1e-8, 1e-4, 1.0, 1e6})}));
  EXPECT_TRUE(gradcheck([](const Tensor& x) { return 1.0 / x; }, {tensor({1e-3, -0.02, 50.0})}));
  EXPECT_TRUE(gradcheck([](const Tensor& x) { return sin(30.0 * x); }, {normal({6}, "x")}));
  EXPECT_TRUE(gradcheck([](const Tensor& x) { return 1e6 * x; }, {normal({6}, "x")}));
  EXPECT_TRUE(gradcheck([](const Tensor& x) { return 1e-6 * x; }, {normal({6}, "x")}));
}

TEST(Gradcheck, PassesMaskedScoresOfMinusInfinity) {
  const auto f = [](const Tensor& x) {
    const Tensor scores = masked_fill(x, mask({{false, true, false}, {true, false, false}}), -INFINITY);
    return std::pair(scores, softmax(scores, 1));
  };
  EXPECT_TRUE(gradcheck(f, {normal({2, 3}, "x")}));
}

TEST(Gradcheck, PassesBesideAKink) {
  for (const double distance : {1e-3, 1e-5, 1e-6, 1e-7}) {
    EXPECT_TRUE(gradcheck([](const Tensor& x) { return relu(x); }, {tensor({distance, -distance, 1.0}, float64)}))
        << distance;
    EXPECT_TRUE(gradcheck([](const Tensor& x) { return abs(x); }, {tensor({distance, -distance}, float64)}))
        << distance;
    EXPECT_TRUE(gradcheck([](const Tensor& x) { return amax(x); }, {tensor({2.0, 2.0 - distance, 1.0}, float64)}))
        << distance;
  }
}

// ---- planted mistakes ----------------------------------------------------------------------------------------

struct Planted {
  const char* name;
  const char* op;
  Mistake::Change change;
  Cause cause;
};

void PrintTo(const Planted& planted, std::ostream* out) {
  *out << planted.name;
}

Tensor last_element_dropped(const Tensor& gradient) {
  std::vector<double> values = gradient.to_vector();
  values.back() = 0.0;
  return from_vector(values, gradient.shape(), gradient.dtype());
}

Tensor doubled_where_negative(const Tensor& gradient, const Tensor& x) {
  return autograd::where(x.detach() < 0.0, 2.0 * gradient, gradient);
}

// In attend(): softmax [2, 5, 1], tanh [2, 4], add [2, 4] + [4], mul [2, 5, 1] * [2, 5, 3], the matmuls, sum.
const std::vector<Planted>& planted_mistakes() {
  using N = const Node&;
  using T = const Tensor&;
  static const std::vector<Planted> mistakes = {
      {"sign", "softmax", [](N, T, Grads& g) { g[0] = -g[0]; }, Cause::sign},
      {"small_factor", "tanh", [](N, T, Grads& g) { g[0] = 1.0005 * g[0]; }, Cause::factor},
      {"tiny_factor", "tanh", [](N, T, Grads& g) { g[0] = 1.00001 * g[0]; }, Cause::factor},
      {"factor_two", "matmul", [](N, T, Grads& g) { g[0] = 2.0 * g[0]; }, Cause::factor},
      {"zero", "softmax", [](N, T, Grads& g) { g[0] = 0.0 * g[0]; }, Cause::zero},
      {"not_connected", "tanh", [](N, T, Grads& g) { g[0] = Tensor(); }, Cause::not_connected},
      {"passed_on", "tanh", [](N, T dy, Grads& g) { g[0] = dy; }, Cause::pass_through},
      {"mean_over_batch", "add", [](N, T, Grads& g) { g[1] = mean(g[1], 0); }, Cause::factor},
      {"first_row_only", "add", [](N, T dy, Grads& g) { g[1] = dy[0]; }, Cause::one_slice},
      {"last_row_only", "add", [](N, T dy, Grads& g) { g[1] = dy[-1]; }, Cause::one_slice},
      {"last_element_dropped", "tanh", [](N, T, Grads& g) { g[0] = last_element_dropped(g[0]); }, Cause::some_elements},
      {"backwards", "tanh", [](N, T, Grads& g) { g[0] = flip(g[0], 1); }, Cause::flipped},
      {"shifted", "tanh",
       [](N, T, Grads& g) {
         g[0] = cat({narrow(g[0], 1, 1, 3), narrow(g[0], 1, 0, 1)}, 1);
       },
       Cause::shifted},
      {"reshaped", "tanh",
       [](N, T, Grads& g) {
         g[0] = reshape(g[0].t().clone(), {2, 4});
       },
       Cause::transposed},
      {"nan", "tanh", [](N, T, Grads& g) { g[0] = g[0] / (0.0 * g[0]); }, Cause::not_finite},
      {"summed_over_all", "softmax", [](N, T, Grads& g) { g[0] = g[0] + 0.1; }, Cause::missing_term},
  };
  return mistakes;
}

class PlantedMistake : public ::testing::TestWithParam<Planted> {};

TEST_P(PlantedMistake, IsCaughtNamedAndBlamed) {
  const Planted& planted = GetParam();
  const GradcheckReport report = check_with_mistake(planted.op, planted.change, attend, attend_inputs());
  EXPECT_FALSE(report) << report;
  EXPECT_EQ(report.verdict, Verdict::fail);
  ASSERT_TRUE(report.blame) << report;
  EXPECT_EQ(report.blame->op, planted.op) << report;
  EXPECT_EQ(cause_of_blame(report), planted.cause) << report;
}

INSTANTIATE_TEST_SUITE_P(Gradcheck, PlantedMistake, ::testing::ValuesIn(planted_mistakes()),
                         [](const auto& mistake) { return std::string(mistake.param.name); });

TEST(Gradcheck, BlamesTheFirstWrongOpByLineAndScope) {
  int line = 0;
  const auto f = [&](const Tensor& x) {
    const ScopeGuard scope("encoder", Where::current());
    const Tensor a = exp(x);
    const StepScope step(2);
    line = __LINE__ + 1;
    const Tensor b = tanh(a);
    return tanh(b * a);
  };
  const auto change = [](const Node&, const Tensor& dy, Grads& g) { g[0] = dy; };
  const GradcheckReport report = check_with_mistake("tanh", change, f, {normal({3}, "x")});
  ASSERT_TRUE(report.blame) << report;
  EXPECT_EQ(report.blame->where.line, line);
  EXPECT_EQ(report.blame->scope, "encoder, step 2");
  EXPECT_EQ(report.blame->derivative, "dx = dy * (1 - y^2)");
}

// Its forward() is not what was recorded, as of an op that changed its input in place.
struct Unlike final : Node {
  static constexpr OpText text{"unlike", "y = x", "dx = dy"};
  Tensor forward(const Inputs& x) const override { return 2.0 * x[0].detach(); }
  Grads backward(const Tensor& dy) override { return {dy}; }
};

TEST(Gradcheck, BlamesNoOpThatCannotBeRepeated) {
  const auto f = [](const Tensor& x) {
    Tensor y = x.detach().clone();
    record<Unlike>(y, {&x}, Where::current());
    return tanh(y);
  };
  const auto change = [](const Node&, const Tensor& dy, Grads& g) { g[0] = dy; };
  const GradcheckReport report = check_with_mistake("tanh", change, f, {normal({3}, "x")});
  ASSERT_TRUE(report.blame) << report;
  EXPECT_EQ(report.blame->op, "tanh");
}

TEST(Gradcheck, BlamesNoOpForADetachedPath) {
  const GradcheckReport report = gradcheck([](const Tensor& x) { return x.detach() * x; }, {normal({3}, "x")});
  EXPECT_FALSE(report);
  EXPECT_FALSE(report.blame);
  EXPECT_FALSE(report.blame);
  EXPECT_EQ(report.ops_checked, report.ops);
  EXPECT_GT(report.ops, 0);
  EXPECT_EQ(report.inputs[0].cause.cause, Cause::factor) << "half of it is lost";
}

TEST(Gradcheck, SaysWhenNothingIsConnected) {
  const auto f = [](const Tensor& x, const Tensor& w) { return x.detach() * w; };
  const GradcheckReport report = gradcheck(f, {normal({3}, "x"), normal({3}, "w", 2)});
  EXPECT_EQ(report.inputs[0].cause.cause, Cause::not_connected);
  EXPECT_EQ(report.inputs[1].verdict, Verdict::pass);
}

TEST(Gradcheck, NamesExchangedGradients) {
  const auto change = [](const Node&, const Tensor&, Grads& g) { std::swap(g[0], g[1]); };
  const GradcheckReport report = check_with_mistake(
      "mul", change, [](const Tensor& a, const Tensor& b) { return a * b; }, {normal({5}, "a"), normal({5}, "b", 2)});
  EXPECT_EQ(report.inputs[0].cause.cause, Cause::swapped) << report;
  EXPECT_TRUE(fixtures::says("autograd_gradcheck", {report.inputs[0].cause.text}));
}

TEST(Gradcheck, NamesATransposedGradient) {
  const auto change = [](const Node&, const Tensor&, Grads& g) { g[1] = g[1].t(); };
  const GradcheckReport report =
      check_with_mistake("matmul", change, [](const Tensor& a, const Tensor& b) { return matmul(a, b); },
                         {normal({2, 3}, "a"), normal({3, 3}, "b")});
  EXPECT_EQ(cause_of_blame(report), Cause::transposed) << report;
  EXPECT_EQ(report.inputs[0].verdict, Verdict::pass);
}

TEST(Gradcheck, NamesWrongRepeatedIndices) {
  const Tensor tokens = ids({1, 0, 1, 3});
  const auto overwrite = [&](const Node&, const Tensor& dy, Grads& g) {
    Tensor table = zeros(g[0].shape(), dy.dtype());
    const std::vector<std::int64_t> rows = tokens.to_vector<std::int64_t>();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Tensor row = dy[static_cast<std::int64_t>(i)];
      for (std::int64_t j = 0; j < 2; ++j) table.set_({rows[i], j}, row.at({j}));
    }
    g[0] = table;
  };
  const GradcheckReport report = check_with_mistake(
      "embedding", overwrite, [&](const Tensor& table) { return embedding(table, tokens); }, {normal({5, 2}, "table")});
  EXPECT_EQ(cause_of_blame(report), Cause::repeated) << report;
  EXPECT_TRUE(fixtures::says("autograd_gradcheck", {report.inputs[0].cause.text}));
}

TEST(Gradcheck, NamesAMissingFactor) {
  const auto change = [](const Node&, const Tensor& dy, Grads& g) { g[0] = dy * g[0] / g[0]; };
  const GradcheckReport passed =
      check_with_mistake("exp", change, [](const Tensor& x) { return exp(x); }, {normal({5}, "x")});
  EXPECT_EQ(cause_of_blame(passed), Cause::pass_through) << passed;
  const auto squared = [](const Node&, const Tensor& dy, Grads& g) { g[0] = g[0] * g[0] / dy; };
  const GradcheckReport twice =
      check_with_mistake("exp", squared, [](const Tensor& x) { return exp(x); }, {normal({5}, "x")});
  EXPECT_EQ(cause_of_blame(twice), Cause::elementwise_factor) << twice;
  EXPECT_TRUE(fixtures::says("autograd_gradcheck", {twice.inputs[0].cause.text}));
}

TEST(Gradcheck, NamesTheMissingSumOfSoftmax) {
  Tensor y;
  const auto forgets_sum = [&](const Node&, const Tensor& dy, Grads& g) { g[0] = y.detach() * dy; };
  const GradcheckReport report =
      check_with_mistake("softmax", forgets_sum, [&](const Tensor& x) { return y = softmax(x, 1); },
                         {normal({3, 4}, "x")}, {.blame = false});
  EXPECT_EQ(report.inputs[0].cause.cause, Cause::missing_term) << report;
  EXPECT_TRUE(fixtures::says("autograd_gradcheck", {report.inputs[0].cause.text}));
}

TEST(Gradcheck, NamesTheRegionWhereItIsWrong) {
  Tensor input;
  const auto change = [&](const Node&, const Tensor&, Grads& g) { g[0] = doubled_where_negative(g[0], input); };
  const GradcheckReport report = check_with_mistake("sin", change, [&](const Tensor& x) { return sin(input = x); },
                                                    {normal({8}, "x")}, {.blame = false});
  EXPECT_EQ(report.inputs[0].cause.cause, Cause::some_elements) << report;
  EXPECT_TRUE(fixtures::says("autograd_gradcheck", {report.inputs[0].cause.text}));
}

TEST(Gradcheck, MatchesAFactorToASize) {
  const auto change = [](const Node&, const Tensor&, Grads& g) { g[1] = g[1] / 3.0; };
  const GradcheckReport report =
      check_with_mistake("matmul", change, [](const Tensor& x, const Tensor& w) { return matmul(x, w); },
                         {normal({3, 4}, "x"), normal({4, 5}, "w")});
  const std::string& text = report.inputs[1].cause.text;
  EXPECT_TRUE(fixtures::says("autograd_gradcheck", {text}));
}

// The study of research/debugging.md, section 1.3: the checker must see each of these in every trial.
TEST(Gradcheck, CatchesEveryMistakeInSoftmaxWhateverTheSeed) {
  Tensor y;
  const auto f = [&](const Tensor& x) { return y = softmax(x, 0); };
  const auto element = [](const Tensor& g, std::int64_t i, double value) {
    const Tensor changed = g.clone();
    changed.set_({i}, value);
    return changed;
  };
  using T = const Tensor&;
  const std::vector<std::pair<const char*, std::function<Tensor(T, T)>>> mistakes = {
      {"zero", [](T, T g) { return 0.0 * g; }},
      {"mean term", [&](T dy, T) { return y.detach() * (dy - mean(dy)); }},
      {"sign", [](T, T g) { return -g; }},
      {"one doubled", [&](T, T g) { return element(g, 3, 2.0 * g.at({3})); }},
      {"last dropped", [&](T, T g) { return element(g, -1, 0.0); }},
      {"factor", [](T, T g) { return 1.0005 * g; }},
      {"two exchanged", [&](T, T g) { return element(element(g, 1, g.at({2})), 2, g.at({1})); }},
      {"sum forgotten", [&](T dy, T) { return y.detach() * dy; }},
  };
  for (const auto& mistake : mistakes) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto apply = [&](const Node&, const Tensor& dy, Grads& g) { g[0] = mistake.second(dy, g[0]); };
      const GradcheckReport report = check_with_mistake("softmax", apply, f, {normal({8}, "x", seed)}, {.seed = seed});
      EXPECT_EQ(report.verdict, Verdict::fail) << mistake.first << ", seed " << seed << "\n" << report;
    }
  }
}

// ---- verdicts --------------------------------------------------------------------------------------------------

Verdict verdict_of(const CheckedFunction& function, const Tensor& x) {
  return gradcheck(function, {x}).verdict;
}

TEST(Gradcheck, CallsAKinkAKink) {
  const Tensor at_zero = tensor({1.0, 0.0, -2.0});
  EXPECT_EQ(verdict_of([](const Tensor& x) { return relu(x); }, at_zero), Verdict::kink);
  EXPECT_EQ(verdict_of([](const Tensor& x) { return abs(x); }, at_zero), Verdict::kink) << "0 agrees by luck";
  EXPECT_EQ(verdict_of([](const Tensor& x) { return clamp(x, -2.0, 5.0); }, at_zero), Verdict::kink);
  EXPECT_EQ(verdict_of([](const Tensor& x) { return amax(x); }, tensor({1.0, 3.0, 3.0})), Verdict::kink);
  EXPECT_EQ(verdict_of([](const Tensor& x) { return max(x, 0).values; }, tensor({1.0, 3.0, 3.0})), Verdict::kink);
  EXPECT_EQ(verdict_of([](const Tensor& x) { return maximum(x, 0.0); }, at_zero), Verdict::kink);
  EXPECT_EQ(verdict_of([](const Tensor& x) { return tanh(relu(sin(x))) * 3.0; }, at_zero), Verdict::kink);
}

TEST(Gradcheck, CallsAJumpAKink) {
  const auto step = [](const Tensor& x) { return sign(x) + x * x; };
  EXPECT_EQ(verdict_of(step, tensor({1.0, 0.0})), Verdict::kink);
  EXPECT_TRUE(gradcheck(step, {tensor({1.0, -0.5})}));
}

TEST(Gradcheck, NamesTheOpThatMakesTheKink) {
  const GradcheckReport report = gradcheck([](const Tensor& x) { return exp(relu(2.0 * x)); }, {tensor({1.0, 0.0})});
  const ElementReport& worst = report.inputs[0].worst;
  EXPECT_EQ(worst.kink_op, "relu");
  EXPECT_THAT(worst.index, ElementsAre(1));
  EXPECT_NEAR(std::min(std::abs(worst.left_slope), std::abs(worst.right_slope)), 0.0, 1e-9);
}

TEST(Gradcheck, AllowsKinksWhenAsked) {
  const auto f = [](const Tensor& x) { return relu(x); };
  EXPECT_FALSE(gradcheck(f, {tensor({1.0, 0.0})}));
  EXPECT_TRUE(gradcheck(f, {tensor({1.0, 0.0})}, {.allow_kinks = true}));
}

TEST(Gradcheck, FailsAWrongGradientAtAKink) {
  const auto change = [](const Node&, const Tensor& dy, Grads& g) { g[0] = 1.5 * dy; };
  const auto f = [](const Tensor& x) { return relu(x); };
  const GradcheckReport report = check_with_mistake("relu", change, f, {tensor({0.0, 0.0}, float64)});
  EXPECT_EQ(report.verdict, Verdict::fail) << "1.5 is not between the slopes 0 and 1";
}

// The slopes are 0 and dy.
TEST(Gradcheck, FailsAGradientOutsideTheSlopesOfAKink) {
  for (const auto& [factor, expected] :
       {std::pair{1.02, Verdict::fail}, {-0.02, Verdict::fail}, {0.98, Verdict::kink}}) {
    const auto change = [factor = factor](const Node&, const Tensor& dy, Grads& g) { g[0] = factor * dy; };
    const auto f = [](const Tensor& x) { return relu(x); };
    EXPECT_EQ(check_with_mistake("relu", change, f, {tensor({0.0}, float64)}).verdict, expected) << factor;
  }
}

TEST(Gradcheck, FailsAWrongGradientBesideAKink) {
  const auto change = [](const Node&, const Tensor& dy, Grads& g) { g[0] = 0.5 * dy; };
  const auto f = [](const Tensor& x) { return relu(x); };
  for (const double distance : {1e-2, 1e-3, 1e-5, 1e-6}) {
    const GradcheckReport report = check_with_mistake("relu", change, f, {tensor({distance, 1.0}, float64)});
    EXPECT_EQ(report.inputs[0].bad, 2) << distance << "\n" << report;
  }
}

TEST(Gradcheck, CallsAVanishingGradientVacuous) {
  const Tensor x = normal({3, 4}, "x");
  const auto sum_of_softmax = [](const Tensor& a) { return softmax(a, 1).sum(); };
  EXPECT_EQ(verdict_of(sum_of_softmax, x), Verdict::vacuous);
  EXPECT_EQ(verdict_of([&](const Tensor& a) { return 1e4 * sum_of_softmax(a); }, x), Verdict::vacuous);
  EXPECT_EQ(verdict_of([](const Tensor& a) { return 0.0 * a; }, x), Verdict::vacuous);
  EXPECT_TRUE(gradcheck(sum_of_softmax, {x}, {.allow_vacuous = true}));
}

// VACUOUS is what cannot be told from zero; what is small can be, and is judged.
TEST(Gradcheck, JudgesSmallGradients) {
  const Tensor x = normal({3}, "x");
  for (const double size : {1e-9, 1e-12, 1e-20, 1e-100}) {
    const auto right = [size](const Tensor& a) { return a * a * size; };
    const auto half = [size](const Tensor& a) { return a * size + a.detach() * size; };
    const auto nearly = [size](const Tensor& a) { return a * size + a.detach() * (1e-3 * size); };
    EXPECT_EQ(verdict_of(right, x), Verdict::pass) << size;
    EXPECT_EQ(verdict_of(half, x), Verdict::fail) << size;
    EXPECT_EQ(verdict_of(nearly, x), size > 1e-10 ? Verdict::pass : Verdict::fail) << "atol is 1e-10; " << size;
    EXPECT_FALSE(gradcheck(half, {x}, {.allow_vacuous = true})) << size;
  }
  EXPECT_EQ(verdict_of([](const Tensor& a) { return sigmoid(a); }, tensor({-50.0, -40.0}, float64)), Verdict::pass);
}

// No number stands there for a derivative that is not known.
TEST(Gradcheck, GivesNoNumericDerivativeWhereThereIsNone) {
  const GradcheckReport report = gradcheck([](const Tensor& a) { return a.log(); }, {tensor({0.0}, float64)});
  ASSERT_FALSE(report.inputs.empty());
  EXPECT_EQ(report.verdict, Verdict::domain);
  EXPECT_TRUE(std::isnan(report.inputs[0].worst.numeric));
}

TEST(Gradcheck, CallsAnInputThatIsNotUsedVacuous) {
  const auto f = [](const Tensor& a, const Tensor&, const Tensor&) { return a * a; };
  const std::vector<Tensor> inputs = {normal({2}, "a"), normal({3}, "b"), normal({4}, "c")};
  const GradcheckReport report = gradcheck(f, inputs);
  EXPECT_EQ(report.verdict, Verdict::vacuous);
  EXPECT_EQ(report.inputs[0].verdict, Verdict::pass);
  EXPECT_EQ(report.inputs[1].verdict, Verdict::vacuous);
  EXPECT_EQ(report.inputs[2].verdict, Verdict::vacuous);
  EXPECT_TRUE(gradcheck(f, inputs, {.allow_vacuous = true}));
}

TEST(Gradcheck, FailsAWrongSoftmaxThatASumWouldHide) {
  const auto change = [](const Node&, const Tensor&, Grads& g) { g[0] = -g[0]; };
  const Tensor x = normal({3, 4}, "x");
  const auto summed = [](const Tensor& a) { return softmax(a, 1).sum(); };
  EXPECT_EQ(check_with_mistake("softmax", change, summed, {x}).verdict, Verdict::vacuous) << "not PASS";
  EXPECT_EQ(check_with_mistake("softmax", change, [](const Tensor& a) { return softmax(a, 1); }, {x}).verdict,
            Verdict::fail);
}

TEST(Gradcheck, CallsALargeOffsetNoisy) {
  const Tensor x = normal({6}, "x");
  EXPECT_EQ(verdict_of([](const Tensor& a) { return 1e12 + a * a; }, x), Verdict::noisy);
  EXPECT_EQ(verdict_of([](const Tensor& a) { return (1e12 + a * a) - 1e12; }, x), Verdict::noisy);
  EXPECT_EQ(verdict_of([](const Tensor& a) { return to(to(a, float32) * 1.0, float64); }, x), Verdict::noisy);
  // Ridders' method gets to the bottom of this one, with an error bar of 3e-7.
  EXPECT_EQ(verdict_of([](const Tensor& a) { return 1e8 + a * a; }, x), Verdict::pass);
}

TEST(Gradcheck, FailsAWrongGradientInSpiteOfNoise) {
  const auto change = [](const Node&, const Tensor&, Grads& g) { g[0] = -g[0]; };
  const auto f = [](const Tensor& a) { return 1e10 + exp(a); };
  EXPECT_EQ(check_with_mistake("exp", change, f, {normal({6}, "x")}).verdict, Verdict::fail);
}

TEST(Gradcheck, CallsTheEdgeOfTheDomainDomain) {
  EXPECT_EQ(verdict_of([](const Tensor& x) { return log(x); }, tensor({1.0, 0.0})), Verdict::domain);
  EXPECT_EQ(verdict_of([](const Tensor& x) { return sqrt(x); }, tensor({1.0, 0.0})), Verdict::domain);
  EXPECT_EQ(verdict_of([](const Tensor& x) { return log(x); }, tensor({1.0, -1.0})), Verdict::domain) << "NaN";
  EXPECT_EQ(verdict_of([](const Tensor& x) { return exp(x); }, tensor({1.0, 1000.0})), Verdict::domain);
}

TEST(Gradcheck, FailsAnInfiniteGradientBesideAnOutputThatOverflows) {
  const auto change = [](const Node&, const Tensor&, Grads& g) {
    g[0] = g[0].clone();
    g[0].set_({0}, INFINITY);
  };
  const auto f = [](const Tensor& x) { return exp(x); };
  const GradcheckReport report = check_with_mistake("exp", change, f, {tensor({1.0, 1000.0})});
  EXPECT_EQ(report.inputs[0].verdict, Verdict::fail);
  EXPECT_EQ(report.inputs[0].bad, 1) << report;
}

// Over narrow steps 1e12 hides the slope: no output changes, and all differences agree that it is zero.
TEST(Ridders, ASlopeHiddenByRoundingLiesWithinTheErrorBar) {
  const Tensor x = tensor(0.3, float64);
  const checker::Probe probe([&] { return std::vector<Tensor>{1e12 + 0.1 * x}; }, {tensor(1.0, float64)});
  const checker::Estimate estimate = checker::ridders(probe, *x.data_ptr<double>(), 5e-4);
  EXPECT_LE(std::abs(estimate.value - 0.1), estimate.error) << estimate.value;
}

TEST(Gradcheck, CallsDropoutNondeterministic) {
  const Tensor x = normal({4, 5}, "x");
  const auto f = [](const Tensor& a) { return tanh(dropout(a, 0.5)); };
  const GradcheckReport report = gradcheck(f, {x});
  EXPECT_EQ(report.verdict, Verdict::nondeterministic);
  EXPECT_FALSE(report);
  EXPECT_TRUE(fixtures::says("autograd_gradcheck", {to_string(report)}));
  EXPECT_TRUE(gradcheck(f, {x}, {.reseed = true}));
}

TEST(Gradcheck, CallsARandomBackwardNondeterministic) {
  Generator generator(3);
  const auto change = [&](const Node&, const Tensor&, Grads& g) { g[0] = g[0] * (1.0 + 1e-15 * generator.normal()); };
  const auto f = [](const Tensor& x) { return exp(x); };
  EXPECT_EQ(check_with_mistake("exp", change, f, {normal({9}, "x")}).verdict, Verdict::nondeterministic);
}

// ---- besides the numbers ---------------------------------------------------------------------------------------

TEST(Gradcheck, SeesABackwardThatIgnoresTheCotangent) {
  const auto ones_instead = [](const Node&, const Tensor&, Grads& g) { g[0] = ones_like(g[0]); };
  const auto f = [](const Tensor& x) { return x.exp(); };
  const GradcheckReport report = check_with_mistake("exp", ones_instead, f, {normal({3}, "x")});
  ASSERT_FALSE(report.problems.empty());
  EXPECT_TRUE(fixtures::says("autograd_gradcheck", {report.problems[0]}));
}

TEST(Gradcheck, SeesABackwardThatIsNotLinear) {
  const auto squares = [](const Node&, const Tensor& dy, Grads& g) { g[0] = g[0] * abs(dy); };
  const GradcheckReport report =
      check_with_mistake("exp", squares, [](const Tensor& x) { return x.exp(); }, {normal({3}, "x")});
  ASSERT_FALSE(report.problems.empty());
  EXPECT_TRUE(fixtures::says("autograd_gradcheck", {report.problems[0]}));
}

TEST(Gradcheck, UsesSignedCotangents) {
  std::vector<double> cotangent;
  const auto look = [&](const Node&, const Tensor& dy, Grads&) {
    if (cotangent.empty()) cotangent = dy.to_vector();
  };
  check_with_mistake("exp", look, [](const Tensor& x) { return x.exp(); }, {normal({20}, "x")});
  EXPECT_LT(*std::min_element(cotangent.begin(), cotangent.end()), -0.5);
  EXPECT_GT(*std::max_element(cotangent.begin(), cotangent.end()), 0.5);
  for (const double value : cotangent) EXPECT_GE(std::abs(value), 0.5) << "no element counts for nothing";
}

TEST(Gradcheck, SeesAFunctionThatChangesItsInputs) {
  const auto f = [](const Tensor& x, const Tensor& scratch) {
    scratch.fill_(1.0);
    return x * x;
  };
  const Tensor x = normal({3}, "x").requires_grad_();
  const GradcheckReport report = gradcheck(f, {x, normal({3}, "scratch")});
  EXPECT_FALSE(report);
  ASSERT_EQ(report.problems.size(), 1u);
  EXPECT_TRUE(fixtures::says("autograd_gradcheck", {report.problems[0]}));
}

TEST(Gradcheck, ChecksOnlyWhatRequiresAGradient) {
  const auto f = [](const Tensor& a, const Tensor& b) { return a * b; };
  const Tensor a = normal({3}, "a").requires_grad_();
  EXPECT_EQ(gradcheck(f, {a, normal({3}, "b", 2)}).inputs.size(), 1u);
  EXPECT_EQ(gradcheck(f, {normal({3}, "a"), normal({3}, "b", 2)}).inputs.size(), 2u);
}

TEST(Gradcheck, LeavesItsInputsAndTheGeneratorAlone) {
  const Tensor x = tensor({1.0, 2.0, 3.0}).requires_grad_();
  manual_seed(7);
  const double expected = default_generator().uniform();
  manual_seed(7);
  EXPECT_TRUE(gradcheck([](const Tensor& a) { return dropout(a * a, 0.2); }, {x}, {.reseed = true}));
  EXPECT_EQ(default_generator().uniform(), expected);
  EXPECT_EQ(x.dtype(), float32);
  EXPECT_THAT(x.to_vector(), ElementsAre(1.0, 2.0, 3.0));
  EXPECT_FALSE(x.grad().defined());
}

TEST(Gradcheck, NamesInputs) {
  const auto f = [](const Tensor& a, const Tensor& b) { return a * b; };
  const Tensor unnamed = normal({3}, "");
  EXPECT_EQ(gradcheck(f, {unnamed, unnamed}).inputs[1].name, "input 1");
  EXPECT_EQ(gradcheck(f, {unnamed, unnamed}, {.names = {"left", "right"}}).inputs[1].name, "right");
}

TEST(Gradcheck, KeepsEveryNumber) {
  const InputReport input = gradcheck([](const Tensor& x) { return x * x; }, {normal({2, 3}, "x")}).inputs[0];
  EXPECT_EQ(input.analytic.shape(), Shape({2, 3}));
  EXPECT_TRUE(allclose(input.numeric, input.analytic, 1e-6));
  EXPECT_EQ(input.error_bar.dtype(), float64);
}

TEST(Gradcheck, WorksInsideNoGradGuard) {
  const NoGradGuard no_grad;
  EXPECT_TRUE(gradcheck([](const Tensor& x) { return exp(x); }, {normal({3}, "x")}));
  EXPECT_FALSE(grad_enabled());
}

TEST(Gradcheck, ChecksAFunctionThatDifferentiatesItself) {
  const auto gradient_of_cube = [](const Tensor& x) {
    return grad((x * x * x).sum(), {x}, {.create_graph = true})[0];  // 3 x^2
  };
  EXPECT_TRUE(gradcheck(gradient_of_cube, {normal({4}, "x")}));
}

// ---- errors ------------------------------------------------------------------------------------------------------

template <class Call> ErrorId error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.id();
  }
  ADD_FAILURE() << "no error";
  return ErrorId::out_of_memory;
}

TEST(Gradcheck, RefusesWhatCannotBeChecked) {
  const auto square = [](const Tensor& x) { return x * x; };
  const Tensor x = normal({3}, "x");
  EXPECT_EQ(error_of([&] { gradcheck(square, {x, x}); }), ErrorId::bad_argument) << "two inputs for one parameter";
  EXPECT_EQ(error_of([&] { gradcheck(square, {ids({1, 2})}); }), ErrorId::bad_argument) << "nothing floating";
  EXPECT_EQ(error_of([&] { gradcheck(square, {Tensor()}); }), ErrorId::undefined_tensor);
  const auto no_output = [](const Tensor& a) { return a > 0.0; };
  EXPECT_EQ(error_of([&] { gradcheck(no_output, {x}); }), ErrorId::bad_argument) << "no floating output";
  const Tensor derived = x.requires_grad_() * 2.0;
  EXPECT_EQ(error_of([&] { gradcheck([&] { return derived * derived; }, {derived}); }), ErrorId::bad_argument);
}

TEST(Gradcheck, ExplainsAFloat32TensorThatIsCaptured) {
  std::vector<std::string> said;
  const Tensor captured = tensor({1.0, 2.0});
  try {
    gradcheck([&](const Tensor& x) { return x * captured; }, {tensor({3.0, 4.0})});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), ErrorId::dtype_mismatch);
    said.push_back(error.what());
  }
  EXPECT_TRUE(fixtures::says("autograd_gradcheck", said));
}

TEST(Gradcheck, GivesEverythingBackWhenTheFunctionThrows) {
  const Tensor x = tensor({1.0, 2.0}).requires_grad_();
  int calls = 0;
  const auto throws_later = [&]() -> Tensor {
    if (++calls > 8) throw std::runtime_error("enough");
    return x * x;
  };
  EXPECT_THROW(gradcheck(throws_later, {x}), std::runtime_error);
  EXPECT_EQ(x.dtype(), float32);
  EXPECT_THAT(x.to_vector(), ElementsAre(1.0, 2.0));
  calls = -1'000'000;
  EXPECT_EQ(gradcheck(throws_later, {x}).verdict, Verdict::pass);
}

// ---- functions that use their inputs by capture --------------------------------------------------------------------

TEST(Gradcheck, ChecksCapturedTensorsInPlace) {
  const Tensor w = tensor({{0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}}).set_name("w").requires_grad_();
  const Tensor b = tensor({0.7, 0.8}).set_name("b").requires_grad_();
  const Tensor x = tensor({{1.0, -1.0, 2.0}});
  const std::vector<float> before = w.to_vector<float>();
  const GradcheckReport report = gradcheck([&] { return tanh(linear(x, w, b)); }, {w, b, x});
  EXPECT_TRUE(report);
  EXPECT_EQ(report.inputs.size(), 2u) << "x does not require a gradient";
  EXPECT_EQ(w.dtype(), float32);
  EXPECT_EQ(w.to_vector<float>(), before);
  EXPECT_FALSE(w.grad().defined());
  EXPECT_FALSE(x.requires_grad());
}

TEST(Gradcheck, ChecksATensorThatIsNamedTwiceOnce) {
  const Tensor w = normal({3}, "w");
  EXPECT_EQ(gradcheck([&] { return w * w; }, {w, w}).inputs.size(), 1u);
}

TEST(InDType, GivesBackMemoryViewsAndGraphs) {
  const Tensor whole = tensor({{1.0, 2.0}, {3.0, 4.0}});
  const Tensor column = whole.select(1, 1).detach().requires_grad_();
  const Tensor loss = (column * column).sum();
  {
    const InDType in_float64({column}, float64);
    EXPECT_EQ(column.dtype(), float64);
    EXPECT_THAT(column.to_vector(), ElementsAre(2.0, 4.0));
    EXPECT_THAT(grad((column * column * column).sum(), {column})[0].to_vector(), ElementsAre(12.0, 48.0));
  }
  EXPECT_EQ(column.dtype(), float32);
  EXPECT_FALSE(column.is_contiguous());
  loss.backward();
  EXPECT_THAT(column.grad().to_vector(), ElementsAre(4.0, 8.0));
}

// ---- observers ------------------------------------------------------------------------------------------------------

class Counter final : public Observer {
 public:
  int recorded_ops = 0;
  int runs = 0;
  void recorded(Node&, const Inputs&, const Tensor&) override { ++recorded_ops; }
  Grads run(Node& node, const Tensor& dy) override {
    ++runs;
    Grads gradients = node.backward(dy);
    gradients[0] = 3.0 * gradients[0];
    return gradients;
  }
};

TEST(Gradcheck, LetsTheCallersObserverSeeThePassOfBlame) {
  Counter counter;
  const ObserverGuard attached(counter);
  const auto f = [](const Tensor& x) { return exp(x); };
  gradcheck(f, {normal({3}, "x")}, {.blame = false});
  const int without_blame = counter.runs;
  counter.recorded_ops = counter.runs = 0;
  const GradcheckReport report = gradcheck(f, {normal({3}, "x")});
  EXPECT_GT(counter.runs, without_blame);
  EXPECT_GT(counter.recorded_ops, 0);
  EXPECT_TRUE(report.blame);
  EXPECT_EQ(observer(), &counter);
}

// ---- second order
// ----------------------------------------------------------------------------------------------------

TEST(Gradgradcheck, PassesAttention) {
  EXPECT_TRUE(gradgradcheck(attend, attend_inputs()));
  const GradcheckReport report = gradcheck(attend, attend_inputs(), {.second_order = true});
  EXPECT_TRUE(report);
  ASSERT_TRUE(report.second_order);
  EXPECT_EQ(report.second_order->inputs.back().name, "cotangent");
}

TEST(Gradgradcheck, PassesALinearFunction) {
  EXPECT_TRUE(gradgradcheck([](const Tensor& x) { return 3.0 * x; }, {normal({3}, "x")}));
}

TEST(Gradgradcheck, CatchesADerivativeThatIsNotOnTheTape) {
  const auto detached = [](const Node&, const Tensor& dy, Grads& g) { g[0] = (g[0] / dy).detach() * dy; };
  Mistake mistake("tanh", detached);
  const ObserverGuard attached(mistake);
  const auto f = [](const Tensor& x) { return tanh(x); };
  const Tensor x = normal({4}, "x");
  EXPECT_TRUE(gradcheck(f, {x})) << "the first derivative is right";
  const GradcheckReport report = gradcheck(f, {x}, {.second_order = true});
  EXPECT_FALSE(report);
  EXPECT_EQ(report.verdict, Verdict::fail);
  EXPECT_EQ(report.second_order->inputs[0].verdict, Verdict::fail);
}

TEST(Gradgradcheck, BlamesAnOpOfTheDerivative) {
  const auto change = [](const Node& node, const Tensor&, Grads& g) {
    if (node.backward_of) g[0] = 1.5 * g[0];
  };
  Mistake mistake("mul", change);
  const ObserverGuard attached(mistake);
  const auto f = [](const Tensor& x) { return tanh(x); };
  const GradcheckReport report = gradcheck(f, {normal({4}, "x")}, {.second_order = true});
  ASSERT_TRUE(report.second_order->blame) << report;
  EXPECT_EQ(report.second_order->blame->op, "mul");
  EXPECT_EQ(report.second_order->blame->backward_of, "tanh");
}

// ---- one node
// ----------------------------------------------------------------------------------------------------------

// Checks each node while the program's own backward runs, as a sanitizer would.
class Sanitizer final : public Observer {
 public:
  std::vector<NodeReport> wrong;
  int checked = 0;

  void recorded(Node& node, const Inputs& inputs, const Tensor&) override { inputs_[&node] = inputs; }
  Grads run(Node& node, const Tensor& dy) override {
    Grads gradients = node.backward(dy);
    if (op_to_spoil == node.name()) gradients[0] = 1.01 * gradients[0];
    if (node.is_leaf()) return gradients;
    ++checked;
    const NodeReport report = check_node(node, inputs_.at(&node), dy, gradients);
    if (!report) wrong.push_back(report);
    return gradients;
  }
  std::string op_to_spoil;

 private:
  std::map<const Node*, Inputs> inputs_;
};

TEST(CheckNode, PassesEveryOpOfAFloat32Program) {
  Sanitizer sanitizer;
  const ObserverGuard attached(sanitizer);
  manual_seed(1);
  const Tensor table = randn({6, 4}).requires_grad_();
  const Tensor weight = randn({3, 4}).requires_grad_();
  const Tensor class_weights = tensor({0.5, 1.0, 2.0});
  const Tensor x = dropout(embedding(table, ids({1, 0, 1, 5}), 0), 0.25);
  const Tensor loss = cross_entropy(linear(relu(x), weight), ids({0, 2, 1, 1}), {.weight = class_weights});
  loss.backward();
  EXPECT_GE(sanitizer.checked, 5);
  for (const NodeReport& report : sanitizer.wrong) ADD_FAILURE() << report;
}

TEST(CheckNode, CatchesAMistakeInAFloat32Program) {
  Sanitizer sanitizer;
  sanitizer.op_to_spoil = "tanh";
  const ObserverGuard attached(sanitizer);
  manual_seed(1);
  const Tensor x = randn({6, 4}).requires_grad_();
  (softmax(tanh(x), 1) * randn({6, 4})).sum().backward();
  ASSERT_EQ(sanitizer.wrong.size(), 1u);
  EXPECT_EQ(sanitizer.wrong[0].op, "tanh");
  const ElementReport& worst = sanitizer.wrong[0].wrong_input()->worst;
  EXPECT_NEAR(worst.analytic / worst.numeric, 1.01, 1e-3);
}

TEST(CheckNode, RunsBackwardByItself) {
  const Tensor x = normal({3}, "x").requires_grad_();
  const Tensor y = exp(x);
  EXPECT_TRUE(check_node(*y.grad_fn(), {x}, ones({3}, float64)));
  Mistake mistake("exp", [](const Node&, const Tensor&, Grads& g) { g[0] = -g[0]; });
  const ObserverGuard attached(mistake);
  const NodeReport report = check_node(*y.grad_fn(), {x}, ones({3}, float64));
  EXPECT_FALSE(report);
  ASSERT_NE(report.wrong_input(), nullptr);
  EXPECT_EQ(report.wrong_input()->cause.cause, Cause::sign);
}

TEST(CheckNode, ExcusesOnePaddingRowOfAnEmbedding) {
  const Tensor table = normal({4, 2}, "table").requires_grad_();
  const Tensor y = embedding(table, ids({2, 1, 2}), 2);
  EXPECT_TRUE(check_node(*y.grad_fn(), {table}, normal({3, 2}, "dy")));
  Mistake mistake("embedding", [](const Node&, const Tensor&, Grads& g) { g[0] = 0.0 * g[0]; });
  const ObserverGuard attached(mistake);
  EXPECT_FALSE(check_node(*y.grad_fn(), {table}, normal({3, 2}, "dy"))) << "two rows get nothing";
}

// ---- the numeric derivative
// ----------------------------------------------------------------------------------------------

struct KnownDerivative {
  const char* name;
  std::function<Tensor(const Tensor&)> function;
  double x;
  double derivative;
};

TEST(Ridders, IsWithinItsErrorBar) {
  const std::vector<KnownDerivative> known = {
      {"exp", [](const Tensor& x) { return exp(x); }, 1.0, std::exp(1.0)},
      {"sin", [](const Tensor& x) { return sin(x); }, 2.0, std::cos(2.0)},
      {"tanh", [](const Tensor& x) { return tanh(x); }, 0.3, 1.0 - std::pow(std::tanh(0.3), 2)},
      {"log", [](const Tensor& x) { return log(x); }, 0.1, 10.0},
      {"cube", [](const Tensor& x) { return x * x * x; }, -3.0, 27.0},
      {"offset", [](const Tensor& x) { return 1e8 + x * x; }, 0.5, 1.0},
      {"linear", [](const Tensor& x) { return 7.0 * x; }, 1e5, 7.0},
  };
  for (const KnownDerivative& one : known) {
    const Tensor x = tensor(one.x, float64);
    const checker::Probe probe([&] { return std::vector<Tensor>{one.function(x)}; }, {tensor(1.0, float64)});
    const checker::Estimate estimate = checker::ridders(probe, *x.data_ptr<double>(), 1e-2 * checker::step_unit(one.x));
    EXPECT_LE(std::abs(estimate.value - one.derivative), 2.0 * estimate.error) << one.name;
    EXPECT_LE(estimate.error, 1e-5 * std::abs(one.derivative)) << one.name;
    EXPECT_EQ(x.item(), one.x) << "put back";
  }
}

// ---- the report
// -----------------------------------------------------------------------------------------------------------

// Numbers that are the same on every machine: halves and quarters.
GradcheckReport report_of_a_mean_for_a_sum() {
  const auto change = [](const Node&, const Tensor&, Grads& g) { g[1] = mean(g[1], 0); };
  const auto f = [](const Tensor& x, const Tensor& bias) { return x + bias; };
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}}).set_name("x");
  return check_with_mistake("add", change, f, {x, tensor({1, 2, 3}).set_name("bias")});
}

// Line numbers change with this file, and rounding errors (numbers below 1e-9) with the machine.
std::string without_variable_parts(const std::string& text) {
  const std::string with_lines = fixtures::replace(text, R"(gradcheck_test\.cpp:\d+)", "gradcheck_test.cpp:00");
  return fixtures::replace(with_lines, R"(\d(\.\d)?e-1\d)", "xe-1x");
}

TEST(Report, IsForReading) {
  EXPECT_EQ(
      without_variable_parts(to_string(report_of_a_mean_for_a_sum())),
      R"(gradcheck FAIL at tests/autograd/gradcheck/gradcheck_test.cpp:00: 3 of 15 elements wrong, max relative error 7.5e-01

  input  shape     wrong  worst at     analytic  numeric ± error bar  relative  verdict
  x      [4, 3]  0 of 12  [1, 2]    -0.61429746  -0.61429746 ± xe-1x   xe-1x  PASS
  bias   [3]      3 of 3  [0]        0.39509197    1.5803679 ± xe-1x   7.5e-01  FAIL

  first wrong op: add at tests/autograd/gradcheck/gradcheck_test.cpp:00
    y = a + b    da = dy, db = dy
    bias [3] at [0]: backward says 0.39509197, differences say 1.5803679 ± xe-1x
    likely: exactly 1/4 of the true gradient everywhere; dim 0 of the output has 4: a mean where a
        sum belongs?)");
}

TEST(Report, HasAtMostAHundredColumns) {
  for (const Planted& planted : planted_mistakes()) {
    const std::string report = to_string(check_with_mistake(planted.op, planted.change, attend, attend_inputs()));
    std::istringstream lines(
        fixtures::replace(report, R"(tests/autograd/gradcheck/)", ""));  // as long as the user's path is
    for (std::string line; std::getline(lines, line);) {
      const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
      const auto columns = line.size() - static_cast<std::size_t>(std::count_if(line.begin(), line.end(), continues));
      EXPECT_LE(columns, 100u) << line;
    }
  }
}

TEST(Report, IsShownByAFailingTest) {
  EXPECT_NONFATAL_FAILURE(EXPECT_TRUE(report_of_a_mean_for_a_sum()), "first wrong op: add");
  EXPECT_EQ(fmt::format("{}", report_of_a_mean_for_a_sum()), to_string(report_of_a_mean_for_a_sum()));
}

// ---- the sweep
// --------------------------------------------------------------------------------------------------------------

EpsSweep sweep_of_softmax() {
  const auto f = [](const Tensor& w, const Tensor& x) { return softmax(tanh(matmul(w, x)), 0); };
  return eps_sweep(f, {normal({4, 3}, "w"), normal({3}, "x")});
}

TEST(EpsSweep, FindsTheBestStepOfEachFormula) {
  const EpsSweep sweep = sweep_of_softmax();
  ASSERT_EQ(sweep.curves.size(), 4u);
  const auto best = [&](std::size_t curve) { return sweep.curves[curve].errors[sweep.curves[curve].best()]; };
  EXPECT_LT(best(0), 1e-8) << "float64, central";
  EXPECT_LT(best(1), best(0)) << "float64, 5 points";
  EXPECT_GT(best(2), 1e-6) << "float32, central: never more than a few digits";
  EXPECT_GT(sweep.curves[0].errors.front(), 1e3 * best(0)) << "too wide a step";
  EXPECT_GT(sweep.curves[0].errors.back(), 1e3 * best(0)) << "too narrow a step";
  EXPECT_NEAR(sweep.curves[2].errors.back(), 1.0, 0.1) << "x + h == x in float32";
}

TEST(EpsSweep, StaysHighForAWrongGradient) {
  Mistake mistake("tanh", [](const Node&, const Tensor& dy, Grads& g) { g[0] = dy; });
  const ObserverGuard attached(mistake);
  for (const EpsSweep::Curve& curve : sweep_of_softmax().curves) EXPECT_GT(curve.errors[curve.best()], 1e-2);
}

TEST(EpsSweep, TakesCapturedTensors) {
  const Tensor x = tensor({0.5, 1.5}).requires_grad_();
  const EpsSweep sweep = eps_sweep([&] { return exp(x); }, {x}, {.five_point = false});
  EXPECT_EQ(sweep.curves.size(), 2u);
  EXPECT_EQ(x.dtype(), float32);
  EXPECT_THAT(x.to_vector(), ElementsAre(0.5, 1.5));
}

TEST(EpsSweep, LeavesOutWhatCannotRunInFloat32) {
  const Tensor captured = tensor({2.0, 3.0}, float64);
  const EpsSweep sweep = eps_sweep([&](const Tensor& x) { return x * captured; }, {normal({2}, "x")});
  EXPECT_EQ(sweep.curves.size(), 2u);
  EXPECT_TRUE(fixtures::says("autograd_gradcheck", sweep.left_out));
}

TEST(EpsSweep, WritesAnSvg) {
  const fixtures::TemporaryFolder folder;
  sweep_of_softmax().write_svg(folder / "sweep.svg");
  const std::string svg = fixtures::content_of(folder / "sweep.svg");
  EXPECT_EQ(svg, sweep_of_softmax().svg());
  EXPECT_EQ(fixtures::count(svg, "class=\"curve\" d="), 4u);
  EXPECT_EQ(error_of([] { sweep_of_softmax().write_svg("/no/such/folder/sweep.svg"); }), ErrorId::bad_file);
}

TEST(Svg, EscapesMarkup) {
  EXPECT_EQ(svg::escape("a < b & \"c\" > d"), "a &lt; b &amp; &quot;c&quot; &gt; d");
  EXPECT_EQ(svg::escape("\x01\t\xFF"), "\\x01\\x09\\xff");
}

// ---- modules
// ------------------------------------------------------------------------------------------------------------------

TEST(NnGradcheck, ChecksEveryParameterAndGivesTheBitsBack) {
  manual_seed(5);
  nn::AdditiveAttention attention({.decoder_dim = 3, .encoder_dim = 4, .attention_dim = 5});
  const Tensor state = randn({2, 3}).set_name("state");
  const Tensor outputs = randn({2, 6, 4}).set_name("outputs");
  const Tensor where_tokens = length_mask({6, 4});
  const nn::StateDict before = attention.state_dict();

  const GradcheckReport report =
      nn::gradcheck(attention, [&] { return attention(state, outputs, where_tokens).context; }, {state, outputs});
  EXPECT_TRUE(report);
  std::vector<std::string> names;
  for (const InputReport& input : report.inputs) names.push_back(input.name);
  EXPECT_THAT(names, ElementsAre("state", "outputs", "W_dec.weight", "W_enc.weight", "v.weight"));

  for (const auto& [name, tensor] : attention.state_dict()) {
    EXPECT_EQ(tensor.dtype(), float32);
    EXPECT_EQ(tensor.to_vector<float>(), before.at(name).to_vector<float>()) << name;
  }
  EXPECT_FALSE(state.requires_grad());
}

TEST(NnGradcheck, BlamesAnOpInsideAModule) {
  manual_seed(5);
  nn::AdditiveAttention attention({.decoder_dim = 3, .encoder_dim = 4, .attention_dim = 5});
  const Tensor state = randn({2, 3});
  const Tensor outputs = randn({2, 6, 4});
  Mistake mistake("tanh", [](const Node&, const Tensor& dy, Grads& g) { g[0] = dy; });
  const ObserverGuard attached(mistake);
  const GradcheckReport report =
      nn::gradcheck(attention, [&] { return attention(state, outputs).context; }, {state, outputs});
  ASSERT_TRUE(report.blame) << report;
  EXPECT_EQ(report.blame->op, "tanh");
  EXPECT_EQ(report.blame->scope, "AdditiveAttention");
}

}  // namespace gradcheck_test
