#include <nn/layers/init.h>
#include <nn/translation/ensemble.h>
#include <nn/translation/recurrent_translator.h>
#include <nn/translation/search.h>
#include <nn/translation/transformer_translator.h>

#include <cmath>
#include <limits>

#include "tests/nn/nn_fixtures.h"

namespace nn_ensemble_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;
using nn::Translation;

using Members = std::vector<std::unique_ptr<nn::TranslationModel>>;
using Lengths = std::vector<std::int64_t>;

// A model with large random weights, so that two do not agree.
template <class Model, class Options> std::unique_ptr<nn::TranslationModel> model(Options options, std::uint64_t seed) {
  const autograd::NoGradGuard no_grad;
  auto result = std::make_unique<Model>(options);
  autograd::manual_seed(seed);
  for (const Tensor& parameter : result->parameters()) nn::init::normal_(parameter, 0.0, 0.8);
  result->eval();
  return result;
}

std::unique_ptr<nn::TranslationModel> recurrent(std::uint64_t seed, const std::string& attention = "additive",
                                                std::int64_t vocabulary = 7) {
  nn::RecurrentTranslatorOptions options{.source_vocab = 9, .target_vocab = vocabulary, .embed_dim = 3};
  options.hidden_dim = 5;
  options.attention = attention;
  options.dtype = float64;
  return model<nn::RecurrentTranslator>(options, seed);
}

std::unique_ptr<nn::TranslationModel> transformer(std::uint64_t seed) {
  nn::TransformerTranslatorOptions options{.source_vocab = 9, .target_vocab = 7, .d_model = 4, .nhead = 2};
  options.num_encoder_layers = options.num_decoder_layers = 1;
  options.dim_feedforward = 6;
  options.dtype = float64;
  return model<nn::TransformerTranslator>(options, seed);
}

template <class... Models> nn::Ensemble ensemble_of(Models... models) {
  Members members;
  (members.push_back(std::move(models)), ...);
  return nn::Ensemble(std::move(members));
}

const Lengths lengths{3, 1, 5, 4};
Tensor source() {
  return autograd::ids({{4, 6, 3, 0, 0}, {3, 0, 0, 0, 0}, {5, 1, 4, 6, 3}, {8, 7, 7, 3, 0}});
}
Tensor target() {
  return autograd::ids({{2, 4, 5}, {2, 6, 6}, {2, 5, 0}, {2, 0, 0}});
}

testing::AssertionResult are_near(const Tensor& actual, const Tensor& expected) {
  return fixtures::near(actual, expected, {.relative = 0.0, .absolute = 1e-12});
}

Tensor log_of_means(const Tensor& first, const Tensor& second) {
  return ((first.softmax(-1) + second.softmax(-1)) / 2.0).log();
}

void expect_same(const std::vector<Translation>& actual, const std::vector<Translation>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_EQ(actual[i].words, expected[i].words);
    EXPECT_EQ(actual[i].finished, expected[i].finished);
    EXPECT_NEAR(actual[i].log_probability, expected[i].log_probability, 1e-12);
    EXPECT_TRUE(are_near(actual[i].weights, expected[i].weights));
  }
}

// ---- probabilities -------------------------------------------------------------------------------------------

TEST(NnEnsemble, GivesEachWordTheMeanOfItsProbabilities) {
  const auto first = recurrent(1);
  const auto second = transformer(2);
  const nn::Ensemble both = ensemble_of(recurrent(1), transformer(2));
  nn::DecoderState states[] = {first->start(source(), lengths), second->start(source(), lengths)};
  nn::DecoderState state = both.start(source(), lengths);
  for (std::int64_t t = 0; t < 3; ++t) {
    const Tensor words = target().select(1, t);
    const auto a = first->step(words, states[0]);
    const auto b = second->step(words, states[1]);
    const auto step = both.step(words, state);
    EXPECT_TRUE(are_near(step.logits, log_of_means(a.logits, b.logits)));
    EXPECT_TRUE(are_near(step.weights, (a.weights + b.weights) / 2.0));
    states[0] = a.state, states[1] = b.state, state = step.state;
  }
  const auto a = (*first)(source(), lengths, target());
  const auto b = (*second)(source(), lengths, target());
  const auto all = both(source(), lengths, target());
  EXPECT_TRUE(are_near(all.logits, log_of_means(a.logits, b.logits)));
  EXPECT_TRUE(are_near(all.weights, (a.weights + b.weights) / 2.0));
  const Tensor positions = autograd::ids({0, 4, 11});
  const Tensor some = both(source(), lengths, target(), {.positions = positions}).logits;
  EXPECT_TRUE(are_near(some, nn::features_at(all.logits, positions)));
}

TEST(NnEnsemble, OnlyMembersWithAttentionCountForTheWeights) {
  const nn::Ensemble mixed = ensemble_of(recurrent(3, "none"), recurrent(1));
  const Tensor expected = (*recurrent(1))(source(), lengths, target()).weights;
  EXPECT_TRUE(are_near(mixed(source(), lengths, target()).weights, expected));
  const nn::Ensemble without = ensemble_of(recurrent(3, "none"), recurrent(5, "none"));
  EXPECT_FALSE(without(source(), lengths, target()).weights.defined());
  const Tensor first = target().select(1, 0);
  EXPECT_TRUE(are_near(mixed.step(first, mixed.start(source(), lengths)).weights, expected.select(1, 0)));
  EXPECT_FALSE(without.step(first, without.start(source(), lengths)).weights.defined());
}

// Gives every sentence these logits.
struct Fixed : nn::TranslationModel {
  explicit Fixed(const std::vector<double>& given) : logits(autograd::tensor(given, float64)) {}
  Output operator()(const Tensor&, const Lengths&, const Tensor&, const nn::TeacherForcing&,
                    autograd::Where) const override {
    return {logits, Tensor(), Tensor()};
  }
  nn::DecoderState start(const Tensor&, const Lengths&, autograd::Where) const override { return {}; }
  Step step(const Tensor&, const nn::DecoderState&, autograd::Where) const override {
    return {logits.unsqueeze(0), Tensor(), {}};
  }
  Tensor logits;
};

TEST(NnEnsemble, LogitsOfAnySizeDoNotOverflow) {
  constexpr double impossible = -std::numeric_limits<double>::infinity();
  const nn::Ensemble both = ensemble_of(std::make_unique<Fixed>(std::vector<double>{5000.0, 0.0, -1.0, impossible}),
                                        std::make_unique<Fixed>(std::vector<double>{-9000.0, 0.0, 0.0, impossible}));
  const Tensor logits = both.step(autograd::ids({2}), both.start(source(), lengths)).logits;
  EXPECT_NEAR(logits.at({0, 0}), std::log(0.5), 1e-12);
  EXPECT_NEAR(logits.at({0, 1}), std::log(0.25), 1e-12);
  EXPECT_NEAR(logits.at({0, 2}), std::log(0.25), 1e-12);
  EXPECT_EQ(logits.at({0, 3}), impossible);
}

// ---- search --------------------------------------------------------------------------------------------------

TEST(NnEnsemble, AModelWithItselfTranslatesAsItDoesAlone) {
  for (const auto make : {+[] { return recurrent(1); }, +[] { return recurrent(4); }, +[] { return transformer(2); }}) {
    const auto alone = make();
    const nn::Ensemble twice = ensemble_of(make(), make());
    const nn::SearchOptions options{.max_length = 8, .forbidden = {0}};
    expect_same(nn::greedy_search(twice, source(), lengths, options),
                nn::greedy_search(*alone, source(), lengths, options));
    const auto expected = nn::beam_search(*alone, source(), lengths, options, {.beam = 4, .n_best = 3});
    const auto actual = nn::beam_search(twice, source(), lengths, options, {.beam = 4, .n_best = 3});
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) expect_same(actual[i], expected[i]);
  }
}

// ---- mistakes ------------------------------------------------------------------------------------------------

TEST(NnEnsemble, MistakesAreErrors) {
  fixtures::error_of(ErrorId::bad_argument, [] { nn::Ensemble({}); });
  const nn::Ensemble unequal = ensemble_of(recurrent(1), recurrent(1, "additive", 8));
  const nn::DecoderState state = unequal.start(source(), lengths);
  fixtures::error_of(ErrorId::bad_argument, [&] { unequal.step(autograd::ids({2, 2, 2, 2}), state); });
  fixtures::error_of(ErrorId::bad_argument, [&] { unequal(source(), lengths, target()); });
  const nn::Ensemble both = ensemble_of(recurrent(1), recurrent(3));
  fixtures::error_of(ErrorId::bad_argument, [&] { both(source(), lengths, target(), {.ratio = 0.5}); });
}

}  // namespace nn_ensemble_test
