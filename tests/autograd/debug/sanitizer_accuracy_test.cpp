// How small a mistake the gradient sanitizer finds, and what it takes for none: no alarm for 10,000 random calls of
// right ops in each dtype, and no mistake beyond the tolerance that its report states is missed.
#include <autograd/debug/check/sanitizer.h>
#include <autograd/ops/op.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "tests/autograd/debug/cancelling_calls.h"
#include "tests/autograd/debug/random_calls.h"
#include "tests/support/address_sanitizer.h"
#include "tests/support/expect.h"
#include "tests/support/golden.h"

namespace sanitizer_accuracy_test {

using namespace autograd;
using debug::ScopedGradientSanitizer;

Tensor random_cotangent(Generator& random, const Tensor& y, double size) {
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < y.numel(); ++i) {
    numbers.push_back(size * (random.uniform() < 0.5 ? -1.0 : 1.0) * (0.5 + random.uniform()));
  }
  return from_vector(numbers, y.shape(), float64).to(y.dtype());
}

std::string dtype_of(const testing::TestParamInfo<DType>& parameter) {
  return std::string(name(parameter.param));
}

// ---- no false alarm -------------------------------------------------------------------------------------------------

class RightOps : public testing::TestWithParam<DType> {};

TEST_P(RightOps, AreNeverReported) {
  Generator random(6);
  std::int64_t checked = 0;
  constexpr std::size_t calls = fixtures::repetitions(std::size_t{10'000});
  for (std::size_t i = 0; i < calls; ++i) {
    const random_calls::Function& function = random_calls::all()[i % random_calls::all().size()];
    std::vector<Tensor> inputs;
    for (int k = 0; k < function.inputs; ++k) {
      inputs.push_back(random_calls::values(random, function.positive, GetParam()));
    }
    const ScopedGradientSanitizer sanitizer;
    const Tensor y = function.call(inputs);
    y.backward(random_cotangent(random, y, std::pow(10.0, 6.0 * random.uniform() - 3.0)));
    checked += sanitizer.checked();
    ASSERT_TRUE(sanitizer.reports().empty()) << "call " << i << " " << function.name << "\n" << sanitizer.reports()[0];
  }
  EXPECT_GT(checked, 2 * std::int64_t{calls});
}

// So many that they are checked together, along directions. One sanitizer sees all calls, as it does in a training.
const Shape large = {130, 3};

constexpr std::size_t calls_with_large_inputs = fixtures::with_address_sanitizer ? 350 : 10'000;

TEST_P(RightOps, WithLargeInputsAreNeverReported) {
  Generator random(7);
  const ScopedGradientSanitizer sanitizer;
  for (std::size_t i = 0; i < calls_with_large_inputs; ++i) {
    const random_calls::Function& function = random_calls::all()[i % random_calls::all().size()];
    std::vector<Tensor> inputs;
    for (int k = 0; k < function.inputs; ++k) {
      inputs.push_back(random_calls::values(random, function.positive, GetParam(), large));
    }
    const Tensor y = function.call(inputs);
    y.backward(random_cotangent(random, y, std::pow(10.0, 24.0 * random.uniform() - 18.0)));
    ASSERT_TRUE(sanitizer.reports().empty()) << "call " << i << " " << function.name << "\n" << sanitizer.reports()[0];
  }
  EXPECT_GT(sanitizer.checked(), static_cast<std::int64_t>(calls_with_large_inputs));
  EXPECT_GT(sanitizer.summary().elements_together, static_cast<std::int64_t>(390 * calls_with_large_inputs));
}

// CALLS=10000 in the environment asks for more of them.
std::size_t cancelling_programs() {
  const char* asked = std::getenv("CALLS");
  return asked ? std::strtoul(asked, nullptr, 10) : fixtures::repetitions(std::size_t{1000});
}

TEST_P(RightOps, WhoseGradientsCancelAreNeverReported) {
  Generator random(11);
  std::int64_t checked = 0;
  std::int64_t undecided = 0;
  for (std::size_t i = 0; i < cancelling_programs(); ++i) {
    const cancelling_calls::Call one = cancelling_calls::call(i, GetParam(), random);
    const ScopedGradientSanitizer sanitizer;
    one.loss(random).backward();
    checked += sanitizer.checked();
    undecided += sanitizer.summary().undecided;
    ASSERT_TRUE(sanitizer.reports().empty())
        << "program " << i << " " << one.program.name << ", of size " << one.size << "\n"
        << sanitizer.reports()[0];
  }
  fmt::print("{} programs, {} derivatives, {} undecided\n", cancelling_programs(), checked, undecided);
  EXPECT_LT(undecided, checked / 20);
}

INSTANTIATE_TEST_SUITE_P(Sanitizer, RightOps, testing::Values(float32, float64), dtype_of);

TEST(SanitizerAccuracy, TakesNoQuicklyChangingFunctionForAMistake) {
  for (const double x : {2411.0, 262144.0, 1e6}) {
    const ScopedGradientSanitizer sanitizer;
    sin(tensor({x}, float32).requires_grad_()).sum().backward();
    EXPECT_TRUE(sanitizer.reports().empty()) << sanitizer.reports()[0];
    EXPECT_EQ(sanitizer.summary().undecided, 0);
  }
}

TEST(SanitizerAccuracy, TakesNoOverflowForAMistake) {
  const ScopedGradientSanitizer sanitizer;
  clamp(exp(tensor({100.0, 1.0}, float32).requires_grad_()), 0.0, 5.0).sum().backward();
  const Tensor small = tensor({1e-20, 1.0}, float32).requires_grad_();
  (tensor({1.0, 2.0}, float32).requires_grad_() / small).sum().backward();
  EXPECT_TRUE(sanitizer.reports().empty()) << sanitizer.reports()[0];
  EXPECT_EQ(sanitizer.summary().skipped.size(), 1u);  // by reason
}

// ---- every mistake beyond the tolerance -------------------------------------------------------------------------------

using Values = std::vector<double>;
struct Mistake {
  const char* name;
  std::function<void(Values& gradient, const Values& x)> make;
};

double largest_of(const Values& values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

std::function<void(Values&, const Values&)> each(const std::function<double(double gradient, double x)>& change) {
  return [change](Values& gradient, const Values& x) {
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] = change(gradient[i], x[i]);
  };
}
std::function<void(Values&, const Values&)> one(std::size_t at, const std::function<double(double, double)>& change) {
  return [at, change](Values& gradient, const Values&) { gradient[at] = change(gradient[at], largest_of(gradient)); };
}

// In six elements of a gradient: two rows of three.
const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> list = {
      {"twice", each([](double g, double) { return 2.0 * g; })},
      {"half", each([](double g, double) { return 0.5 * g; })},
      {"negative", each([](double g, double) { return -g; })},
      {"none", each([](double, double) { return 0.0; })},
      {"one percent more", each([](double g, double) { return 1.01 * g; })},
      {"one percent less", each([](double g, double) { return 0.99 * g; })},
      {"thrice", each([](double g, double) { return 3.0 * g; })},
      {"ten times", each([](double g, double) { return 10.0 * g; })},
      {"a thousandth", each([](double g, double) { return 1e-3 * g; })},
      {"a million times", each([](double g, double) { return 1e6 * g; })},
      {"times x", each([](double g, double x) { return g * x; })},
      {"over x", each([](double g, double x) { return g / x; })},
      {"size only", each([](double g, double) { return std::abs(g); })},
      {"minus its size", each([](double g, double) { return -std::abs(g); })},
      {"only where positive", each([](double g, double) { return std::max(g, 0.0); })},
      {"only where x is large", each([](double g, double x) { return x > 1.0 ? g : 0.0; })},
      {"half where x is small", each([](double g, double x) { return x > 1.0 ? g : 0.5 * g; })},
      {"the first is missing", one(0, [](double, double) { return 0.0; })},
      {"the last is missing", one(5, [](double, double) { return 0.0; })},
      {"one is negative", one(2, [](double g, double) { return -g; })},
      {"one is a tenth off", one(3, [](double g, double) { return 1.1 * g; })},
      {"one is off by a hundredth of the largest", one(4, [](double g, double l) { return g + 0.01 * l; })},
      {"one is infinite", one(1, [](double, double) { return INFINITY; })},
      {"one is NaN", one(1, [](double, double) { return NAN; })},
      {"backwards", [](Values& g, const Values&) { std::reverse(g.begin(), g.end()); }},
      {"rows exchanged", [](Values& g, const Values&) { std::rotate(g.begin(), g.begin() + 3, g.end()); }},
      {"moved by one", [](Values& g, const Values&) { std::rotate(g.begin(), g.begin() + 1, g.end()); }},
      {"two exchanged", [](Values& g, const Values&) { std::swap(g[0], g[4]); }},
      {"the second row is the first", [](Values& g, const Values&) { std::copy_n(g.begin(), 3, g.begin() + 3); }},
      {"the second row is missing", [](Values& g, const Values&) { std::fill(g.begin() + 3, g.end(), 0.0); }},
      {"the mean in all places",
       [](Values& g, const Values&) {
         double sum = 0.0;
         for (const double one : g) sum += one;
         std::fill(g.begin(), g.end(), sum / 6.0);
       }},
      {"the largest is taken for all", [](Values& g, const Values&) { std::fill(g.begin(), g.end(), largest_of(g)); }},
  };
  return list;
}

// Makes a mistake in six elements of the gradient of one input of the program's first op, and says whether it is beyond
// the tolerance.
class Planted final : public Observer {
 public:
  Planted(const Mistake& mistake, std::int64_t first) : mistake_(mistake), first_(first) {}
  bool matters() const { return matters_; }

 private:
  void recorded(Node& node, const Inputs& inputs, const Tensor& output) override {
    if (node_) return;
    node_ = &node;
    x_ = inputs[0].detach();
    y_ = output.detach();
  }
  Grads run(Node& node, const Tensor& dy) override {
    Grads gradients = node.backward(dy);
    if (&node != node_ || gradients[0].numel() != x_.numel()) return gradients;
    const NoGradGuard no_grad;
    const Values right = gradients[0].to_vector();
    Values wrong = right;
    Values six(wrong.begin() + first_, wrong.begin() + first_ + 6);
    const Values x = x_.to_vector();
    mistake_.make(six, Values(x.begin() + first_, x.begin() + first_ + 6));
    std::copy(six.begin(), six.end(), wrong.begin() + first_);
    gradients[0] = from_vector(wrong, gradients[0].shape(), float64).to(gradients[0].dtype());
    matters_ = is_beyond_tolerance(node, dy, right, gradients[0].to_vector());
    return gradients;
  }

  // As the report states it; what all elements of a large input may be off together, as the documentation does. What
  // the result's rounding changes is at most 32 roundings of <dy, y>.
  bool is_beyond_tolerance(const Node& node, const Tensor& dy, const Values& right, const Values& wrong) const {
    const bool narrow = node.dtype == float32 || x_.dtype() == float32;
    const Values dys = dy.to_vector();
    const Values ys = y_.to_vector();
    double rounding = 0.0;
    for (std::size_t i = 0; i < ys.size(); ++i)
      rounding += 32.0 * (narrow ? 1.2e-7 : 2.3e-16) * std::abs(dys[i] * ys[i]);
    const auto count = static_cast<double>(right.size());
    const double together = count > 6.0 ? 30.0 * (narrow ? 2e-4 : 1e-6) * std::sqrt(count) : 0.0;
    const double share = std::max(narrow ? 1e-3 : 1e-10, together);
    const double of_itself = narrow ? 1e-3 : 1e-6;
    for (std::size_t i = 0; i < right.size(); ++i) {
      const double finite = std::isfinite(wrong[i]) ? std::abs(wrong[i]) : 0.0;
      const double size = std::max(std::abs(right[i]), finite);
      const double allowed = of_itself * size + share * std::max(largest_of(right), finite) + rounding;
      if (!(std::abs(wrong[i] - right[i]) <= 2.0 * allowed)) return true;  // two error bars among them
    }
    return false;
  }

  const Mistake& mistake_;
  std::int64_t first_;
  const Node* node_ = nullptr;
  Tensor x_, y_;
  bool matters_ = false;
};

class PlantedMistakes : public testing::TestWithParam<DType> {
 protected:
  // Makes it in every function once, or in some.
  void plant(const Mistake& mistake, const Shape& shape, double size_of_dy, std::size_t begin = 0,
             std::size_t every = 1) {
    for (std::size_t at = begin; at < random_calls::all().size(); at += every) {
      const random_calls::Function& function = random_calls::all()[at];
      std::vector<Tensor> inputs;
      for (int k = 0; k < function.inputs; ++k) {
        Values values;
        for (std::int64_t i = 0; i < shape.numel(); ++i) values.push_back(0.3 + 2.0 * random_.uniform());
        inputs.push_back(from_vector(values, shape, float64).to(GetParam()).detach().requires_grad_());
      }
      Planted planted(mistake, random_.integer(0, shape.numel() - 5));
      const ObserverGuard guard(planted);
      const ScopedGradientSanitizer sanitizer;
      const Tensor y = function.call(inputs);
      y.backward(random_cotangent(random_, y, size_of_dy));
      mattered_ += planted.matters();
      if (planted.matters() && sanitizer.reports().empty()) {
        missed_.push_back(fmt::format("{} in {}, dy {}", mistake.name, function.name, size_of_dy));
      }
    }
  }

  Generator random_{3};
  int mattered_ = 0;
  std::vector<std::string> missed_;
};

constexpr std::size_t one_in = fixtures::with_address_sanitizer ? 10 : 1;  // of the functions and of the mistakes

TEST_P(PlantedMistakes, BeyondTheStatedToleranceAreAllFound) {
  ASSERT_GE(mistakes().size(), 30u);
  for (std::size_t i = 0; i < mistakes().size(); ++i) {
    for (const double size : {1e-15, 1e-11, 1.0, 1e6}) plant(mistakes()[i], {2, 3}, size, i % one_in, one_in);
  }
  EXPECT_GT(mattered_, 3000 / int{one_in});
  EXPECT_TRUE(missed_.empty()) << missed_.size() << " of " << mattered_ << ": " << testing::PrintToString(missed_);
}

TEST_P(PlantedMistakes, AreFoundAmongTheElementsOfALargeInput) {
  constexpr std::size_t every = 7 * one_in;
  for (std::size_t i = 0; i < mistakes().size(); i += one_in) {
    for (const double size : {1e-12, 1.0}) plant(mistakes()[i], large, size, i % every, every);
  }
  EXPECT_GT(mattered_, 250 / int{one_in * one_in});
  EXPECT_TRUE(missed_.empty()) << missed_.size() << " of " << mattered_ << ": " << testing::PrintToString(missed_);
}

INSTANTIATE_TEST_SUITE_P(Sanitizer, PlantedMistakes, testing::Values(float32, float64), dtype_of);

// ---- mistakes in gradients that cancel --------------------------------------------------------------------------------

// Adds to one element of a gradient of the n-th op that runs a small part of the terms that cancel in it.
class PlantedAmongTerms final : public Observer {
 public:
  PlantedAmongTerms(int number, DType dtype) : number_(number), narrow_(dtype == float32) {}
  std::string op;

 private:
  Grads run(Node& node, const Tensor& dy) override {
    Grads gradients = node.backward(dy);
    std::size_t input = 0;
    while (input + 1 < gradients.size() && !node.needs(input)) ++input;
    if (node.is_leaf() || number_-- != 0 || !gradients[input].defined() || !all_finite(gradients[input])) {
      return gradients;
    }
    const NoGradGuard no_grad;
    const Values right = gradients[input].to_vector();
    const Values terms = terms_of(node, dy, input);
    const auto at = static_cast<std::size_t>(std::max_element(terms.begin(), terms.end()) - terms.begin());
    if (!(terms[at] > 0.0) || !std::isfinite(terms[at])) return gradients;
    Values wrong = right;
    wrong[at] += (narrow_ ? 1e-4 : 1e-8) * terms[at] + (narrow_ ? 1e-2 : 1e-5) * largest_of(right);
    gradients[input] = from_vector(wrong, gradients[input].shape(), float64).to(node.dtype);
    op = node.name();
    return gradients;
  }

  // sum_i |dy_i J_ij|, and the largest |dy_i| times the largest |J_ij|: one backward for each output.
  static Values terms_of(Node& node, const Tensor& dy, std::size_t input) {
    const Values dys = dy.to_vector();
    Values terms;
    Values largest;
    for (std::size_t i = 0; i < dys.size(); ++i) {
      Values one(dys.size(), 0.0);
      one[i] = 1.0;
      const Values row = node.backward(from_vector(one, dy.shape(), float64).to(node.dtype))[input].to_vector();
      terms.resize(row.size());
      largest.resize(row.size());
      for (std::size_t j = 0; j < row.size(); ++j) {
        terms[j] += std::abs(dys[i] * row[j]);
        largest[j] = std::max(largest[j], std::abs(row[j]));
      }
    }
    for (std::size_t j = 0; j < terms.size(); ++j) terms[j] += largest_of(dys) * largest[j];
    return terms;
  }

  int number_;
  bool narrow_;
};

// What is beyond the rounding of the terms is found, but for two in a hundred beside poles and near ties. Where the
// derivative cannot be told at all, it is undecided.
TEST_P(PlantedMistakes, AreFoundWhereTermsCancel) {
  Generator random(5);
  int planted = 0;
  int undecided = 0;
  for (std::size_t i = 0; i < fixtures::repetitions(std::size_t{680}); ++i) {
    const cancelling_calls::Call one = cancelling_calls::call(i, GetParam(), random);
    PlantedAmongTerms inner(static_cast<int>(i % 5), GetParam());
    const ObserverGuard guard(inner);
    const ScopedGradientSanitizer sanitizer;
    one.loss(random).backward();
    if (inner.op.empty()) continue;
    ++planted;
    if (!sanitizer.reports().empty()) continue;
    const debug::SanitizerSummary summary = sanitizer.summary();
    const bool unclear = summary.undecided > 0 || summary.kinks > 0 || !summary.skipped.empty();
    undecided += unclear;
    if (!unclear) missed_.push_back(fmt::format("program {}, {}, in {}", i, one.program.name, inner.op));
  }
  fmt::print("{} planted, {} undecided\n", planted, undecided);
  EXPECT_LE(static_cast<int>(missed_.size()), std::max(1, planted / 50)) << testing::PrintToString(missed_);
  EXPECT_GT(planted, fixtures::repetitions(300));
  EXPECT_LT(undecided, planted / 10);
}

// ---- forward() ------------------------------------------------------------------------------------------------------

struct Tripled final : Node {
  static constexpr OpText text{"tripled", "y = 3 * x", "dx = 3 * dy"};
  Tensor forward(const Inputs& x) const override { return x[0] * 2.0; }
  Grads backward(const Tensor& dy) override { return {dy * 3.0}; }
};

TEST(SanitizerAccuracy, FindsAForwardThatDisagreesWithTheOp) {
  const Tensor x = tensor({1.0, 5.0}, float64).requires_grad_();
  const ScopedGradientSanitizer sanitizer;
  Tensor y = x.detach() * 3.0;
  record<Tripled>(y, {&x}, Where::current("model.cpp", 7));
  y.sum().backward();
  ASSERT_EQ(sanitizer.reports().size(), 1u) << sanitizer.summary_text();
  const NodeReport& report = sanitizer.reports()[0];
  EXPECT_EQ(report.op, "tripled");
  EXPECT_EQ(to_string(report.where), "model.cpp:7");
  EXPECT_TRUE(fixtures::says("autograd_debug", {report.problem}));
}

// A thousandth is far beyond rounding.
struct NearlyTripled final : Node {
  static constexpr OpText text{"nearly_tripled", "y = 3.003 * x", "dx = 3 * dy"};
  Tensor forward(const Inputs& x) const override { return x[0] * 3.0; }
  Grads backward(const Tensor& dy) override { return {dy * 3.0}; }
};

TEST(SanitizerAccuracy, FindsAForwardThatIsAThousandthOff) {
  for (const DType dtype : {float32, float64}) {
    const Tensor x = tensor({1.0, 5.0}, dtype).requires_grad_();
    const ScopedGradientSanitizer sanitizer;
    Tensor y = x.detach() * 3.0015;
    record<NearlyTripled>(y, {&x}, Where::current());
    y.sum().backward();
    ASSERT_EQ(sanitizer.reports().size(), 1u) << sanitizer.summary_text();
    EXPECT_FALSE(sanitizer.reports()[0].problem.empty());
  }
}

// ---- guesses ----------------------------------------------------------------------------------------------------------

TEST(SanitizerAccuracy, GuessesNoPermutationFromOneWrongElement) {
  class OneElement final : public Observer {
    Grads run(Node& node, const Tensor& dy) override {
      Grads gradients = node.backward(dy);
      if (std::string_view(node.name()) == "mul") gradients[0].data_ptr<float>()[12345] += 0.5f;
      return gradients;
    }
  } inner;
  const ObserverGuard guard(inner);
  manual_seed(1);
  const ScopedGradientSanitizer sanitizer;
  const Tensor a = randn({300, 300}).requires_grad_();
  (a * randn({300, 300})).sum().backward();
  ASSERT_EQ(sanitizer.reports().size(), 1u) << sanitizer.summary_text();
  const std::string report = to_string(sanitizer.reports()[0]);
  EXPECT_EQ(report.find("permutation"), std::string::npos) << report;
  EXPECT_NE(sanitizer.reports()[0].tolerance, "");
}

}  // namespace sanitizer_accuracy_test
