#include <nn/gradcheck.h>
#include <nn/translation/output_layer.h>

#include "tests/nn/nn_fixtures.h"

namespace nn_output_layer_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;
using nn::OutputKind;

nn::OutputLayerOptions small(OutputKind kind) {
  return {.kind = kind, .state_dim = 4, .context_dim = 6, .embed_dim = 3, .vocab_size = 7, .dtype = float64};
}

const std::vector<OutputKind> kinds{OutputKind::linear, OutputKind::state_and_context, OutputKind::maxout,
                                    OutputKind::attentional, OutputKind::deep};

TEST(NnOutputLayer, MaxoutTakesTheLargerOfEachPair) {
  nn::OutputLayerOptions options = small(OutputKind::maxout);
  options.state_dim = 1;
  options.context_dim = 1;
  options.embed_dim = 2;
  options.maxout_dim = 2;
  nn::OutputLayer layer(options);
  {
    const autograd::NoGradGuard no_grad;
    layer.hidden->weight.copy_(autograd::eye(4, float64));  // u = [s; c; y]
    layer.hidden->bias.zero_();
  }
  const Tensor s = autograd::tensor({{3.0}, {-3.0}}, float64);
  const Tensor c = autograd::tensor({{1.0}, {-2.0}}, float64);
  const Tensor y = autograd::tensor({{-5.0, 0.5}, {4.0, 2.0}}, float64);
  EXPECT_EQ(layer.features(s, c, y).to_vector(), (std::vector<double>{3.0, 0.5, -2.0, 4.0}));
}

TEST(NnOutputLayer, AllStepsAreAsOneByOne) {
  for (const OutputKind kind : kinds) {
    const nn::OutputLayer layer(small(kind));
    const Tensor s = autograd::randn({2, 5, 4}, float64);
    const Tensor c = autograd::randn({2, 5, 6}, float64);
    const Tensor y = autograd::randn({2, 5, 3}, float64);
    const Tensor features = layer.features(s, c, y);
    EXPECT_EQ(features.size(-1), layer.features_dim);
    const Tensor logits = layer.logits(features);
    EXPECT_EQ(logits.shape(), (autograd::Shape{2, 5, 7}));
    const Tensor one = layer.logits(layer.features(s.select(1, 3), c.select(1, 3), y.select(1, 3)));
    EXPECT_TRUE(fixtures::near(one, logits.select(1, 3)));
  }
}

TEST(NnOutputLayer, GradientsAreTheNumericalOnes) {
  for (const OutputKind kind : kinds) {
    const nn::OutputLayer layer(small(kind));
    const Tensor s = autograd::randn({2, 4}, float64).requires_grad_();
    const Tensor c = autograd::randn({2, 6}, float64).requires_grad_();
    Tensor y = autograd::randn({2, 3}, float64);
    std::vector<Tensor> inputs{s, c};
    const bool reads_word = kind != OutputKind::state_and_context && kind != OutputKind::attentional;
    if (reads_word) inputs.push_back(y.requires_grad_());
    EXPECT_TRUE(nn::gradcheck(
        layer, [&] { return layer.logits(layer.features(s, c, y)); }, inputs));
  }
}

TEST(NnOutputLayer, MaxoutHasHalfOfTheStateUnlessGiven) {
  EXPECT_EQ(nn::OutputLayer(small(OutputKind::maxout)).features_dim, 2);
  nn::OutputLayerOptions options = small(OutputKind::maxout);
  options.state_dim = 1;
  EXPECT_EQ(nn::OutputLayer(options).features_dim, 1);
  options.maxout_dim = 5;
  EXPECT_EQ(nn::OutputLayer(options).features_dim, 5);
}

TEST(NnOutputLayerErrors, AreClear) {
  nn::OutputLayerOptions options = small(OutputKind::linear);
  options.context_dim = 0;
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::OutputLayer layer(options); });
}

}  // namespace nn_output_layer_test
