#include <nn/adam.h>
#include <nn/gradcheck.h>
#include <nn/translation/transformer_translator.h>

#include <cmath>

#include "tests/nn/nn_fixtures.h"

namespace nn_transformer_translator_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;

// Translator() of fixtures/transformer_cases.py.
nn::TransformerTranslatorOptions tiny(bool norm_first = false) {
  return {.source_vocab = 11,
          .target_vocab = 13,
          .d_model = 6,
          .nhead = 2,
          .num_encoder_layers = 2,
          .num_decoder_layers = 2,
          .dim_feedforward = 5,
          .dropout = 0.0,
          .norm_first = norm_first,
          .dtype = float64};
}

const std::vector<std::int64_t> lengths{3, 1, 5};
const Tensor source() {
  return autograd::ids({{4, 7, 2, 0, 0}, {2, 0, 0, 0, 0}, {5, 8, 4, 9, 2}});
}
const Tensor target() {
  return autograd::ids({{1, 6, 12, 3}, {1, 5, 2, 0}, {1, 7, 7, 2}});
}

// The words of tgt_in one by one.
nn::TranslationModel::Output step_by_step(const nn::TranslationModel& model, const Tensor& tgt_in) {
  nn::DecoderState state = model.start(source(), lengths);
  std::vector<Tensor> logits;
  std::vector<Tensor> weights;
  for (std::int64_t t = 0; t < tgt_in.size(1); ++t) {
    const nn::TranslationModel::Step step = model.step(tgt_in.select(1, t), state);
    logits.push_back(step.logits);
    weights.push_back(step.weights);
    state = step.state;
  }
  return {autograd::stack(logits, 1), autograd::stack(weights, 1), Tensor()};
}

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

TEST_P(NnTransformerTranslator, StepByStepEqualsTeacherForced) {
  const nn::TransformerTranslator model(tiny(GetParam()));
  const auto all = model(source(), lengths, target());
  const auto steps = step_by_step(model, target());
  EXPECT_TRUE(fixtures::near(steps.logits, all.logits));
  EXPECT_TRUE(fixtures::near(steps.weights, all.weights));
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

TEST(NnTransformerTranslatorProperties, PaddingTheSourceChangesNothing) {
  const nn::TransformerTranslator model(tiny());
  const auto padded = model(source(), lengths, target());
  const Tensor wider = autograd::cat({source(), autograd::full({3, 1}, 9.0, autograd::int64)}, 1);
  EXPECT_TRUE(fixtures::near(model(wider, lengths, target()).logits, padded.logits));
  const auto alone = model(source().narrow(0, 0, 1).narrow(1, 0, 3), {3}, target().narrow(0, 0, 1));
  EXPECT_TRUE(fixtures::near(alone.logits, padded.logits.narrow(0, 0, 1)));
  const auto without_lengths = model(source().narrow(0, 2, 1), {}, target().narrow(0, 2, 1));
  EXPECT_TRUE(fixtures::near(without_lengths.logits, padded.logits.narrow(0, 2, 1)));
}

TEST(NnTransformerTranslatorProperties, WeightsAreDistributionsOverTheTokens) {
  const nn::TransformerTranslator model(tiny());
  const Tensor weights = model(source(), lengths, target()).weights;
  EXPECT_EQ(weights.shape(), (autograd::Shape{3, 4, 5}));
  EXPECT_TRUE(fixtures::near(weights.sum({2}), autograd::ones({3, 4}, float64)));
  EXPECT_EQ(weights[1].select(1, 0).to_vector(), std::vector<double>(4, 1.0));
}

// Swapped words of the source give another translation: the positions arrive.
TEST(NnTransformerTranslatorProperties, KnowsTheOrderOfTheSource) {
  const nn::TransformerTranslator model(tiny());
  const Tensor tgt = target().narrow(0, 0, 1);
  const Tensor forwards = model(autograd::ids({{4, 7, 2}}), {}, tgt).logits;
  EXPECT_FALSE(autograd::allclose(model(autograd::ids({{7, 4, 2}}), {}, tgt).logits, forwards));
}

TEST(NnTransformerTranslatorProperties, OneWordEach) {
  const nn::TransformerTranslator model({.source_vocab = 1,
                                         .target_vocab = 1,
                                         .d_model = 1,
                                         .nhead = 1,
                                         .num_encoder_layers = 1,
                                         .num_decoder_layers = 1,
                                         .dim_feedforward = 1,
                                         .padding_idx = std::nullopt});
  const auto [logits, weights, coverage_loss] = model(autograd::ids({{0}}), {1}, autograd::ids({{0}}));
  EXPECT_EQ(logits.shape(), (autograd::Shape{1, 1, 1}));
  EXPECT_EQ(weights.to_vector(), std::vector<double>{1.0});
}

TEST(NnTransformerTranslatorProperties, StatesCanBeSelectedForBeamSearch) {
  const nn::TransformerTranslator model(tiny());
  const nn::DecoderState start = model.start(source(), lengths);
  const nn::DecoderState first = model.step(target().select(1, 0), start).state;
  EXPECT_EQ(first.memory.step, 1);
  EXPECT_EQ(first.caches.size(), 8u);
  const auto both = model.step(target().select(1, 1), first);
  const Tensor rows = autograd::ids({2, 0, 2, 1});
  const auto chosen = model.step(target().select(1, 1).index_select(0, rows), first.select(rows));
  EXPECT_TRUE(fixtures::near(chosen.logits, both.logits.index_select(0, rows)));
  EXPECT_TRUE(fixtures::near(chosen.weights, both.weights.index_select(0, rows)));
  // A step leaves the state that it was given as it was.
  EXPECT_TRUE(fixtures::near(model.step(target().select(1, 1), first).logits, both.logits));
}

TEST(NnTransformerTranslatorProperties, WithoutATeacherTheInputsAreItsOwnWords) {
  const nn::TransformerTranslator model(tiny());
  const Tensor free = model(source(), lengths, target(), {.ratio = 0.0}).logits;
  const Tensor own = autograd::cat({target().narrow(1, 0, 1), free.argmax(-1).narrow(1, 0, 3)}, 1);
  EXPECT_TRUE(fixtures::near(free, model(source(), lengths, own).logits));
  EXPECT_TRUE(free.requires_grad());
}

TEST(NnTransformerTranslatorProperties, ComputesTheLogitsOfSomePositionsOnly) {
  const nn::TransformerTranslator model(tiny());
  const Tensor positions = autograd::ids({0, 1, 2, 5, 7, 8});
  for (const double ratio : {1.0, 0.0}) {
    const Tensor all = model(source(), lengths, target(), {.ratio = ratio}).logits;
    const Tensor some = model(source(), lengths, target(), {.ratio = ratio, .positions = positions}).logits;
    EXPECT_TRUE(fixtures::near(some, all.flatten(0, 1).index_select(0, positions)));
  }
}

TEST(NnTransformerTranslatorProperties, DropoutActsInTrainingOnly) {
  nn::TransformerTranslatorOptions options = tiny();
  options.dropout = 0.5;
  nn::TransformerTranslator model(options);
  const auto run = [&] { return model(source(), lengths, target()).logits; };
  EXPECT_FALSE(autograd::allclose(run(), run()));
  model.eval();
  EXPECT_TRUE(autograd::allclose(run(), run()));
}

TEST(NnTransformerTranslatorProperties, ScopesAreThePathsOfTheNames) {
  const nn::TransformerTranslator model(tiny());
  fixtures::Scopes scopes;
  {
    const autograd::ObserverGuard guard(scopes);
    model(source(), lengths, target());
  }
  for (const std::string path : {"TransformerTranslator.src_embedding", "TransformerTranslator.positional_encoding",
                                 "TransformerTranslator.encoder.layers.1.linear2", "TransformerTranslator.fc_out",
                                 "TransformerTranslator.decoder.layers.0.multihead_attn"}) {
    EXPECT_EQ(scopes.paths.count(path), 1u) << path;
  }
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
  EXPECT_EQ(model.src_embedding.weight.impl(), model.fc_out.weight.impl());
  EXPECT_EQ(model.src_embedding.weight.impl(), model.tgt_embedding.weight.impl());
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

TEST(NnTransformerTranslatorErrors, OfOptions) {
  const auto make = [](nn::TransformerTranslatorOptions options) { const nn::TransformerTranslator model(options); };
  nn::TransformerTranslatorOptions options = tiny();
  options.nhead = 4;
  EXPECT_TRUE(fixtures::mentions(fixtures::message_of(ErrorId::bad_argument, [&] { make(options); }),
                                 {"d_model 6", "4 heads"}));
  options = tiny();
  options.source_vocab = 0;
  fixtures::message_of(ErrorId::bad_argument, [&] { make(options); });
  options = tiny();
  options.num_decoder_layers = 0;
  fixtures::message_of(ErrorId::bad_argument, [&] { make(options); });
  options = tiny();
  options.tying = nn::WeightTying::all;
  EXPECT_TRUE(fixtures::mentions(fixtures::message_of(ErrorId::bad_argument, [&] { make(options); }),
                                 {"11 and 13 words", "WeightTying::target"}));
}

TEST(NnTransformerTranslatorErrors, OfCalls) {
  const nn::TransformerTranslator model(tiny());
  EXPECT_TRUE(fixtures::mentions(fixtures::message_of(ErrorId::bad_length,
                                                      [&] {
                                                        model(source(), {3, 0, 5}, target());
                                                      }),
                                 {"TransformerTranslator", "transformer_translator_test.cpp"}));
  fixtures::message_of(ErrorId::bad_length, [&] { model.start(source(), {3, 1, 6}); });
  EXPECT_TRUE(
      fixtures::mentions(fixtures::message_of(ErrorId::token_out_of_range,
                                              [&] { model(source() + autograd::ids({10}), lengths, target()); }),
                         {"TransformerTranslator.src_embedding"}));
  fixtures::message_of(ErrorId::token_out_of_range, [&] {
    model.step(autograd::ids({1, 13, 1}), model.start(source(), lengths));
  });
  fixtures::message_of(ErrorId::shape_mismatch, [&] { model(source().select(0, 0), lengths, target()); });
  fixtures::message_of(ErrorId::shape_mismatch, [&] { model(source(), lengths, target().narrow(0, 0, 2)); });
  fixtures::message_of(ErrorId::shape_mismatch, [&] {
    model.step(autograd::ids({1, 1}), model.start(source(), lengths));
  });
  fixtures::message_of(ErrorId::bad_argument, [&] { model(source(), lengths, target(), {.ratio = 1.5}); });
  fixtures::message_of(ErrorId::index_out_of_range,
                       [&] { model(source(), lengths, target(), {.positions = autograd::ids({1000})}); });
  fixtures::message_of(ErrorId::bad_argument, [&] { model.step(autograd::ids({1, 1, 1}), nn::DecoderState{}); });
}

}  // namespace nn_transformer_translator_test
