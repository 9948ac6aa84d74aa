// gradcheck where the true derivative is zero, or small beside what cancels on the way: differences are then nothing
// but rounding, which must not be taken for a kink, nor for noise, nor for a mistake; nor may it hide one.

#include <autograd/autograd.h>
#include <autograd/gradcheck/gradcheck.h>
#include <autograd/tape/record.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "tests/support/address_sanitizer.h"

namespace gradcheck_zero_derivative_test {

using namespace autograd;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint64_t seeds = fixtures::repetitions(60u);

Tensor input_of(std::uint64_t seed, double scale = 1.0) {
  static const std::array<Shape, 3> shapes = {Shape({5}), Shape({2, 3}), Shape({3, 7})};
  const Shape& shape = shapes[seed % shapes.size()];
  Generator generator(100 + seed);
  std::vector<double> values(static_cast<std::size_t>(shape.numel()));
  for (double& value : values) value = scale * generator.normal();
  return from_vector(values, shape, float64).set_name("x");
}

struct Smooth {
  const char* name;
  std::function<Tensor(const Tensor& x)> call;
  double scale = 1.0;  // of x
};

void PrintTo(const Smooth& smooth, std::ostream* out) {
  *out << smooth.name;
}

std::string test_name(const testing::TestParamInfo<Smooth>& info) {
  return info.param.name;
}

Tensor centred(const Tensor& x) {
  return x - x.mean(-1, true);
}

Tensor normalised(const Tensor& x) {
  const Tensor c = centred(x);
  return c / sqrt((c * c).mean(-1, true) + 1e-5);
}

Tensor deep(const Tensor& x) {
  Tensor y = x;
  for (int i = 0; i < 20; ++i) y = tanh(1.1 * y) + 0.1 * sin(x);
  return y;
}

const std::vector<Smooth>& with_zero_derivative() {
  using T = const Tensor&;
  static const std::vector<Smooth> table = {
      {"sum_of_centred", [](T x) { return centred(x).sum(-1); }},
      {"sum_of_softmax", [](T x) { return x.softmax(-1).sum(); }},
      {"row_sums_of_softmax", [](T x) { return x.softmax(-1).sum(-1); }},
      {"sin2_plus_cos2", [](T x) { return sin(x) * sin(x) + cos(x) * cos(x); }},
      {"x_minus_x", [](T x) { return x - x; }},
      {"x_over_x", [](T x) { return x / x; }},
      {"sum_of_layer_norm", [](T x) { return normalised(x).sum(-1); }},
      {"sum_of_exp_of_log_softmax", [](T x) { return x.log_softmax(-1).exp().sum(-1); }},
      {"exp_times_exp_of_minus", [](T x) { return exp(x) * exp(-x); }},
      {"log_of_exp_minus_x", [](T x) { return log(exp(x)) - x; }},
      {"tanh_minus_its_formula", [](T x) { return tanh(x) - (exp(x) - exp(-x)) / (exp(x) + exp(-x)); }},
      {"square_of_unit_vector", [](T x) { return (x * x / (x * x).sum(-1, true)).sum(-1); }},
      {"deep_minus_deep", [](T x) { return deep(x) - deep(x * 1.0); }},
      {"sum_minus_sum_of_sums", [](T x) { return x.sum() - x.sum(-1).sum(); }},
      {"centred_with_offset_1e3", [](T x) { return centred(x + 1e3).sum(-1); }},
      {"centred_with_offset_1e6", [](T x) { return centred(x + 1e6).sum(-1); }},
      {"offset_taken_off_again", [](T x) { return ((x + 1e6) - 1e6) - x; }},
      {"softmax_with_offset", [](T x) { return (x + 1e6).softmax(-1).sum(-1); }},
      {"sum_of_softmax_times_1e8", [](T x) { return 1e8 * x.softmax(-1).sum(-1); }},
      {"sum_of_softmax_times_1e_minus_8", [](T x) { return 1e-8 * x.softmax(-1).sum(-1); }},
      {"centred_tiny", [](T x) { return centred(x).sum(-1); }, 1e-8},
      {"centred_huge", [](T x) { return centred(x).sum(-1); }, 1e8},
  };
  return table;
}

class ZeroDerivative : public ::testing::TestWithParam<Smooth> {};

// Not a word of kinks and noise, whatever the seed; and no number in the report that says nothing.
TEST_P(ZeroDerivative, IsVacuous) {
  const CheckedFunction f([](const Tensor& x) { return GetParam().call(x); });
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Tensor x = input_of(seed, GetParam().scale);
    const GradcheckReport report = gradcheck(f, {x}, {.seed = seed, .allow_vacuous = true});
    EXPECT_TRUE(report) << "seed " << seed;
    EXPECT_EQ(report.inputs[0].verdict, Verdict::vacuous) << "seed " << seed << "\n" << report;
    EXPECT_EQ(report.inputs[0].bad, 0) << "seed " << seed;
    EXPECT_THAT(to_string(report), Not(HasSubstr("± 0e+00")));
    EXPECT_THAT(to_string(report), Not(HasSubstr("± inf")));
  }
  EXPECT_EQ(gradcheck(f, {input_of(0, GetParam().scale)}).verdict, Verdict::vacuous) << "and is not passed unasked";
}

TEST_P(ZeroDerivative, HasAZeroSecondDerivative) {
  if (GetParam().name == std::string("sum_of_softmax_times_1e8")) return;  // below
  const CheckedFunction f([](const Tensor& x) { return GetParam().call(x); });
  for (std::uint64_t seed = 0; seed < seeds / 2; ++seed) {
    EXPECT_TRUE(gradgradcheck(f, {input_of(seed, GetParam().scale)}, {.seed = seed})) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Gradcheck, ZeroDerivative, ::testing::ValuesIn(with_zero_derivative()), test_name);

// Its gradient is a difference of numbers of 1e8: what is left of it is rounding, on both sides.
TEST(GradcheckZeroDerivative, KnowsTheRoundingOfTheGradientItself) {
  const auto f = [](const Tensor& x) { return 1e8 * x.sum(-1) - (1e8 * x).sum(-1); };
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    EXPECT_TRUE(gradgradcheck(f, {input_of(seed)}, {.seed = seed})) << "seed " << seed;
  }
}

// ---- a derivative that is not zero, beside rounding ------------------------------------------------------------------

const std::vector<Smooth>& with_cancellation() {
  using T = const Tensor&;
  static const std::vector<Smooth> table = {
      {"large_constant_sum_and_sin", [](T x) { return 1e6 * x.softmax(-1).sum(-1) + sin(x.select(-1, 0)); }},
      {"square_and_1e6", [](T x) { return x * x + 1e6; }},
      {"centred", [](T x) { return centred(x); }},
      {"layer_norm", [](T x) { return normalised(x); }},
      {"log_softmax", [](T x) { return x.log_softmax(-1); }},
      {"deep", deep},
      {"tanh_times_1e8", [](T x) { return 1e8 * tanh(x); }},
      {"tanh_of_1e8_x", [](T x) { return tanh(1e8 * x); }, 1e-8},
      {"huge_tanh_of_x_over_1e8", [](T x) { return 1e8 * tanh(x / 1e8); }, 1e8},
  };
  return table;
}

class Cancellation : public ::testing::TestWithParam<Smooth> {};

TEST_P(Cancellation, Passes) {
  const CheckedFunction f([](const Tensor& x) { return GetParam().call(x); });
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Tensor x = input_of(seed, GetParam().scale);
    EXPECT_TRUE(gradcheck(f, {x}, {.seed = seed})) << "seed " << seed;
    if (seed % 4 > 0) continue;
    EXPECT_TRUE(gradgradcheck(f, {x}, {.seed = seed})) << "seed " << seed;
  }
}

// ---- mistakes ----------------------------------------------------------------------------------------------------------

// x itself, with a wrong gradient.
struct Spoiled final : Node {
  static constexpr OpText text{"spoiled", "y = x", "dx = dy"};
  std::function<Tensor(const Tensor& dy)> change;
  Tensor forward(const Inputs& x) const override { return x[0].detach().clone(); }
  Grads backward(const Tensor& dy) override { return {change(dy)}; }
};

Tensor spoiled(const Tensor& x, const std::function<Tensor(const Tensor& dy)>& change, Where where = Where::current()) {
  Tensor y = x.detach().clone();
  if (auto* node = record<Spoiled>(y, {&x}, where)) node->change = change;
  return y;
}

TEST_P(Cancellation, HidesNoMistake) {
  const std::vector<std::pair<const char*, std::function<Tensor(const Tensor&)>>> mistakes = {
      {"sign", [](const Tensor& dy) { return -dy; }},
      {"zero", [](const Tensor& dy) { return 0.0 * dy; }},
      {"a thousandth", [](const Tensor& dy) { return 1.001 * dy; }},
      {"1e-5", [](const Tensor& dy) { return 1.00001 * dy; }},
  };
  for (const auto& mistake : mistakes) {
    const bool is_small = mistake.first == std::string("1e-5");
    const std::string name = GetParam().name;
    if (is_small && (name == "large_constant_sum_and_sin" || name == "square_and_1e6"))
      continue;  // within the rounding
    const CheckedFunction f([&](const Tensor& x) { return GetParam().call(spoiled(x, mistake.second)); });
    for (std::uint64_t seed = 0; seed < fixtures::repetitions(12u); ++seed) {
      const Tensor x = input_of(seed, GetParam().scale);
      const GradcheckReport report = gradcheck(f, {x}, {.seed = seed, .allow_vacuous = true, .blame = false});
      EXPECT_EQ(report.verdict, Verdict::fail) << mistake.first << ", seed " << seed << "\n" << report;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Gradcheck, Cancellation, ::testing::ValuesIn(with_cancellation()), test_name);

// Its gradients for v and 3 v do not differ by rounding.
TEST(GradcheckZeroDerivative, DoesNotTakeForRoundingWhatIsNotLinear) {
  const auto ones_instead = [](const Tensor& dy) { return ones_like(dy); };
  const auto f = [&](const Tensor& x) { return spoiled(x, ones_instead); };
  const GradcheckReport report = gradcheck(f, {input_of(0)});
  EXPECT_FALSE(report.problems.empty());
  EXPECT_EQ(report.inputs[0].verdict, Verdict::fail) << report;
  EXPECT_EQ(report.inputs[0].bad, report.inputs[0].checked) << report;
}

// 0, whose gradient says otherwise: the cancellation was forgotten in backward.
struct Leak final : Node {
  static constexpr OpText text{"leak", "y = 0", "dx = 0"};
  double size = 0.0;
  Shape x_shape;
  Tensor forward(const Inputs&) const override { return zeros({}, float64); }
  Grads backward(const Tensor& dy) override { return {full(x_shape, size, float64) * sum(dy)}; }
};

Tensor leak(const Tensor& x, double size, Where where = Where::current()) {
  Tensor y = zeros({}, float64);
  if (auto* node = record<Leak>(y, {&x}, where)) {
    node->size = size;
    node->x_shape = x.shape();
  }
  return y;
}

TEST(GradcheckZeroDerivative, FailsAGradientThatShouldBeZero) {
  for (const Smooth& smooth : with_zero_derivative()) {
    const bool is_large = std::string(smooth.name).find("1e8") != std::string::npos || smooth.scale > 1.0;
    for (const double size : {1.0, 1e-3}) {
      const CheckedFunction f([&](const Tensor& x) { return smooth.call(x) + leak(x, size); });
      for (std::uint64_t seed = 0; seed < (is_large ? 0u : fixtures::repetitions(6u)); ++seed) {
        const GradcheckReport report =
            gradcheck(f, {input_of(seed, smooth.scale)}, {.seed = seed, .allow_vacuous = true, .blame = false});
        EXPECT_EQ(report.verdict, Verdict::fail) << smooth.name << " " << size << ", seed " << seed << "\n" << report;
      }
    }
  }
}

}  // namespace gradcheck_zero_derivative_test
