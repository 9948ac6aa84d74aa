#include <nn/layers/linear.h>
#include <nn/layers/module_list.h>

#include "tests/nn/nn_fixtures.h"

namespace nn_module_list_test {

using autograd::Tensor;

TEST(NnModuleList, NumbersItsLayers) {
  nn::ModuleList<nn::Linear> layers;
  for (int i = 0; i < 3; ++i) layers.emplace_back({.in_features = 2, .out_features = 2, .bias = false});
  ASSERT_EQ(layers.size(), 3u);
  std::vector<std::string> names;
  for (const auto& [name, parameter] : layers.named_parameters()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"0.weight", "1.weight", "2.weight"}));
  EXPECT_EQ(layers[2].name(), "2");
  fixtures::message_of(autograd::ErrorId::index_out_of_range, [&] { (void)layers[3]; });
}

TEST(NnModuleList, RunsInALoop) {
  nn::ModuleList<nn::Linear> layers;
  Tensor expected = autograd::randn({3, 2});
  Tensor x = expected;
  for (int i = 0; i < 2; ++i) layers.emplace_back({.in_features = 2, .out_features = 2});
  for (const nn::Linear& layer : layers) x = layer(x);
  for (std::size_t i = 0; i < layers.size(); ++i) expected = layers[i](expected);
  EXPECT_EQ(x.to_vector(), expected.to_vector());
}

}  // namespace nn_module_list_test
