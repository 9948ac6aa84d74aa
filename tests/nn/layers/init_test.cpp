#include <nn/layers/init.h>

#include <cmath>

#include "tests/nn/nn_fixtures.h"
#include "tests/support/golden.h"

namespace nn_init_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;

Tensor filled(const autograd::Shape& shape) {
  return autograd::full(shape, std::nan(""), float64).requires_grad_();
}

double variance(const Tensor& x) {
  return autograd::var(x.detach()).item();
}

// x x^T, or x^T x for a tall matrix: the identity if x is orthogonal.
Tensor gram(const Tensor& x) {
  const bool is_wide = x.size(0) <= x.size(1);
  return is_wide ? x.matmul(x.t()) : x.t().matmul(x);
}

TEST(NnInit, UniformAndNormal) {
  autograd::manual_seed(5);
  const Tensor x = filled({100, 200});
  nn::init::uniform_(x, -2.0, 4.0);
  EXPECT_GE(x.detach().clamp(-2.0, 4.0).to_vector(), x.to_vector());
  EXPECT_NEAR(x.mean().item(), 1.0, 0.05);
  EXPECT_NEAR(variance(x), 36.0 / 12.0, 0.05);
  nn::init::normal_(x, 3.0, 0.5);
  EXPECT_NEAR(x.mean().item(), 3.0, 0.02);
  EXPECT_NEAR(variance(x), 0.25, 0.01);
  EXPECT_TRUE(x.is_leaf() && x.requires_grad());
}

TEST(NnInit, Constants) {
  const Tensor x = filled({3});
  nn::init::constant_(x, 1.5);
  EXPECT_EQ(x.to_vector(), std::vector<double>(3, 1.5));
  nn::init::zeros_(x);
  EXPECT_EQ(x.to_vector(), std::vector<double>(3, 0.0));
  nn::init::ones_(x);
  EXPECT_EQ(x.to_vector(), std::vector<double>(3, 1.0));
}

TEST(NnInit, XavierHasGlorotsVariance) {
  autograd::manual_seed(5);
  const Tensor x = filled({100, 300});
  const double gain = nn::init::calculate_gain("tanh");
  const double expected = gain * gain * 2.0 / 400.0;
  nn::init::xavier_uniform_(x, gain);
  EXPECT_NEAR(variance(x), expected, 0.03 * expected);
  EXPECT_LE(x.detach().abs().amax().item(), std::sqrt(3.0 * expected));
  EXPECT_GT(x.detach().abs().amax().item(), 0.999 * std::sqrt(3.0 * expected));
  nn::init::xavier_normal_(x, gain);
  EXPECT_NEAR(variance(x), expected, 0.03 * expected);
  EXPECT_GT(x.detach().abs().amax().item(), 3.0 * std::sqrt(expected));
}

TEST(NnInit, KaimingHasTheVarianceOfItsFan) {
  autograd::manual_seed(5);
  const Tensor x = filled({100, 300});
  nn::init::kaiming_normal_(x, 0.0, "fan_in", "relu");
  EXPECT_NEAR(variance(x), 2.0 / 300.0, 0.03 * 2.0 / 300.0);
  nn::init::kaiming_normal_(x, 0.0, "fan_out", "relu");
  EXPECT_NEAR(variance(x), 2.0 / 100.0, 0.03 * 2.0 / 100.0);
  nn::init::kaiming_uniform_(x, std::sqrt(5.0));  // as PyTorch's Linear: bound 1 / sqrt(fan_in)
  EXPECT_NEAR(variance(x), 1.0 / 900.0, 0.03 / 900.0);
  EXPECT_LE(x.detach().abs().max().item(), 1.0 / std::sqrt(300.0));
  EXPECT_GT(x.detach().abs().max().item(), 0.999 / std::sqrt(300.0));
}

TEST(NnInit, FansOfMoreThanTwoDims) {
  autograd::manual_seed(5);
  const Tensor x = filled({20, 30, 4, 5});  // fan_in 600, fan_out 400
  nn::init::xavier_normal_(x);
  EXPECT_NEAR(variance(x), 2.0 / 1000.0, 0.05 * 2.0 / 1000.0);
}

TEST(NnInit, OrthogonalWideTallAndSquare) {
  for (const autograd::Shape& shape : {autograd::Shape{5, 9}, autograd::Shape{9, 5}, autograd::Shape{60, 60}}) {
    const Tensor x = filled(shape);
    nn::init::orthogonal_(x, 3.0);
    const Tensor product = gram(x.detach());
    const Tensor expected = autograd::eye(product.size(0), float64) * 9.0;
    EXPECT_TRUE(fixtures::near(product, expected, {.relative = 1e-12, .absolute = 1e-12}));
  }
}

TEST(NnInit, SameSeedSameNumbers) {
  const Tensor first = filled({4, 6});
  const Tensor second = filled({4, 6});
  autograd::manual_seed(11);
  nn::init::orthogonal_(first);
  autograd::manual_seed(11);
  nn::init::orthogonal_(second);
  EXPECT_EQ(first.to_vector(), second.to_vector());
  nn::init::orthogonal_(second);
  EXPECT_NE(first.to_vector(), second.to_vector());
}

TEST(NnInit, Errors) {
  std::vector<std::string> said;
  said.push_back(
      fixtures::message_of(ErrorId::shape_mismatch, [] { nn::init::xavier_uniform_(autograd::zeros({3})); }));
  fixtures::message_of(ErrorId::shape_mismatch, [] { nn::init::orthogonal_(autograd::zeros({3})); });
  fixtures::message_of(ErrorId::shape_mismatch, [] { nn::init::kaiming_normal_(autograd::zeros({3})); });
  said.push_back(fixtures::message_of(ErrorId::bad_argument, [] {
    nn::init::kaiming_uniform_(autograd::zeros({3, 3}), 0.0, "fan_mid");
  }));
  said.push_back(fixtures::message_of(ErrorId::bad_argument, [] { (void)nn::init::calculate_gain("tahn"); }));
  EXPECT_TRUE(fixtures::says("nn", said));
}

}  // namespace nn_init_test
