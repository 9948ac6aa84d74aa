#include <nn/adam.h>
#include <nn/attention/attention_kinds.h>
#include <nn/clip_grad.h>
#include <nn/gradcheck.h>
#include <nn/safetensors.h>
#include <nn/translation/recurrent_translator.h>

#include "tests/nn/nn_fixtures.h"

namespace nn_recurrent_translator_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;
using nn::DecoderOrder;
using nn::OutputKind;
using nn::RecurrentKind;

RecurrentKind cell_of(const std::string& text) {
  return text == "'lstm'" ? RecurrentKind::lstm : RecurrentKind::gru;
}

DecoderOrder order_of(const std::string& text) {
  return text == "'luong'" ? DecoderOrder::luong : DecoderOrder::bahdanau;
}

OutputKind output_of(const std::string& text) {
  if (text == "'state_and_context'") return OutputKind::state_and_context;
  if (text == "'maxout'") return OutputKind::maxout;
  return text == "'attentional'" ? OutputKind::attentional : OutputKind::linear;
}

// "Translator(7, 9, embed=2, hidden=4, cell='lstm', attention='none')" of fixtures/translator_models.py.
nn::RecurrentTranslatorOptions options_of(const fixtures::Call& call, autograd::DType dtype = float64) {
  return {.source_vocab = call.at(0),
          .target_vocab = call.at(1),
          .embed_dim = call.integer("embed", 0),
          .hidden_dim = call.integer("hidden", 0),
          .encoder_hidden_dim = call.integer("encoder_hidden", 0),
          .attention_dim = call.integer("attention_dim", 0),
          .n_layers = call.integer("layers", 1),
          .cell = cell_of(call.text("cell", "'gru'")),
          .attention = call.text("attention", "") == "'none'" ? "none" : "additive",
          .order = order_of(call.text("order", "'bahdanau'")),
          .output = output_of(call.text("output", "'linear'")),
          .maxout_dim = call.integer("maxout", 0),
          .dtype = dtype};
}

nn::RecurrentTranslatorOptions tiny() {
  return {.source_vocab = 7,
          .target_vocab = 9,
          .embed_dim = 2,
          .hidden_dim = 4,
          .encoder_hidden_dim = 3,
          .attention_dim = 5,
          .separator = 4,
          .dtype = float64};
}

const std::vector<std::int64_t> lengths{3, 1, 5};
Tensor source() {
  return autograd::ids({{4, 6, 3, 0, 0}, {3, 0, 0, 0, 0}, {5, 1, 4, 6, 3}});
}
Tensor target() {
  return autograd::ids({{2, 6, 8, 3}, {2, 5, 3, 0}, {2, 7, 7, 1}});
}

// ---- against PyTorch: values and all gradients ---------------------------------------------------------------

class NnRecurrentTranslator : public testing::TestWithParam<std::string> {};

TEST_P(NnRecurrentTranslator, EqualsPyTorch) {
  fixtures::ModuleCase one(GetParam(), "translators.json");
  const nn::RecurrentTranslator model(options_of(one.call()));
  one.load(model);
  const auto [logits, weights, coverage_loss] =
      model(one.input("src"), one.lengths("src_lengths"), one.input("tgt_in"));
  EXPECT_FALSE(coverage_loss.defined());
  EXPECT_EQ(weights.defined(), model.options.attention != "none");
  if (weights.defined()) {
    one.check(model, {{"logits", logits}, {"weights", weights}});
  } else {
    one.check(model, {{"logits", logits}});
  }
}

TEST_P(NnRecurrentTranslator, StepByStepEqualsPyTorch) {
  fixtures::ModuleCase one(GetParam(), "translators.json");
  const nn::RecurrentTranslator model(options_of(one.call()));
  one.load(model);
  std::vector<Tensor> logits;
  std::vector<Tensor> weights;
  nn::DecoderState state = model.start(one.input("src"), one.lengths("src_lengths"));
  for (std::int64_t t = 0; t < one.input("tgt_in").size(1); ++t) {
    const nn::TranslationModel::Step now = model.step(one.input("tgt_in").select(1, t), state);
    logits.push_back(now.logits);
    weights.push_back(now.weights);
    state = now.state;
  }
  std::map<std::string, Tensor> outputs{{"logits", autograd::stack(logits, 1)}};
  if (weights[0].defined()) outputs["weights"] = autograd::stack(weights, 1);
  one.check(model, outputs);
}
INSTANTIATE_TEST_SUITE_P(Fixtures, NnRecurrentTranslator,
                         testing::ValuesIn(fixtures::ids("translators.json", "translator/")), fixtures::test_name);

// ---- the first updates of a training, in float32 -------------------------------------------------------------

class NnRecurrentTranslatorTraining : public testing::TestWithParam<std::string> {};

TEST_P(NnRecurrentTranslatorTraining, LossesEqualPyTorch) {
  const fixtures::Json& one = fixtures::find("translators.json", GetParam());
  const nn::RecurrentTranslator model(options_of(fixtures::parse_call(one["module"]), autograd::float32));
  const auto loaded = model.load_state_dict(nn::load_safetensors(fixtures::path(one["file"])).tensors, false);
  EXPECT_TRUE(loaded.missing_keys.empty());
  nn::Adam adam(model.parameters());
  for (std::size_t i = 0; i < one["batches"].size(); ++i) {
    const fixtures::Json& batch = one["batches"][i];
    const std::vector<std::int64_t> source_lengths = fixtures::tensor(batch["src_lengths"]).to_vector<std::int64_t>();
    const Tensor logits =
        model(fixtures::tensor(batch["src"]), source_lengths, fixtures::tensor(batch["tgt_in"])).logits;
    const Tensor words = fixtures::tensor(batch["tgt_out"]).flatten();
    const Tensor loss = autograd::cross_entropy(logits.flatten(0, 1), words, {.ignore_index = 0});
    adam.zero_grad();
    loss.backward();
    const double norm = nn::clip_grad_norm_(model.parameters(), 1.0);
    adam.step();
    EXPECT_TRUE(fixtures::near_number(loss.item(), one["losses"][i], {.relative = 2e-6, .absolute = 0.0})) << i;
    EXPECT_TRUE(fixtures::near_number(norm, one["norms"][i], {.relative = 1e-5, .absolute = 0.0})) << i;
  }
}
INSTANTIATE_TEST_SUITE_P(Fixtures, NnRecurrentTranslatorTraining,
                         testing::ValuesIn(fixtures::ids("translators.json", "training/")), fixtures::test_name);

// ---- every kind of attention, order, cell and output layer: the gradients ------------------------------------

struct Variant {
  std::string attention;
  RecurrentKind cell = RecurrentKind::gru;
  DecoderOrder order = DecoderOrder::bahdanau;
  OutputKind output = OutputKind::linear;
};

std::string variant_name(const testing::TestParamInfo<Variant>& info) {
  static const std::vector<std::string> outputs{"linear", "state_and_context", "maxout", "attentional"};
  return info.param.attention + (info.param.cell == RecurrentKind::gru ? "_gru" : "_lstm") +
         (info.param.order == DecoderOrder::luong ? "_luong_" : "_bahdanau_") +
         outputs[static_cast<std::size_t>(info.param.output)];
}

// Additive attention and none with all that there is, and each other kind with one of everything, in turn.
std::vector<Variant> variants() {
  const std::vector<RecurrentKind> cells{RecurrentKind::gru, RecurrentKind::lstm};
  const std::vector<DecoderOrder> orders{DecoderOrder::bahdanau, DecoderOrder::luong};
  const std::vector<OutputKind> outputs{OutputKind::linear, OutputKind::state_and_context, OutputKind::maxout,
                                        OutputKind::attentional};
  std::vector<Variant> all;
  for (const RecurrentKind cell : cells) {
    for (const OutputKind output : outputs) {
      for (const DecoderOrder order : orders) all.push_back({"additive", cell, order, output});
      all.push_back({"none", cell, DecoderOrder::bahdanau, output});
    }
  }
  std::size_t turn = 0;
  for (const std::string& kind : nn::attention_kinds()) {
    if (kind != "additive") all.push_back({kind, cells[turn / 4 % 2], orders[turn / 2 % 2], outputs[turn % 4]});
    turn += 3;
  }
  return all;
}

class NnRecurrentTranslatorGradients : public testing::TestWithParam<Variant> {};

TEST_P(NnRecurrentTranslatorGradients, AreTheNumericalOnes) {
  autograd::manual_seed(30);
  nn::RecurrentTranslatorOptions options = tiny();
  options.attention = GetParam().attention;
  options.cell = GetParam().cell;
  options.order = GetParam().order;
  options.output = GetParam().output;
  options.attention_dim = 0;  // multi_head splits it into heads
  options.embedding_std = 1.0;
  options.padding_idx.reset();  // every row of the embeddings has its gradient
  const nn::RecurrentTranslator model(options);
  const Tensor src = source().narrow(0, 0, 2).narrow(1, 0, 3);
  const Tensor tgt_in = target().narrow(0, 0, 2).narrow(1, 0, 3);
  EXPECT_TRUE(nn::gradcheck(model, [&] { return model(src, {3, 1}, tgt_in).logits; }));
}
INSTANTIATE_TEST_SUITE_P(All, NnRecurrentTranslatorGradients, testing::ValuesIn(variants()), variant_name);

TEST(NnRecurrentTranslatorProperties, GradientsAreTheNumericalOnesWithLayersAndDropout) {
  nn::RecurrentTranslatorOptions options = tiny();
  options.n_layers = 2;
  options.dropout = 0.3;
  options.attention_dropout = 0.3;
  options.padding_idx.reset();
  const nn::RecurrentTranslator model(options);
  EXPECT_TRUE(nn::gradcheck(model, [&] { return model(source(), lengths, target()).logits; }, {}, {.reseed = true}));
}

// ---- coverage ------------------------------------------------------------------------------------------------

TEST(NnRecurrentTranslatorCoverage, LossIsWhatIsLookedAtAgain) {
  nn::RecurrentTranslatorOptions options = tiny();
  options.attention = "coverage";
  const nn::RecurrentTranslator model(options);
  const auto [logits, weights, coverage_loss] = model(source(), lengths, target());
  const std::vector<double> w = weights.to_vector();
  const std::vector<double> loss = coverage_loss.to_vector();
  ASSERT_EQ(coverage_loss.shape(), (autograd::Shape{3, 4}));
  for (std::size_t b = 0; b < 3; ++b) {
    std::vector<double> coverage(5, 0.0);
    for (std::size_t t = 0; t < 4; ++t) {
      double expected = 0.0;
      for (std::size_t i = 0; i < 5; ++i) {
        const double weight = w[(b * 4 + t) * 5 + i];
        expected += std::min(weight, coverage[i]);
        coverage[i] += weight;
      }
      EXPECT_NEAR(loss[b * 4 + t], expected, 1e-12);
    }
  }
  EXPECT_TRUE(nn::gradcheck(model, [&] { return model(source(), lengths, target()).coverage_loss; }, {},
                            {.allow_vacuous = true}));
}

// ---- teacher forcing -----------------------------------------------------------------------------------------

TEST(NnTeacherForcing, WithRatioZeroTheModelFollowsItself) {
  autograd::manual_seed(2);
  for (const std::string attention : {"additive", "none"}) {
    nn::RecurrentTranslatorOptions options = tiny();
    options.attention = attention;
    const nn::RecurrentTranslator model(options);
    const Tensor logits = model(source(), lengths, target(), {.ratio = 0.0}).logits;
    nn::DecoderState state = model.start(source(), lengths);
    Tensor words = target().select(1, 0);
    for (std::int64_t t = 0; t < 4; ++t) {
      const nn::TranslationModel::Step now = model.step(words, state);
      EXPECT_TRUE(fixtures::near(now.logits, logits.select(1, t)));
      words = now.logits.argmax(-1);
      state = now.state;
    }
  }
}

TEST(NnTeacherForcing, ChoosesStepByStepWithTheRatio) {
  autograd::manual_seed(3);
  const nn::RecurrentTranslator model(tiny());
  const Tensor own = model(source(), lengths, target(), {.ratio = 0.0}).logits;
  const Tensor right = model(source(), lengths, target(), {.ratio = 1.0}).logits;
  const Tensor none_of_it = target().select(1, 0).unsqueeze(1).expand({-1, 4});  // bos only
  EXPECT_TRUE(fixtures::near(own.select(1, 0), right.select(1, 0)));
  EXPECT_FALSE(fixtures::near(own, right));
  EXPECT_TRUE(fixtures::near(model(source(), lengths, none_of_it, {.ratio = 0.0}).logits, own));
  int own_second_words = 0;
  for (int i = 0; i < 400; ++i) {
    const Tensor logits = model(source(), lengths, target().narrow(1, 0, 2), {.ratio = 0.75}).logits;
    const bool is_own = autograd::allclose(logits, own.narrow(1, 0, 2));
    EXPECT_TRUE(is_own || autograd::allclose(logits, right.narrow(1, 0, 2)));
    if (is_own) ++own_second_words;
  }
  EXPECT_NEAR(own_second_words, 100, 4 * std::sqrt(400 * 0.75 * 0.25));
}

TEST(NnTeacherForcing, WithRatioOneNothingIsDrawn) {
  const nn::RecurrentTranslator model(tiny());
  autograd::manual_seed(4);
  const std::uint64_t expected = autograd::default_generator().next();
  autograd::manual_seed(4);
  model(source(), lengths, target());
  EXPECT_EQ(autograd::default_generator().next(), expected);
}

// Where there is no word to predict, the output layer need not be applied: the rest is as it was.
TEST(NnTeacherForcing, ComputesTheLogitsOfSomePositionsOnly) {
  const Tensor positions = autograd::ids({0, 1, 2, 5, 7, 8});
  for (const std::string attention : {"additive", "none"}) {
    for (const nn::OutputKind output : {nn::OutputKind::linear, nn::OutputKind::maxout}) {
      nn::RecurrentTranslatorOptions options = tiny();
      options.attention = attention;
      options.output = output;
      const nn::RecurrentTranslator model(options);
      for (const double ratio : {1.0, 0.0}) {
        const auto all = model(source(), lengths, target(), {.ratio = ratio});
        const auto some = model(source(), lengths, target(), {.ratio = ratio, .positions = positions});
        EXPECT_TRUE(fixtures::near(some.logits, all.logits.flatten(0, 1).index_select(0, positions)));
        EXPECT_TRUE(!all.weights.defined() || fixtures::near(some.weights, all.weights));
      }
    }
  }
}

TEST(NnTeacherForcing, GradientsOfSomePositionsAreRight) {
  nn::RecurrentTranslatorOptions options = tiny();
  options.padding_idx.reset();
  const nn::RecurrentTranslator model(options);
  const nn::TeacherForcing some{.positions = autograd::ids({0, 2, 3, 6, 7})};
  EXPECT_TRUE(nn::gradcheck(model, [&] { return model(source(), lengths, target(), some).logits; }));
}

TEST(NnTeacherForcing, GradientsAreRightWithOwnWordsToo) {
  autograd::manual_seed(5);
  nn::RecurrentTranslatorOptions options = tiny();
  options.padding_idx.reset();
  const nn::RecurrentTranslator model(options);
  EXPECT_TRUE(nn::gradcheck(model, [&] { return model(source(), lengths, target(), {.ratio = 0.5}).logits; }, {},
                            {.reseed = true}));
}

// ---- what it starts with -------------------------------------------------------------------------------------

TEST(NnRecurrentTranslatorParameters, AreAsManyAsPyTorchs) {
  EXPECT_EQ(nn::RecurrentTranslator({.source_vocab = 5898, .target_vocab = 7882}).num_parameters(), 13512394);
  EXPECT_EQ(nn::RecurrentTranslator({.source_vocab = 5898, .target_vocab = 7882, .attention = "none"}).num_parameters(),
            13315530);
}

TEST(NnRecurrentTranslatorParameters, EmbeddingsAreSmallAndPaddingIsZero) {
  autograd::manual_seed(6);
  const nn::RecurrentTranslator model({.source_vocab = 200, .target_vocab = 300, .embed_dim = 100, .hidden_dim = 4});
  for (const Tensor& table : {model.encoder.embedding.weight, model.decoder.embedding.weight}) {
    EXPECT_TRUE(table.requires_grad());
    EXPECT_EQ(table.detach().select(0, 0).abs().sum().item(), 0.0);
    const Tensor words = table.detach().narrow(0, 1, table.size(0) - 1);
    EXPECT_NEAR(words.pow(2.0).mean().sqrt().item(), 0.1, 0.002);
  }
}

// ---- properties ----------------------------------------------------------------------------------------------

TEST(NnRecurrentTranslatorProperties, PaddingAndNeighboursChangeNothing) {
  for (const std::string& kind : nn::attention_kinds()) {
    nn::RecurrentTranslatorOptions options = tiny();
    options.attention = kind;
    options.attention_dim = 0;
    const nn::RecurrentTranslator model(options);
    const Tensor logits = model(source(), lengths, target()).logits;
    const Tensor wider = autograd::cat({source(), autograd::full({3, 2}, 6.0, autograd::int64)}, 1);
    EXPECT_TRUE(fixtures::near(model(wider, lengths, target()).logits, logits)) << kind;
    const Tensor alone = model(source().narrow(0, 0, 1).narrow(1, 0, 3), {3}, target().narrow(0, 0, 1)).logits;
    EXPECT_TRUE(fixtures::near(alone, logits.narrow(0, 0, 1))) << kind;
  }
}

TEST(NnRecurrentTranslatorProperties, OneWordToOneWord) {
  for (const std::string attention : {"additive", "coverage", "none"}) {
    nn::RecurrentTranslatorOptions options = tiny();
    options.attention = attention;
    const nn::RecurrentTranslator model(options);
    const auto output = model(autograd::ids({{3}}), {}, autograd::ids({{2}}));
    EXPECT_EQ(output.logits.shape(), (autograd::Shape{1, 1, 9}));
    EXPECT_EQ(output.weights.defined(), attention != "none");
    EXPECT_EQ(output.coverage_loss.defined(), attention == "coverage");
    if (output.weights.defined()) {
      EXPECT_EQ(output.weights.to_vector(), std::vector<double>{1.0});
    }
    if (output.coverage_loss.defined()) {
      EXPECT_EQ(output.coverage_loss.to_vector(), std::vector<double>{0.0});
    }
  }
}

TEST(NnRecurrentTranslatorProperties, DropoutActsInTrainingOnly) {
  nn::RecurrentTranslatorOptions with_dropout = tiny();
  with_dropout.dropout = 0.5;
  nn::RecurrentTranslatorOptions on_weights = tiny();
  on_weights.attention_dropout = 0.5;
  for (const nn::RecurrentTranslatorOptions& options : {with_dropout, on_weights}) {
    nn::RecurrentTranslator model(options);
    const auto run = [&] { return model(source(), lengths, target()).logits; };
    EXPECT_FALSE(autograd::allclose(run(), run()));
    model.eval();
    EXPECT_TRUE(autograd::allclose(run(), run()));
  }
}

// With all of the embeddings gone, no word of either language has an influence on the logits.
TEST(NnRecurrentTranslatorProperties, DropoutIsOnTheWordsOfBothSides) {
  for (const std::string attention : {"additive", "none"}) {
    nn::RecurrentTranslatorOptions options = tiny();
    options.attention = attention;
    options.dropout = 1.0;
    nn::RecurrentTranslator model(options);
    const Tensor other_source = autograd::where(source() == 4.0, autograd::ids({1}), source());
    const Tensor other_target = autograd::where(target() == 7.0, autograd::ids({4}), target());
    const auto run = [&](const Tensor& src, const Tensor& tgt_in) { return model(src, lengths, tgt_in).logits; };
    EXPECT_TRUE(fixtures::near(run(other_source, other_target), run(source(), target())));
    model.eval();
    EXPECT_FALSE(fixtures::near(run(other_source, target()), run(source(), target())));
    EXPECT_FALSE(fixtures::near(run(source(), other_target), run(source(), target())));
  }
}

TEST(NnRecurrentTranslatorProperties, SelectedRowsGoOnAsBefore) {
  autograd::manual_seed(7);
  for (const Variant& variant : variants()) {
    nn::RecurrentTranslatorOptions options = tiny();
    options.attention = variant.attention;
    options.cell = variant.cell;
    options.order = variant.order;
    options.output = variant.output;
    options.attention_dim = 0;
    const nn::RecurrentTranslator model(options);
    const Tensor words = autograd::ids({4, 5, 6});
    const nn::DecoderState state = model.step(words, model.start(source(), lengths)).state;
    const Tensor rows = autograd::ids({2, 0, 0, 2});
    const nn::TranslationModel::Step all = model.step(words, state);
    const nn::TranslationModel::Step some = model.step(words.index_select(0, rows), state.select(rows));
    EXPECT_TRUE(fixtures::near(some.logits, all.logits.index_select(0, rows))) << variant.attention;
    if (all.weights.defined()) {
      EXPECT_TRUE(fixtures::near(some.weights, all.weights.index_select(0, rows)));
    }
    const nn::TranslationModel::Step later = model.step(words, all.state);
    const nn::TranslationModel::Step later_some = model.step(words.index_select(0, rows), some.state);
    EXPECT_TRUE(fixtures::near(later_some.logits, later.logits.index_select(0, rows))) << variant.attention;
  }
}

TEST(NnRecurrentTranslatorProperties, ScopesAreThePathsOfTheNames) {
  const nn::RecurrentTranslator model(tiny());
  fixtures::Scopes scopes;
  {
    const autograd::ObserverGuard guard(scopes);
    model(source(), lengths, target());
  }
  for (const std::string path :
       {"RecurrentTranslator.encoder.rnn.l0_reverse, step 2", "RecurrentTranslator.encoder.fc",
        "RecurrentTranslator.decoder, step 3.rnn", "RecurrentTranslator.decoder.output.fc_out"}) {
    EXPECT_EQ(scopes.paths.count(path), 1u) << path;
  }
}

// ---- errors --------------------------------------------------------------------------------------------------

TEST(NnRecurrentTranslatorErrors, AreClear) {
  const auto message = [](const nn::RecurrentTranslatorOptions& options) {
    return fixtures::message_of(ErrorId::bad_argument, [&] { nn::RecurrentTranslator model(options); });
  };
  EXPECT_TRUE(fixtures::mentions(message({.source_vocab = 5}),
                                 {"RecurrentTranslator", "target_vocab is 0", "recurrent_translator_test.cpp"}));
  EXPECT_TRUE(fixtures::mentions(message({.source_vocab = 5, .target_vocab = 5, .attention = "magic"}),
                                 {"magic", "additive, ", "none"}));
  EXPECT_TRUE(fixtures::mentions(message({.source_vocab = 5, .target_vocab = 5, .dropout = 1.5}), {"dropout is 1.5"}));
  EXPECT_TRUE(fixtures::mentions(message({.source_vocab = 5, .target_vocab = 5, .n_layers = 0}), {"n_layers is 0"}));
  EXPECT_TRUE(fixtures::mentions(message({.source_vocab = 5, .target_vocab = 5, .embedding_std = -0.1}),
                                 {"embedding_std is -0.1"}));

  const std::string unfit = fixtures::message_of(ErrorId::bad_argument, [] {
    nn::RecurrentTranslator(tiny(), nn::make_attention("additive", {.decoder_dim = 4, .encoder_dim = 4}));
  });
  EXPECT_TRUE(fixtures::mentions(unfit, {"decoder_dim 4 and encoder_dim 4", "hidden_dim 4 and context_dim 6"}));
}

TEST(NnRecurrentTranslatorErrors, OfCallsNameTheModule) {
  const nn::RecurrentTranslator model(tiny());
  EXPECT_TRUE(fixtures::mentions(fixtures::message_of(ErrorId::bad_length,
                                                      [&] {
                                                        model(source(), {3, 0, 5}, target());
                                                      }),
                                 {"RecurrentTranslator.encoder.rnn", "recurrent_translator_test.cpp"}));
  fixtures::message_of(ErrorId::bad_argument, [&] { model(source(), lengths, target(), {.ratio = 1.5}); });
  fixtures::message_of(ErrorId::shape_mismatch, [&] { model(source(), lengths, target().narrow(0, 0, 2)); });
  fixtures::message_of(ErrorId::shape_mismatch, [&] { model(source(), lengths, autograd::ids({2, 2, 2})); });
  fixtures::message_of(ErrorId::bad_length, [&] {
    model(source(), lengths, autograd::zeros({3, 0}, autograd::int64));
  });
  fixtures::message_of(ErrorId::token_out_of_range, [&] { model(source(), lengths, target() + autograd::ids({1})); });
  fixtures::message_of(ErrorId::shape_mismatch,
                       [&] { model.step(autograd::ids({2}), model.start(source(), lengths)); });
}

}  // namespace nn_recurrent_translator_test
