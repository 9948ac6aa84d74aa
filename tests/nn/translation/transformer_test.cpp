#include <nn/gradcheck.h>
#include <nn/translation/transformer.h>

#include "tests/nn/nn_fixtures.h"

namespace nn_transformer_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;

// "nn.TransformerEncoderLayer(6, 2, dim_feedforward=7, dropout=0.0, ...)"
nn::TransformerLayerOptions options_of(const fixtures::Call& call) {
  return {.d_model = call.at(0),
          .nhead = call.at(1),
          .dim_feedforward = call.integer("dim_feedforward", 2048),
          .dropout = call.number("dropout", 0.1),
          .layer_norm_eps = call.number("layer_norm_eps", 1e-5),
          .norm_first = call.flag("norm_first", false),
          .dtype = float64};
}

nn::TransformerLayerOptions small(bool norm_first = false) {
  return {.d_model = 6, .nhead = 2, .dim_feedforward = 5, .dropout = 0.0, .norm_first = norm_first, .dtype = float64};
}

std::vector<std::string> cases(const std::string& layer) {
  return fixtures::ids("transformers.json", layer);
}

// ---- against PyTorch: values and all gradients -----------------------------------------------------------------

class NnTransformerEncoderLayer : public testing::TestWithParam<std::string> {};

TEST_P(NnTransformerEncoderLayer, EqualsPyTorch) {
  fixtures::ModuleCase one(GetParam(), "transformers.json");
  const nn::TransformerEncoderLayer layer(options_of(one.call()));
  one.load(layer);
  one.check(layer, {{"y", layer(one.input("x"), one.input("mask"))}});
}
INSTANTIATE_TEST_SUITE_P(Fixtures, NnTransformerEncoderLayer, testing::ValuesIn(cases("encoder_layer/")),
                         fixtures::test_name);

class NnTransformerDecoderLayer : public testing::TestWithParam<std::string> {};

TEST_P(NnTransformerDecoderLayer, EqualsPyTorch) {
  fixtures::ModuleCase one(GetParam(), "transformers.json");
  const nn::TransformerDecoderLayer layer(options_of(one.call()));
  one.load(layer);
  const auto [y, weights] = layer(one.input("x"), one.input("memory"), one.input("mask"));
  one.check(layer, {{"y", y}, {"weights", weights}});
}

TEST_P(NnTransformerDecoderLayer, WordByWordEqualsPyTorch) {
  fixtures::ModuleCase one(GetParam(), "transformers.json");
  const nn::TransformerDecoderLayer layer(options_of(one.call()));
  one.load(layer);
  const Tensor x = one.input("x");
  nn::TransformerDecoderCache cache = layer.start(one.input("memory"), one.input("mask"));
  std::vector<Tensor> outputs;
  std::vector<Tensor> weights;
  for (std::int64_t t = 0; t < x.size(1); ++t) {
    const auto step = layer(x.narrow(1, t, 1), cache, one.input("mask"));
    outputs.push_back(step.output);
    weights.push_back(step.weights);
  }
  one.check(layer, {{"y", autograd::cat(outputs, 1)}, {"weights", autograd::cat(weights, 1)}});
}
INSTANTIATE_TEST_SUITE_P(Fixtures, NnTransformerDecoderLayer, testing::ValuesIn(cases("decoder_layer/")),
                         fixtures::test_name);

// ---- gradient checks -------------------------------------------------------------------------------------------

class NnTransformerGradients : public testing::TestWithParam<bool> {};

TEST_P(NnTransformerGradients, OfAnEncoderLayer) {
  autograd::manual_seed(3);
  const nn::TransformerEncoderLayer layer(small(GetParam()));
  const Tensor x = autograd::randn({2, 4, 6}, float64);
  const Tensor mask = autograd::length_mask({4, 2});
  EXPECT_TRUE(nn::gradcheck(layer, [&] { return layer(x, mask); }, {x}));
}

TEST_P(NnTransformerGradients, OfADecoderLayer) {
  autograd::manual_seed(5);
  const nn::TransformerDecoderLayer layer(small(GetParam()));
  const Tensor x = autograd::randn({2, 3, 6}, float64);
  const Tensor memory = autograd::randn({2, 4, 6}, float64);
  const Tensor mask = autograd::length_mask({4, 2});
  const auto outputs = [&] {
    const auto [y, weights] = layer(x, memory, mask);
    return autograd::cat({y, weights}, -1);
  };
  EXPECT_TRUE(nn::gradcheck(layer, outputs, {x, memory}));
}
INSTANTIATE_TEST_SUITE_P(Norms, NnTransformerGradients, testing::Values(false, true),
                         [](const auto& one) { return one.param ? "PreNorm" : "PostNorm"; });

// ---- properties ------------------------------------------------------------------------------------------------

TEST(NnTransformer, NoWordSeesThoseAfterIt) {
  const nn::TransformerDecoder decoder({.layer = small(), .num_layers = 2});
  const Tensor memory = autograd::randn({1, 3, 6}, float64);
  const Tensor x = autograd::randn({1, 5, 6}, float64);
  const Tensor before = decoder(x, memory).output;
  const Tensor changed = autograd::cat({x.narrow(1, 0, 3), autograd::randn({1, 2, 6}, float64)}, 1);
  const Tensor after = decoder(changed, memory).output;
  EXPECT_EQ(after.narrow(1, 0, 3).to_vector(), before.narrow(1, 0, 3).to_vector());
  EXPECT_FALSE(autograd::allclose(after.narrow(1, 3, 1), before.narrow(1, 3, 1)));
  // In the encoder every word sees every other.
  const nn::TransformerEncoder encoder({.layer = small(), .num_layers = 1});
  EXPECT_FALSE(autograd::allclose(encoder(changed).narrow(1, 0, 1), encoder(x).narrow(1, 0, 1)));
}

TEST(NnTransformer, PaddingHasNoInfluence) {
  const nn::TransformerEncoder encoder({.layer = small(), .num_layers = 2});
  const nn::TransformerDecoder decoder({.layer = small(), .num_layers = 2});
  const Tensor src = autograd::randn({1, 3, 6}, float64);
  const Tensor tgt = autograd::randn({1, 2, 6}, float64);
  const Tensor padded = autograd::cat({src, autograd::randn({1, 2, 6}, float64)}, 1);
  const Tensor mask = autograd::length_mask({3}, 5);
  const Tensor memory = encoder(padded, mask);
  EXPECT_TRUE(fixtures::near(memory.narrow(1, 0, 3), encoder(src)));
  const auto [output, weights] = decoder(tgt, memory, mask);
  EXPECT_TRUE(fixtures::near(output, decoder(tgt, encoder(src)).output));
  EXPECT_EQ(weights.narrow(2, 3, 2).to_vector(), std::vector<double>(4, 0.0));
}

TEST(NnTransformer, NotANumberAtThePaddingHasNoInfluence) {
  for (const bool norm_first : {false, true}) {
    const nn::TransformerEncoder encoder({.layer = small(norm_first), .num_layers = 2});
    const nn::TransformerDecoder decoder({.layer = small(norm_first), .num_layers = 2});
    const Tensor src = autograd::randn({1, 3, 6}, float64);
    const Tensor tgt = autograd::randn({1, 2, 6}, float64);
    const Tensor bad = autograd::tensor({std::nan(""), std::numeric_limits<double>::infinity()}, float64);
    const Tensor padded = autograd::cat({src, bad.reshape({1, 2, 1}).expand({1, 2, 6})}, 1).requires_grad_();
    const Tensor mask = autograd::length_mask({3}, 5);
    const auto [output, weights] = decoder(tgt, encoder(padded, mask), mask);
    EXPECT_TRUE(fixtures::near(output, decoder(tgt, encoder(src)).output.detach()));
    output.sum().backward();
    EXPECT_EQ(padded.grad().narrow(1, 3, 2).abs().amax().item(), 0.0);
    EXPECT_TRUE(autograd::all_finite(padded.grad()));
    for (const nn::Module* module :
         {static_cast<const nn::Module*>(&encoder), static_cast<const nn::Module*>(&decoder)}) {
      for (const auto& [name, parameter] : module->named_parameters()) {
        EXPECT_TRUE(autograd::all_finite(parameter.grad())) << name;
      }
    }
  }
}

// Attention alone does not know the order of the words: that is what positional_encoding.h is for.
TEST(NnTransformer, AnEncoderWithoutPositionsDoesNotKnowTheOrder) {
  const nn::TransformerEncoder encoder({.layer = small(), .num_layers = 2});
  const Tensor x = autograd::randn({1, 4, 6}, float64);
  EXPECT_TRUE(fixtures::near(encoder(x.index_select(1, autograd::ids({3, 2, 1, 0}))),
                             encoder(x).index_select(1, autograd::ids({3, 2, 1, 0}))));
}

TEST(NnTransformer, SeveralWordsAtATimeEqualAllAtOnce) {
  const nn::TransformerDecoder decoder({.layer = small(true), .num_layers = 2, .norm = true});
  const Tensor memory = autograd::randn({3, 2, 6}, float64);
  const Tensor x = autograd::randn({3, 5, 6}, float64);
  nn::TransformerDecoder::Caches caches = decoder.start(memory);
  const Tensor first = decoder(x.narrow(1, 0, 2), caches).output;
  const Tensor second = decoder(x.narrow(1, 2, 3), caches).output;
  EXPECT_TRUE(fixtures::near(autograd::cat({first, second}, 1), decoder(x, memory).output));
  EXPECT_EQ(caches[1].words.keys.shape(), (autograd::Shape{3, 5, 6}));
}

TEST(NnTransformer, DropoutActsInTrainingOnly) {
  nn::TransformerLayerOptions options = small();
  options.dropout = 0.5;
  nn::TransformerEncoder encoder({.layer = options, .num_layers = 1});
  nn::TransformerDecoder decoder({.layer = options, .num_layers = 1});
  const Tensor x = autograd::randn({2, 3, 6}, float64);
  const auto run = [&] { return decoder(x, encoder(x)).output; };
  EXPECT_FALSE(autograd::allclose(run(), run()));
  encoder.eval();
  decoder.eval();
  EXPECT_TRUE(autograd::allclose(run(), run()));
}

TEST(NnTransformer, NamesAreThoseOfPyTorch) {
  const nn::TransformerDecoder decoder({.layer = small(true), .num_layers = 2, .norm = true});
  std::vector<std::string> names;
  for (const auto& [name, parameter] : decoder.named_parameters()) names.push_back(name);
  EXPECT_EQ(names.size(), 2 * 18u + 2u);
  EXPECT_EQ(names.front(), "layers.0.self_attn.in_proj_weight");
  EXPECT_EQ(names[18], "layers.1.self_attn.in_proj_weight");
  EXPECT_EQ(names.back(), "norm.bias");
  const nn::TransformerLayerOptions defaults{.d_model = 8, .nhead = 2};
  EXPECT_EQ(defaults.dim_feedforward, 2048);
  EXPECT_EQ(defaults.dropout, 0.1);
  EXPECT_FALSE(defaults.norm_first);
}

TEST(NnTransformer, ScopesAreThePathsOfTheNames) {
  const nn::TransformerEncoder encoder({.layer = small(true), .num_layers = 2, .norm = true});
  const nn::TransformerDecoder decoder({.layer = small(true), .num_layers = 2, .norm = true});
  const Tensor x = autograd::randn({2, 3, 6}, float64);
  fixtures::Scopes scopes;
  {
    const autograd::ObserverGuard guard(scopes);
    decoder(x, encoder(x));
  }
  for (const std::string path : {"TransformerEncoder.layers.1.self_attn.out_proj", "TransformerEncoder.norm",
                                 "TransformerDecoder.layers.0.linear1", "TransformerDecoder.layers.1.multihead_attn",
                                 "TransformerDecoder.norm"}) {
    EXPECT_EQ(scopes.paths.count(path), 1u) << path;
  }
}

// ---- errors ----------------------------------------------------------------------------------------------------

TEST(NnTransformerErrors, AreClear) {
  fixtures::message_of(ErrorId::bad_argument, [] { nn::TransformerEncoderLayer({.d_model = 6, .nhead = 4}); });
  fixtures::message_of(ErrorId::bad_argument, [] { nn::TransformerDecoderLayer({.d_model = 6}); });
  fixtures::message_of(ErrorId::bad_argument, [] { nn::TransformerEncoder({.layer = small()}); });
  fixtures::message_of(ErrorId::bad_argument,
                       [] { nn::TransformerDecoderLayer({.d_model = 6, .nhead = 2, .dropout = 1.5}); });

  const nn::TransformerEncoder encoder({.layer = small(), .num_layers = 1});
  const nn::TransformerDecoder decoder({.layer = small(), .num_layers = 1});
  const Tensor x = autograd::randn({2, 3, 6}, float64);
  fixtures::message_of(ErrorId::shape_mismatch, [&] { encoder(autograd::randn({2, 3, 5}, float64)); });
  fixtures::message_of(ErrorId::shape_mismatch, [&] { decoder(x, autograd::randn({3, 3, 6}, float64)); });
  fixtures::message_of(ErrorId::shape_mismatch, [&] { decoder(x, autograd::randn({2, 3, 5}, float64)); });
  fixtures::message_of(ErrorId::shape_mismatch, [&] { encoder(x, autograd::length_mask({4, 2})); });
  fixtures::message_of(ErrorId::dtype_mismatch, [&] { encoder(x, autograd::ones({2, 3})); });
  nn::TransformerDecoder::Caches none;
  fixtures::message_of(ErrorId::bad_argument, [&] { decoder(x, none); });
  const nn::TransformerDecoderLayer& layer = decoder.layers[0];
  nn::TransformerDecoderCache empty;
  fixtures::message_of(ErrorId::undefined_tensor, [&] { layer(x, empty); });
}

}  // namespace nn_transformer_test
