// Ties, as of the largest elements of a max. Any share is fair, but together the tied elements must get the gradient.

#include <autograd/autograd.h>
#include <autograd/gradcheck/gradcheck.h>
#include <autograd/tape/node.h>
#include <autograd/tape/observer.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/support/expect.h"
#include "tests/support/golden.h"
#include "tests/support/pattern.h"

namespace gradcheck_tie_test {

using namespace autograd;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using Change = std::function<Tensor(const Tensor& gradient, const Tensor& dy)>;

// Changes the gradients that one op returns.
class Mistake final : public Observer {
 public:
  Mistake(std::string op, Change change) : op_(std::move(op)), change_(std::move(change)) {}
  Grads run(Node& node, const Tensor& dy) override {
    Grads gradients = node.backward(dy);
    if (op_ != node.name()) return gradients;
    for (Tensor& gradient : gradients) gradient = change_(gradient, dy);
    return gradients;
  }

 private:
  std::string op_;
  Change change_;
};

const Change as_it_is = [](const Tensor& gradient, const Tensor&) { return gradient; };
const Change to_none = [](const Tensor& gradient, const Tensor&) { return 0.0 * gradient; };
const Change to_each = [](const Tensor& gradient, const Tensor& dy) {
  return where(gradient != 0.0, expand(dy, gradient.shape()), 0.0);
};
// Of the largest elements of a vector.
const Change to_the_first = [](const Tensor& gradient, const Tensor& dy) {
  std::vector<double> values = gradient.to_vector();
  bool given = false;
  for (double& value : values) {
    value = value != 0.0 && !given ? dy.item() : 0.0;
    given = given || value != 0.0;
  }
  return from_vector(values, gradient.shape(), float64);
};

GradcheckReport check(const std::string& op, const Change& change, const CheckedFunction& function,
                      const std::vector<Tensor>& inputs) {
  Mistake mistake(op, change);
  const ObserverGuard attached(mistake);
  return gradcheck(function, inputs);
}

Tensor two_largest() {
  return tensor({1.0, 3.0, -2.0, 3.0}, float64).set_name("x");
}

Tensor largest_of(const Tensor& x) {
  return 2.0 * amax(x);
}

TEST(GradcheckTie, StaysAKinkHoweverTheGradientIsShared) {
  for (const Change& change : {as_it_is, to_the_first}) {
    const GradcheckReport report = check("amax", change, largest_of, {two_largest()});
    EXPECT_EQ(report.verdict, Verdict::kink) << report;
    const ElementReport& at = report.inputs[0].worst;
    ASSERT_TRUE(at.tie) << report;
    EXPECT_TRUE(at.tie->right);
    EXPECT_THAT(at.tie->others, ElementsAre("x at [3]"));
    EXPECT_NEAR(at.tie->analytic, at.tie->numeric, 1e-6);
  }
}

TEST(GradcheckTie, FailsWhereNoneGetsAGradient) {
  const GradcheckReport report = check("amax", to_none, largest_of, {two_largest()});
  EXPECT_EQ(report.verdict, Verdict::fail) << report;
  EXPECT_EQ(report.inputs[0].bad, 2);
  ASSERT_TRUE(report.blame) << report;
  EXPECT_EQ(report.blame->op, "amax");
  EXPECT_TRUE(fixtures::says("autograd_gradcheck", {report.inputs[0].cause.text}));
}

TEST(GradcheckTie, FailsWhereEachGetsAllOfIt) {
  const GradcheckReport report = check("amax", to_each, largest_of, {two_largest()});
  EXPECT_EQ(report.verdict, Verdict::fail) << report;
  ASSERT_TRUE(report.blame) << report;
  EXPECT_EQ(report.blame->op, "amax");
  EXPECT_EQ(report.inputs[0].cause.cause, Cause::factor);
  EXPECT_TRUE(fixtures::says("autograd_gradcheck", {report.inputs[0].cause.text}));
}

TEST(GradcheckTie, CountsThreeThatAreTied) {
  const Tensor x = tensor({5.0, 5.0, 1.0, 5.0}, float64).set_name("x");
  EXPECT_EQ(check("amax", as_it_is, largest_of, {x}).verdict, Verdict::kink);
  EXPECT_EQ(check("amax", to_none, largest_of, {x}).verdict, Verdict::fail);
  const GradcheckReport report = check("amax", to_each, largest_of, {x});
  EXPECT_EQ(report.inputs[0].bad, 3);
  EXPECT_TRUE(fixtures::says("autograd_gradcheck", {report.inputs[0].cause.text}));
}

TEST(GradcheckTie, ReachesAcrossInputs) {
  const Tensor a = tensor({1.0, 0.5, 3.0}, float64).set_name("a");
  const Tensor b = tensor({2.0, 0.5, 3.0}, float64).set_name("b");
  for (const CheckedFunction& f :
       {CheckedFunction([](const Tensor&p, const Tensor&q) { return maximum(p, q); }),
        CheckedFunction([](const Tensor&p, const Tensor&q) { return minimum(p, q); })}) {  // made of maximum
    const GradcheckReport right = check("maximum", as_it_is, f, {a, b});
    EXPECT_EQ(right.verdict, Verdict::kink) << right;
    ASSERT_TRUE(right.inputs[0].worst.tie) << right;
    EXPECT_THAT(right.inputs[0].worst.tie->others, ElementsAre("b at [1]"));
    const GradcheckReport wrong = check("maximum", to_each, f, {a, b});
    EXPECT_EQ(wrong.inputs[0].verdict, Verdict::fail) << wrong;
    EXPECT_EQ(wrong.inputs[0].bad, 2) << wrong;
    EXPECT_EQ(check("maximum", to_none, f, {a, b}).verdict, Verdict::fail);
  }
}

// One row of x for every element of the output; a scalar that is tied with several.
TEST(GradcheckTie, HoldsInRowsAndForABroadcastScalar) {
  const Tensor rows = tensor({{3.0, 3.0, 1.0}, {2.0, 3.0, 3.0}}, float64).set_name("x");
  const auto of_rows = [](const Tensor& x) { return amax(x, {1}, true); };
  EXPECT_EQ(check("amax", as_it_is, of_rows, {rows}).verdict, Verdict::kink);
  EXPECT_EQ(check("amax", to_none, of_rows, {rows}).verdict, Verdict::fail);
  EXPECT_EQ(check("amax", to_each, of_rows, {rows}).verdict, Verdict::fail);
  const auto at_least = [](const Tensor& x, const Tensor& low) { return maximum(x, low); };
  const std::vector<Tensor> inputs = {tensor({0.0, 1.0, 0.0, -1.0}, float64), tensor(0.0, float64)};
  const GradcheckReport report = check("maximum", as_it_is, at_least, inputs);
  EXPECT_EQ(report.verdict, Verdict::kink) << report;
  EXPECT_TRUE(report.inputs[0].worst.tie && report.inputs[0].worst.tie->right) << report;
}

// Windows that overlap, as in pooling: [0, 1], [1, 2], [2, 3].
TEST(GradcheckTie, HoldsInWindowsThatOverlap) {
  const auto pooled = [](const Tensor& x) {
    std::vector<Tensor> windows;
    for (std::int64_t i = 0; i < 3; ++i) windows.push_back(amax(narrow(x, 0, i, 2), {0}, true));
    return cat(windows, 0);
  };
  const Tensor x = tensor({1.0, 4.0, 4.0, 2.0}, float64).set_name("x");
  EXPECT_EQ(check("amax", as_it_is, pooled, {x}).verdict, Verdict::kink);
  EXPECT_EQ(check("amax", to_each, pooled, {x}).verdict, Verdict::fail);
}

TEST(GradcheckTie, IsDecidedInTheSecondDerivativeToo) {
  const auto square = [](const Tensor& x) { return pow(amax(x), 2.0); };
  const GradcheckReport report = gradgradcheck(square, {two_largest()});
  EXPECT_EQ(report.verdict, Verdict::kink) << report;
}

// They are at the same kink, and equal; but moving them together does not get them off it.
TEST(GradcheckTie, DecidesNothingAboutReluAtZero) {
  const Tensor zeros_ = tensor({0.0, 1.0, 0.0}, float64).set_name("x");
  for (const double slope : {0.0, 1.0}) {
    const auto convention = [slope](const Tensor& gradient, const Tensor& dy) {
      return gradient + slope * where(gradient == 0.0, dy, 0.0);
    };
    const GradcheckReport report = check("relu", convention, [](const Tensor& x) { return relu(x); }, {zeros_});
    EXPECT_EQ(report.verdict, Verdict::kink) << report;
    EXPECT_FALSE(report.inputs[0].worst.tie) << report;
  }
}

// |a - b| does not change when both move.
TEST(GradcheckTie, IsAlsoThatOfADifference) {
  const Tensor a = tensor({1.0, 2.0}, float64).set_name("a");
  const Tensor b = tensor({1.0, 5.0}, float64).set_name("b");
  const auto distance = [](const Tensor& p, const Tensor& q) { return abs(p - q); };
  EXPECT_EQ(check("abs", as_it_is, distance, {a, b}).verdict, Verdict::kink);
  const auto to_both = [](const Tensor& gradient, const Tensor& dy) {
    return gradient + where(gradient == 0.0, 0.5 * mean(dy), 0.0);
  };
  EXPECT_EQ(check("sub", to_both, distance, {a, b}).verdict, Verdict::fail);
}

// ---- in words ------------------------------------------------------------------------------------------------------------

TEST(GradcheckTie, SaysWhatIsSharedAndWhatIsConvention) {
  const std::string text = to_string(check("amax", as_it_is, largest_of, {two_largest()}));
  std::string words = text;
  for (std::size_t at = words.find("\n      "); at != std::string::npos; at = words.find("\n      ")) {
    words.replace(at, 7, " ");
  }
  const std::string tie = words.substr(words.find("Moved together"));
  EXPECT_TRUE(fixtures::says("autograd_gradcheck", {fixtures::replace(tie, R"(\d[\d.e+-]*)", "N")}));
}

TEST(Report, HasNoErrorBarThatSaysNothing) {
  const Tensor x = tensor({0.0, 1.0}, float64).set_name("x");
  using T = const Tensor&;
  const std::vector<std::function<Tensor(T)>> functions = {
      [](T a) { return relu(a); },       [](T a) { return sign(a) + a * a; },
      [](T a) { return log(a); },        [](T a) { return 0.0 * a; },
      [](T a) { return 1e12 + a * a; },  [](T a) { return amax(a); },
      [](T a) { return (a + 1.0) - a; }, [](T a) { return to(to(a, float32) * 1.0, float64); },
  };
  for (const auto& f : functions) {
    const std::string text = to_string(gradcheck([&](T a) { return f(a); }, {x}));
    for (const char* nothing : {"± 0e+00", "± inf", "± nan", "nan ±"}) EXPECT_THAT(text, Not(HasSubstr(nothing)));
  }
}

// ---- one node: what BACKSTEP=check does ------------------------------------------------------------------------------------

TEST(CheckNode, DecidesATie) {
  const Tensor x = two_largest().requires_grad_();
  const Tensor y = amax(x);
  const Tensor dy = tensor(0.7, float64);
  EXPECT_EQ(check_node(*y.grad_fn(), {x}, dy).verdict, Verdict::kink);
  const auto gradient = [](double first, double second) { return tensor({0.0, first, 0.0, second}, float64); };
  EXPECT_TRUE(check_node(*y.grad_fn(), {x}, dy, {gradient(0.0, 0.7)})) << "all to the last";
  EXPECT_FALSE(check_node(*y.grad_fn(), {x}, dy, {gradient(0.7, 0.7)}));
  EXPECT_FALSE(check_node(*y.grad_fn(), {x}, dy, {gradient(0.0, 0.0)}));
  EXPECT_FALSE(check_node(*y.grad_fn(), {x}, dy, {gradient(0.35, 0.2)}));
}

}  // namespace gradcheck_tie_test
