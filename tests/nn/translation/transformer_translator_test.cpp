#include <nn/gradcheck.h>
#include <nn/optim/adam.h>
#include <nn/translation/transformer_translator.h>

#include <cmath>

#include "tests/nn/nn_fixtures.h"
#include "tests/nn/translation/sentences.h"
#include "tests/support/golden.h"

namespace nn_transformer_translator_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;
using fixtures::lengths;
using fixtures::source;
using fixtures::target;
using fixtures::tiny;

std::vector<std::string> parameter_names(const nn::Module& module) {
  std::vector<std::string> names;
  for (const auto& [name, parameter] : module.named_parameters()) names.push_back(name);
  return names;
}

// ---- values and gradients --------------------------------------------------------------------------------------

class NnTransformerTranslator : public testing::TestWithParam<bool> {};

TEST_P(NnTransformerTranslator, LogitsWeightsAndAllGradientsEqualPyTorch) {
  fixtures::ModuleCase one(GetParam() ? "translator/pre_norm" : "translator/post_norm", "transformers.json");
  const nn::TransformerTranslator model(tiny(GetParam()));
  one.load(model);
  const auto [logits, weights, coverage_loss] =
      model(one.input("src"), one.lengths("src_lengths"), one.input("tgt_in"));
  EXPECT_FALSE(coverage_loss.defined());
  one.check(model, {{"logits", logits}, {"weights", weights}});
}

TEST_P(NnTransformerTranslator, GradientCheck) {
  autograd::manual_seed(8);
  nn::TransformerTranslatorOptions options = tiny(GetParam());
  options.num_encoder_layers = 1;
  options.num_decoder_layers = 1;
  options.padding_idx = std::nullopt;
  const nn::TransformerTranslator model(options);
  const auto outputs = [&] {
    const nn::TranslationModel::Output out = model(source(), lengths, target());
    return autograd::cat({out.logits, out.weights}, -1);
  };
  EXPECT_TRUE(nn::gradcheck(model, outputs));
}

INSTANTIATE_TEST_SUITE_P(Norms, NnTransformerTranslator, testing::Values(false, true),
                         [](const auto& one) { return one.param ? "PreNorm" : "PostNorm"; });

// ---- properties ------------------------------------------------------------------------------------------------

TEST(NnTransformerTranslatorProperties, ALaterTargetWordHasNoInfluence) {
  const nn::TransformerTranslator model(tiny());
  const Tensor before = model(source(), lengths, target()).logits;
  const Tensor other_end = autograd::ids({{1, 6, 4, 9}, {1, 5, 11, 8}, {1, 7, 3, 10}});
  const Tensor after = model(source(), lengths, other_end).logits;
  EXPECT_EQ(after.narrow(1, 0, 2).to_vector(), before.narrow(1, 0, 2).to_vector());
  for (std::int64_t t = 2; t < 4; ++t) {
    EXPECT_FALSE(autograd::allclose(after.select(1, t), before.select(1, t)));
  }
}

// Swapped words of the source give another translation: the positions arrive.
TEST(NnTransformerTranslatorProperties, KnowsTheOrderOfTheSource) {
  const nn::TransformerTranslator model(tiny());
  const Tensor tgt = target().narrow(0, 0, 1);
  const Tensor forwards = model(autograd::ids({{4, 7, 2}}), {}, tgt).logits;
  EXPECT_FALSE(autograd::allclose(model(autograd::ids({{7, 4, 2}}), {}, tgt).logits, forwards));
}

// ---- first weights, tied weights -------------------------------------------------------------------------------

TEST(NnTransformerTranslatorWeights, EmbeddedWordsStartAsLargeAsTheirPositions) {
  autograd::manual_seed(1);
  const nn::TransformerTranslator model({.source_vocab = 200, .target_vocab = 300, .d_model = 64});
  const Tensor words = model.src_embedding.weight.narrow(0, 1, 199);
  EXPECT_NEAR(autograd::var(words).item() * 64.0, 1.0, 0.05);
  EXPECT_EQ(model.src_embedding.weight[0].to_vector(), std::vector<double>(64, 0.0));
  const double bound = std::sqrt(6.0 / (512 + 64));  // xavier_uniform_
  const double largest = model.encoder.layers[0].linear1.weight.abs().amax().item();
  EXPECT_LE(largest, bound);
  EXPECT_GT(largest, 0.99 * bound);
}

// The gradient of a shared matrix is the sum of those that its two places would have.
TEST(NnTransformerTranslatorWeights, ATiedMatrixGetsTheGradientsOfBothPlaces) {
  nn::TransformerTranslatorOptions options = tiny();
  const nn::TransformerTranslator untied(options);
  options.tying = nn::WeightTying::target;
  const nn::TransformerTranslator tied(options);
  nn::StateDict state = untied.state_dict();
  state["fc_out.weight"] = state.at("tgt_embedding.weight");
  untied.load_state_dict(state);
  tied.load_state_dict(state);
  EXPECT_EQ(parameter_names(tied).size() + 1, parameter_names(untied).size());
  EXPECT_EQ(tied.tgt_embedding.weight.name(), "tgt_embedding.weight");

  const Tensor cotangent = autograd::randn({3, 4, 13}, float64);
  const Tensor logits = tied(source(), lengths, target()).logits;
  EXPECT_TRUE(fixtures::near(untied(source(), lengths, target()).logits, logits));
  logits.backward(cotangent);
  untied(source(), lengths, target()).logits.backward(cotangent);
  const Tensor sum = untied.tgt_embedding.weight.grad() + untied.fc_out.weight.grad();
  EXPECT_TRUE(fixtures::near(tied.tgt_embedding.weight.grad(), sum));
}

TEST(NnTransformerTranslatorWeights, AllThreeMatricesCanBeOne) {
  nn::TransformerTranslatorOptions options = tiny();
  options.source_vocab = 13;
  options.tying = nn::WeightTying::all;
  nn::TransformerTranslator model(options);
  model.to(autograd::float32);
  EXPECT_TRUE(model.src_embedding.weight.is_same(model.fc_out.weight));
  EXPECT_TRUE(model.src_embedding.weight.is_same(model.tgt_embedding.weight));
  EXPECT_EQ(parameter_names(model).front(), "src_embedding.weight");
}

// ---- training --------------------------------------------------------------------------------------------------

// The best word at each step, the first `count` of them.
std::vector<std::int64_t> first_words(const nn::TranslationModel& model, const Tensor& src, int count) {
  const autograd::NoGradGuard no_grad;
  nn::DecoderState state = model.start(src, {});
  std::vector<std::int64_t> words{1};
  for (int i = 0; i < count; ++i) {
    const nn::TranslationModel::Step step = model.step(autograd::ids({words.back()}), state);
    words.push_back(step.logits.argmax(-1).item<std::int64_t>());
    state = step.state;
  }
  return words;
}

TEST(NnTransformerTranslatorTraining, LearnsToReverse) {
  autograd::manual_seed(6);
  const nn::TransformerTranslator model({.source_vocab = 8,
                                         .target_vocab = 8,
                                         .d_model = 16,
                                         .nhead = 2,
                                         .num_encoder_layers = 1,
                                         .num_decoder_layers = 1,
                                         .dim_feedforward = 32,
                                         .dropout = 0.0});
  nn::Adam adam(model.parameters(), {.lr = 3e-3});
  const Tensor bos = autograd::full({16, 1}, 1.0, autograd::int64);
  const Tensor eos = autograd::full({16, 1}, 2.0, autograd::int64);
  double loss_now = 0.0;
  for (int step = 0; step < 200; ++step) {
    const Tensor words = autograd::randint(3, 8, {16, 4});
    const Tensor reversed = autograd::flip(words, {1});
    const Tensor logits = model(words, {}, autograd::cat({bos, reversed}, 1)).logits;
    const Tensor loss = autograd::cross_entropy(logits.flatten(0, 1), autograd::cat({reversed, eos}, 1).flatten());
    adam.zero_grad();
    loss.backward();
    adam.step();
    loss_now = loss.item();
  }
  EXPECT_LT(loss_now, 0.1);
  EXPECT_EQ(first_words(model, autograd::ids({{3, 7, 5, 4}}), 5), (std::vector<std::int64_t>{1, 4, 5, 7, 3, 2}));
}

// ---- errors ----------------------------------------------------------------------------------------------------

TEST(NnTransformerTranslatorErrors, OfOptionsAndStates) {
  std::vector<std::string> said;
  const auto refuses = [&](const std::function<void(nn::TransformerTranslatorOptions&)>& spoil) {
    nn::TransformerTranslatorOptions options = tiny();
    spoil(options);
    said.push_back(
        fixtures::message_of(ErrorId::bad_argument, [&] { const nn::TransformerTranslator model(options); }));
  };
  refuses([](auto& options) { options.nhead = 4; });
  refuses([](auto& options) { options.source_vocab = 0; });
  refuses([](auto& options) { options.num_decoder_layers = 0; });
  refuses([](auto& options) { options.tying = nn::WeightTying::all; });
  EXPECT_TRUE(fixtures::says("nn_translation", said));
  const nn::TransformerTranslator model(tiny());
  fixtures::message_of(ErrorId::bad_argument, [&] { model.step(autograd::ids({1, 1, 1}), nn::DecoderState{}); });
}

}  // namespace nn_transformer_translator_test
