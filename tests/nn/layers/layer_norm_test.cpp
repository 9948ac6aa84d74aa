#include <nn/layers/layer_norm.h>

#include "tests/nn/nn_fixtures.h"

namespace nn_layer_norm_test {

using autograd::ErrorId;
using autograd::Tensor;

class NnLayerNorm : public testing::TestWithParam<std::string> {};

TEST_P(NnLayerNorm, EqualsPyTorch) {
  fixtures::ModuleCase one(GetParam());
  nn::LayerNormOptions options{.eps = one.call().number("eps", 1e-5)};
  for (const double size : fixtures::all_numbers(one.call().positional.at(0))) {
    options.normalized_shape.push_back(static_cast<std::int64_t>(size));
  }
  options.dtype = autograd::float64;
  const nn::LayerNorm layer_norm(options);
  one.load(layer_norm);
  one.check(layer_norm, {{"y", layer_norm(one.input("x"))}});
}
INSTANTIATE_TEST_SUITE_P(Fixtures, NnLayerNorm, testing::ValuesIn(fixtures::ids("modules.json", "layer_norm/")),
                         fixtures::test_name);

TEST(NnLayerNormOptions, DecideWhichParametersThereAre) {
  EXPECT_EQ(nn::LayerNorm({.normalized_shape = {3}}).parameters().size(), 2u);
  EXPECT_EQ(nn::LayerNorm({.normalized_shape = {3}, .bias = false}).parameters().size(), 1u);
  const nn::LayerNorm plain({.normalized_shape = {3}, .elementwise_affine = false});
  EXPECT_EQ(plain.parameters().size(), 0u);
  EXPECT_NEAR(plain(autograd::tensor({1.0, 2.0, 6.0})).mean().item(), 0.0, 1e-6);
}

TEST(NnLayerNormErrors, AreClear) {
  fixtures::message_of(ErrorId::bad_argument, [] { nn::LayerNorm({}); });
  fixtures::message_of(ErrorId::bad_argument, [] { nn::LayerNorm({.normalized_shape = {3, 0}}); });
  const nn::LayerNorm layer_norm({.normalized_shape = {3}});
  fixtures::message_of(ErrorId::shape_mismatch, [&] { layer_norm(autograd::zeros({2, 4})); });
}

}  // namespace nn_layer_norm_test
