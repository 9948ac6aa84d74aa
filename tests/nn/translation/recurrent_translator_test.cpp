#include <nn/attention/attention_kinds.h>
#include <nn/gradcheck.h>
#include <nn/optim/adam.h>
#include <nn/optim/clip_grad.h>
#include <nn/saving/safetensors.h>
#include <nn/translation/recurrent_translator.h>

#include "tests/nn/nn_fixtures.h"
#include "tests/nn/translation/sentences.h"
#include "tests/support/golden.h"

namespace nn_recurrent_translator_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;
using fixtures::lengths;
using fixtures::source;
using fixtures::target;
using nn::DecoderOrder;
using nn::OutputKind;
using nn::RecurrentKind;

RecurrentKind cell_of(const std::string& text) {
  return text == "'lstm'" ? RecurrentKind::lstm : RecurrentKind::gru;
}

DecoderOrder order_of(const std::string& text) {
  if (text == "'conditional'") return DecoderOrder::conditional;
  return text == "'luong'" ? DecoderOrder::luong : DecoderOrder::bahdanau;
}

OutputKind output_of(const std::string& text) {
  if (text == "'state_and_context'") return OutputKind::state_and_context;
  if (text == "'maxout'") return OutputKind::maxout;
  if (text == "'deep'") return OutputKind::deep;
  return text == "'attentional'" ? OutputKind::attentional : OutputKind::linear;
}

nn::WeightTying tying_of(const std::string& text) {
  if (text == "'all'") return nn::WeightTying::all;
  return text == "'target'" ? nn::WeightTying::target : nn::WeightTying::none;
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
          .tying = tying_of(call.text("tying", "'none'")),
          .dtype = dtype};
}

nn::RecurrentTranslatorOptions tiny() {
  return {.source_vocab = 11,
          .target_vocab = 13,
          .embed_dim = 2,
          .hidden_dim = 4,
          .encoder_hidden_dim = 3,
          .attention_dim = 5,
          .separator = 4,
          .dtype = float64};
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
  static const std::vector<std::string> outputs{"linear", "state_and_context", "maxout", "attentional", "deep"};
  static const std::vector<std::string> orders{"_bahdanau_", "_luong_", "_conditional_"};
  return info.param.attention + (info.param.cell == RecurrentKind::gru ? "_gru" : "_lstm") +
         orders[static_cast<std::size_t>(info.param.order)] + outputs[static_cast<std::size_t>(info.param.output)];
}

// Additive attention and none with all that there is, and each other kind with one of everything, in turn.
std::vector<Variant> variants() {
  const std::vector<RecurrentKind> cells{RecurrentKind::gru, RecurrentKind::lstm};
  const std::vector<DecoderOrder> orders{DecoderOrder::bahdanau, DecoderOrder::luong, DecoderOrder::conditional};
  const std::vector<OutputKind> outputs{OutputKind::linear, OutputKind::state_and_context, OutputKind::maxout,
                                        OutputKind::attentional, OutputKind::deep};
  std::vector<Variant> all;
  for (const RecurrentKind cell : cells) {
    for (const OutputKind output : outputs) {
      for (const DecoderOrder order : orders) all.push_back({"additive", cell, order, output});
      all.push_back({"none", cell, DecoderOrder::bahdanau, output});
    }
  }
  std::size_t turn = 0;
  for (const std::string& kind : nn::attention_kinds()) {
    if (kind != "additive") all.push_back({kind, cells[turn / 4 % 2], orders[turn / 2 % 3], outputs[turn % 5]});
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
  options.context_dropout = 0.3;
  options.output_dropout = 0.3;
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

TEST(NnRecurrentTranslatorProperties, DropoutOfContextAndOutputActsWhereItIsNamed) {
  const Tensor target_words = target();
  nn::RecurrentTranslatorOptions options = tiny();
  options.context_dropout = 1.0;
  const nn::RecurrentTranslator without_context(options);
  EXPECT_EQ(without_context.encoder(source(), lengths).outputs.abs().sum().item(), 0.0);
  EXPECT_NE(without_context.encoder(source(), lengths).summary.abs().sum().item(), 0.0);
  options.context_dropout = 0.0;
  options.output_dropout = 1.0;
  const nn::RecurrentTranslator without_output(options);
  const Tensor logits = without_output(source(), lengths, target_words).logits;
  EXPECT_TRUE(fixtures::near(logits, without_output.decoder.output.fc_out.bias.expand(logits.shape())));
}

// ---- errors --------------------------------------------------------------------------------------------------

TEST(NnRecurrentTranslatorErrors, OfOptions) {
  const nn::RecurrentTranslatorOptions wrong[] = {{.source_vocab = 5},
                                                  {.source_vocab = 5, .target_vocab = 5, .n_layers = 0},
                                                  {.source_vocab = 5, .target_vocab = 5, .attention = "magic"},
                                                  {.source_vocab = 5, .target_vocab = 5, .dropout = 1.5},
                                                  {.source_vocab = 5, .target_vocab = 5, .embedding_std = -0.1}};
  nn::RecurrentTranslatorOptions untied = tiny();  // features of another size than the embeddings
  untied.tying = nn::WeightTying::target;
  nn::RecurrentTranslatorOptions apart = tiny();  // vocabularies of different sizes
  apart.output = OutputKind::deep;
  apart.tying = nn::WeightTying::all;
  nn::RecurrentTranslatorOptions no_attention = tiny();
  no_attention.attention = "none";
  no_attention.order = DecoderOrder::conditional;
  for (const nn::RecurrentTranslatorOptions& options : {untied, apart, no_attention}) {
    fixtures::message_of(ErrorId::bad_argument, [&] { nn::RecurrentTranslator model(options); });
  }
  std::vector<std::string> said;
  for (const nn::RecurrentTranslatorOptions& options : wrong) {
    said.push_back(fixtures::message_of(ErrorId::bad_argument, [&] { nn::RecurrentTranslator model(options); }));
  }
  said.push_back(fixtures::message_of(ErrorId::bad_argument, [] {
    nn::RecurrentTranslator(tiny(), nn::make_attention("additive", {.decoder_dim = 4, .encoder_dim = 4}));
  }));
  EXPECT_TRUE(fixtures::says("nn_translation", said));
}

TEST(NnRecurrentTranslatorErrors, OfCalls) {
  const nn::RecurrentTranslator model(tiny());
  fixtures::message_of(ErrorId::shape_mismatch, [&] { model(source(), lengths, autograd::ids({2, 2, 2})); });
  fixtures::message_of(ErrorId::bad_length, [&] {
    model(source(), lengths, autograd::zeros({3, 0}, autograd::int64));
  });
}

// Checkpoints have these names.
TEST(NnRecurrentTranslator, CallsItsMultiHeadAttentionMultiHead) {
  nn::RecurrentTranslator model({.source_vocab = 11, .target_vocab = 13, .attention = "multi_head"});
  EXPECT_EQ(model.state_dict().count("decoder.attention.multi_head.in_proj_bias"), 1u);
  model.eval();
  EXPECT_FALSE(model.decoder.attention->training());
}

}  // namespace nn_recurrent_translator_test
