#include <nn/layers/linear.h>

#include <cmath>

#include "tests/nn/nn_fixtures.h"
#include "tests/support/golden.h"

namespace nn_linear_test {

using autograd::ErrorId;
using autograd::Tensor;

class NnLinear : public testing::TestWithParam<std::string> {};

TEST_P(NnLinear, EqualsPyTorch) {
  fixtures::ModuleCase one(GetParam());
  const nn::Linear linear({.in_features = one.call().at(0),
                           .out_features = one.call().at(1),
                           .bias = one.call().flag("bias", true),
                           .dtype = autograd::float64});
  one.load(linear);
  one.check(linear, {{"y", linear(one.input("x"))}});
}
INSTANTIATE_TEST_SUITE_P(Fixtures, NnLinear, testing::ValuesIn(fixtures::ids("modules.json", "linear/")),
                         fixtures::test_name);

TEST(NnLinearInit, IsUniformAsInPyTorch) {
  autograd::manual_seed(1);
  const nn::Linear linear({.in_features = 25, .out_features = 400});
  const double bound = 1.0 / std::sqrt(25.0);
  for (const Tensor& parameter : linear.parameters()) {
    EXPECT_EQ(parameter.dtype(), autograd::float32);
    EXPECT_LE(parameter.abs().amax().item(), bound);
    EXPECT_GT(parameter.abs().amax().item(), 0.98 * bound);
    // The variance of a uniform distribution on [-k, k) is k^2 / 3.
    EXPECT_NEAR((parameter * parameter).mean().item(), bound * bound / 3.0, 0.1 * bound * bound / 3.0);
  }
}

TEST(NnLinearInit, SameSeedSameWeights) {
  autograd::manual_seed(7);
  const nn::Linear first({.in_features = 3, .out_features = 4});
  autograd::manual_seed(7);
  const nn::Linear second({.in_features = 3, .out_features = 4});
  const nn::Linear third({.in_features = 3, .out_features = 4});
  EXPECT_EQ(first.weight.to_vector(), second.weight.to_vector());
  EXPECT_EQ(first.bias.to_vector(), second.bias.to_vector());
  EXPECT_NE(first.weight.to_vector(), third.weight.to_vector());
}

TEST(NnLinearErrors, NameTheOptionAndTheLine) {
  std::vector<std::string> said;
  const std::string message = fixtures::message_of(ErrorId::bad_argument, [] { nn::Linear({.out_features = 4}); });
  said.push_back(message);
  said.push_back(fixtures::message_of(
      ErrorId::dtype_mismatch, [] { nn::Linear({.in_features = 1, .out_features = 1, .dtype = autograd::int64}); }));
  EXPECT_TRUE(fixtures::says("nn", said));
}

TEST(NnLinearErrors, WrongFeaturesSayWhoCalled) {
  const nn::Linear linear({.in_features = 3, .out_features = 4});
  const std::string message = fixtures::message_of(ErrorId::shape_mismatch, [&] { linear(autograd::zeros({2, 5})); });
  EXPECT_TRUE(fixtures::says("nn", {message}));
}

}  // namespace nn_linear_test
