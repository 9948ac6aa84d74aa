#include <nn/layers/layer_norm.h>
#include <nn/layers/linear.h>
#include <nn/layers/sequential.h>

#include "tests/nn/nn_fixtures.h"
#include "tests/support/golden.h"

namespace nn_sequential_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;

TEST(NnSequential, EqualsPyTorch) {
  nn::Sequential model;
  model.emplace_back<nn::Linear>({.in_features = 3, .out_features = 4, .dtype = float64});
  model.push_back(autograd::tanh);
  model.emplace_back<nn::Linear>({.in_features = 4, .out_features = 2, .dtype = float64});
  model.push_back([](const Tensor& x) { return autograd::leaky_relu(x, 0.2); });
  model.emplace_back<nn::LayerNorm>({.normalized_shape = {2}, .dtype = float64});
  EXPECT_EQ(model.size(), 5u);
  fixtures::ModuleCase one("sequential");
  one.load(model);
  one.check(model, {{"y", model(one.input("x"))}});
}

struct Doubled : nn::Module {
  explicit Doubled(double factor) : factor_(factor) {}
  Tensor operator()(const Tensor& x, autograd::Where) const { return x * (2.0 * factor_); }
  double factor_;
};

TEST(NnSequential, TakesModulesWithoutOptionsAndPassesTrainingOn) {
  nn::Sequential model;
  const Doubled& layer = model.emplace_back<Doubled>(1.5);
  EXPECT_EQ(model(autograd::ones({1})).item(), 3.0);
  model.eval();
  EXPECT_FALSE(layer.training());
}

TEST(NnSequential, OfNothingReturnsItsInput) {
  const Tensor x = autograd::ones({1});
  EXPECT_TRUE(nn::Sequential()(x).is_same(x));
}

TEST(NnSequential, ErrorsNameTheLayerAndTheCaller) {
  std::vector<std::string> said;
  nn::Sequential model;
  said.push_back(
      fixtures::message_of(ErrorId::bad_argument, [&] { model.push_back(std::function<Tensor(const Tensor&)>()); }));
  model.emplace_back<nn::Linear>({.in_features = 3, .out_features = 4});
  said.push_back(fixtures::message_of(ErrorId::shape_mismatch, [&] { model(autograd::zeros({2, 5})); }));
  EXPECT_TRUE(fixtures::says("nn", said));
}

}  // namespace nn_sequential_test
