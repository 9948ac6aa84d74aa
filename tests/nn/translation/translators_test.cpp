// What every translator must do: Seq2Seq, the recurrent one with each kind of attention, and the Transformer.
#include <nn/attention/attention_kinds.h>
#include <nn/translation/recurrent_translator.h>
#include <nn/translation/seq2seq.h>
#include <nn/translation/transformer_translator.h>

#include "tests/nn/nn_fixtures.h"
#include "tests/nn/translation/sentences.h"

namespace nn_translators_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;
using fixtures::lengths;
using fixtures::source;
using fixtures::target;
using Lengths = std::vector<std::int64_t>;
using Output = nn::TranslationModel::Output;

struct Translator {
  std::shared_ptr<nn::Module> module;
  std::function<Output(const Tensor& src, const Lengths& src_lengths, const Tensor& tgt_in)> run;
  std::function<Output(const Tensor& tgt_in)> step_by_step;  // on source()
  const nn::TranslationModel* model = nullptr;               // Seq2Seq is none
};

struct Kind {
  std::string name;
  std::function<Translator(double dropout)> make;
  std::vector<std::string> scopes;
};

// ---- the three ---------------------------------------------------------------------------------------------------

Translator seq2seq(double dropout) {
  const auto model = std::make_shared<nn::Seq2Seq>(nn::Seq2SeqOptions{
      .encoder = {.vocab_size = 11, .embed_dim = 3, .hidden_dim = 4, .dropout = dropout, .dtype = float64},
      .decoder = {.vocab_size = 13, .embed_dim = 5, .hidden_dim = 4, .dropout = dropout, .dtype = float64}});
  const auto run = [model](const Tensor& src, const Lengths& src_lengths, const Tensor& tgt_in) -> Output {
    const auto [logits, weights] = (*model)(src, src_lengths, tgt_in);
    return {logits, weights, Tensor()};
  };
  const auto step_by_step = [model](const Tensor& tgt_in) -> Output {
    const auto [outputs, initial] = model->encoder(source(), lengths);
    const Tensor mask = autograd::length_mask(lengths);
    std::vector<Tensor> logits;
    std::vector<Tensor> weights;
    Tensor hidden = initial;
    for (std::int64_t t = 0; t < tgt_in.size(1); ++t) {
      const auto step = model->decoder(tgt_in.select(1, t), hidden, outputs, mask);
      logits.push_back(step.prediction);
      weights.push_back(step.weights);
      hidden = step.hidden;
    }
    return {autograd::stack(logits, 1), autograd::stack(weights, 1), Tensor()};
  };
  return {model, run, step_by_step, nullptr};
}

Translator translator(const std::shared_ptr<nn::TranslationModel>& model) {
  const auto run = [model](const Tensor& src, const Lengths& src_lengths, const Tensor& tgt_in) {
    return (*model)(src, src_lengths, tgt_in);
  };
  const auto step_by_step = [model](const Tensor& tgt_in) -> Output {
    nn::DecoderState state = model->start(source(), lengths);
    std::vector<Tensor> logits;
    std::vector<Tensor> weights;
    for (std::int64_t t = 0; t < tgt_in.size(1); ++t) {
      const nn::TranslationModel::Step step = model->step(tgt_in.select(1, t), state);
      logits.push_back(step.logits);
      if (step.weights.defined()) weights.push_back(step.weights);
      state = step.state;
    }
    return {autograd::stack(logits, 1), weights.empty() ? Tensor() : autograd::stack(weights, 1), Tensor()};
  };
  return {model, run, step_by_step, model.get()};
}

Translator transformer(double dropout, bool norm_first) {
  return translator(std::make_shared<nn::TransformerTranslator>(fixtures::tiny(norm_first, dropout)));
}

// Each kind of attention, and in turn each cell, order and output layer.
Kind recurrent(const std::string& attention, std::size_t turn) {
  const auto make = [attention, turn](double dropout) {
    return translator(std::make_shared<nn::RecurrentTranslator>(nn::RecurrentTranslatorOptions{
        .source_vocab = 11,
        .target_vocab = 13,
        .embed_dim = 2,
        .hidden_dim = 4,
        .encoder_hidden_dim = 3,
        .cell = turn / 4 % 2 == 0 ? nn::RecurrentKind::gru : nn::RecurrentKind::lstm,
        .attention = attention,
        .separator = 4,
        .order = turn / 2 % 2 == 0 || attention == "none" ? nn::DecoderOrder::bahdanau : nn::DecoderOrder::luong,
        .output = static_cast<nn::OutputKind>(turn % 4),
        .dropout = dropout,
        .dtype = float64}));
  };
  std::vector<std::string> scopes = {"RecurrentTranslator.encoder.rnn.l0_reverse, step 2",
                                     "RecurrentTranslator.encoder.fc", "RecurrentTranslator.decoder.output.fc_out"};
  const bool goes_step_by_step = attention != "none";
  if (goes_step_by_step) scopes.push_back("RecurrentTranslator.decoder, step 3.rnn");
  return {"recurrent_" + attention, make, scopes};
}

std::vector<Kind> kinds() {
  std::vector<Kind> all = {{"seq2seq",
                            seq2seq,
                            {"Seq2Seq.encoder.rnn.l0_reverse, step 2", "Seq2Seq.decoder.attention.W_enc",
                             "Seq2Seq.decoder, step 3.attention.W_dec", "Seq2Seq.decoder.fc_out"}}};
  for (const bool norm_first : {false, true}) {
    all.push_back({norm_first ? "transformer_pre_norm" : "transformer_post_norm",
                   [norm_first](double dropout) { return transformer(dropout, norm_first); },
                   {"TransformerTranslator.src_embedding", "TransformerTranslator.positional_encoding",
                    "TransformerTranslator.encoder.layers.1.linear2", "TransformerTranslator.fc_out",
                    "TransformerTranslator.decoder.layers.0.multihead_attn"}});
  }
  std::size_t turn = 0;
  for (const std::string& attention : nn::attention_kinds()) all.push_back(recurrent(attention, turn += 3));
  all.push_back(recurrent("none", 0));
  return all;
}

class NnTranslators : public testing::TestWithParam<Kind> {
 protected:
  const Translator one = GetParam().make(0.0);
};
INSTANTIATE_TEST_SUITE_P(All, NnTranslators, testing::ValuesIn(kinds()),
                         [](const auto& kind) { return kind.param.name; });

testing::AssertionResult same(const Tensor& a, const Tensor& b) {
  if (a.defined() != b.defined()) return testing::AssertionFailure() << "only one is defined";
  return a.defined() ? fixtures::near(a, b) : testing::AssertionSuccess();
}

// ---- the claims ----------------------------------------------------------------------------------------------------

TEST_P(NnTranslators, StepByStepEqualsTeacherForced) {
  const Output all = one.run(source(), lengths, target());
  const Output steps = one.step_by_step(target());
  EXPECT_TRUE(same(steps.logits, all.logits));
  EXPECT_TRUE(same(steps.weights, all.weights));
}

TEST_P(NnTranslators, PaddingAndNeighboursChangeNothing) {
  const Tensor logits = one.run(source(), lengths, target()).logits;
  const Tensor wider = autograd::cat({source(), autograd::full({3, 2}, 9.0, autograd::int64)}, 1);
  EXPECT_TRUE(same(one.run(wider, lengths, target()).logits, logits));
  const Tensor alone = one.run(source().narrow(0, 0, 1).narrow(1, 0, 3), {3}, target().narrow(0, 0, 1)).logits;
  EXPECT_TRUE(same(alone, logits.narrow(0, 0, 1)));
  const Tensor without_lengths = one.run(source().narrow(0, 2, 1), {}, target().narrow(0, 2, 1)).logits;
  EXPECT_TRUE(same(without_lengths, logits.narrow(0, 2, 1)));
}

TEST_P(NnTranslators, WeightsAreDistributionsOverTheWords) {
  const Tensor weights = one.run(source(), lengths, target()).weights;
  const bool is_scaled = GetParam().name == "recurrent_local_predictive";  // by its window
  if (!weights.defined() || is_scaled) return;
  EXPECT_EQ(weights.shape(), (autograd::Shape{3, 4, 5}));
  EXPECT_TRUE(fixtures::near(weights.sum({2}), autograd::ones({3, 4}, float64)));
  EXPECT_EQ(weights[1].select(1, 0).to_vector(), std::vector<double>(4, 1.0));
}

TEST_P(NnTranslators, OneWordToOneWord) {
  const Output output = one.run(autograd::ids({{3}}), {}, autograd::ids({{2}}));
  EXPECT_EQ(output.logits.shape(), (autograd::Shape{1, 1, 13}));
  if (output.weights.defined()) {
    EXPECT_EQ(output.weights.shape(), (autograd::Shape{1, 1, 1}));
  }
}

TEST_P(NnTranslators, DropoutActsInTrainingOnly) {
  const Translator dropping = GetParam().make(0.5);
  const auto run = [&] { return dropping.run(source(), lengths, target()).logits; };
  EXPECT_FALSE(autograd::allclose(run(), run()));
  dropping.module->eval();
  EXPECT_TRUE(autograd::allclose(run(), run()));
}

TEST_P(NnTranslators, ScopesAreThePathsOfTheNames) {
  fixtures::Scopes scopes;
  {
    const autograd::ObserverGuard guard(scopes);
    one.run(source(), lengths, target());
  }
  for (const std::string& path : GetParam().scopes) EXPECT_EQ(scopes.paths.count(path), 1u) << path;
}

TEST_P(NnTranslators, CallsThatDoNotFitAreErrors) {
  const auto refuses = [&](ErrorId id, const Tensor& src, const Lengths& src_lengths, const Tensor& tgt_in) {
    fixtures::message_of(id, [&] { one.run(src, src_lengths, tgt_in); });
  };
  refuses(ErrorId::bad_length, source(), {3, 0, 5}, target());
  refuses(ErrorId::bad_length, source(), {3, 1, 6}, target());
  refuses(ErrorId::shape_mismatch, source().select(0, 0), lengths, target());
  refuses(ErrorId::shape_mismatch, source(), lengths, target().narrow(0, 0, 2));
  refuses(ErrorId::token_out_of_range, source() + autograd::ids({10}), lengths, target());
  refuses(ErrorId::token_out_of_range, source(), lengths, target() + autograd::ids({10}));
}

// ---- of a TranslationModel ---------------------------------------------------------------------------------------

TEST_P(NnTranslators, SelectedRowsGoOnAsBefore) {
  if (one.model == nullptr) return;
  const nn::TranslationModel& model = *one.model;
  const Tensor words = autograd::ids({4, 5, 6});
  const Tensor rows = autograd::ids({2, 0, 0, 2});
  const nn::DecoderState state = model.step(words, model.start(source(), lengths)).state;
  const nn::TranslationModel::Step all = model.step(words, state);
  const nn::TranslationModel::Step some = model.step(words.index_select(0, rows), state.select(rows));
  EXPECT_TRUE(same(some.logits, all.logits.index_select(0, rows)));
  EXPECT_TRUE(same(some.weights, all.weights.defined() ? all.weights.index_select(0, rows) : Tensor()));
  const Tensor later = model.step(words, all.state).logits;
  EXPECT_TRUE(same(model.step(words.index_select(0, rows), some.state).logits, later.index_select(0, rows)));
  EXPECT_TRUE(same(model.step(words, state).logits, all.logits));  // a step leaves its state as it was
}

TEST_P(NnTranslators, WithoutATeacherTheInputsAreItsOwnWords) {
  if (one.model == nullptr) return;
  const Tensor free = (*one.model)(source(), lengths, target(), {.ratio = 0.0}).logits;
  const Tensor own = autograd::cat({target().narrow(1, 0, 1), free.argmax(-1).narrow(1, 0, 3)}, 1);
  EXPECT_TRUE(same(free, one.run(source(), lengths, own).logits));
  EXPECT_TRUE(free.requires_grad());
}

// Where there is no word to predict, the output layer need not be applied: the rest is as it was.
TEST_P(NnTranslators, ComputesTheLogitsOfSomePositionsOnly) {
  if (one.model == nullptr) return;
  const Tensor positions = autograd::ids({0, 1, 2, 5, 7, 8});
  for (const double ratio : {1.0, 0.0}) {
    const Output all = (*one.model)(source(), lengths, target(), {.ratio = ratio});
    const Output some = (*one.model)(source(), lengths, target(), {.ratio = ratio, .positions = positions});
    EXPECT_TRUE(same(some.logits, all.logits.flatten(0, 1).index_select(0, positions)));
    EXPECT_TRUE(same(some.weights, all.weights));
  }
}

TEST_P(NnTranslators, StepsThatDoNotFitAreErrors) {
  if (one.model == nullptr) return;
  const nn::TranslationModel& model = *one.model;
  const auto start = [&] { return model.start(source(), lengths); };
  fixtures::message_of(ErrorId::shape_mismatch, [&] { model.step(autograd::ids({1, 1}), start()); });
  fixtures::message_of(ErrorId::token_out_of_range, [&] { model.step(autograd::ids({1, 13, 1}), start()); });
  fixtures::message_of(ErrorId::bad_argument, [&] { model(source(), lengths, target(), {.ratio = 1.5}); });
  fixtures::message_of(ErrorId::index_out_of_range,
                       [&] { model(source(), lengths, target(), {.positions = autograd::ids({1000})}); });
}

}  // namespace nn_translators_test
