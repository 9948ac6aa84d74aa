// Models of pieces of words: what goes in and comes out are words all the same.
#include <gtest/gtest.h>

#include <algorithm>

#include "examples/translate/evaluation.h"
#include "examples/translate/training/run_folder.h"
#include "examples/translate/training/trained_model.h"
#include "tests/support/expect.h"
#include "tests/translate/run_fixtures.h"

namespace translate_subwords_test {

using autograd::Tensor;
using translate::TrainedModel;
using translate::Words;

TrainedModel small_model(const translate::DataOptions& data) {
  autograd::manual_seed(1);
  return translate::new_model({.dim = 4}, data, fixtures::small_corpus());
}

TEST(Subwords, OfBothLanguagesOrEach) {
  const TrainedModel together = small_model({.bpe = 20});
  EXPECT_EQ(together.source.subwords->merges(), together.target.subwords->merges());
  EXPECT_EQ(together.source.subwords->merges().size(), 20u);
  const TrainedModel apart = small_model({.bpe = 20, .bpe_apart = true});
  EXPECT_NE(apart.source.subwords->merges(), apart.target.subwords->merges());
  EXPECT_FALSE(small_model({}).source.subwords);
}

TEST(Subwords, OneEmbeddingCanServeBothLanguages) {
  const auto transformer = [](const std::string& tying, const translate::DataOptions& data) {
    return translate::new_model({.model = "transformer", .dim = 8, .tying = tying}, data, fixtures::small_corpus());
  };
  const TrainedModel apart = transformer("none", {.bpe = 20});
  const TrainedModel target = transformer("target", {.bpe = 20});
  const TrainedModel all = transformer("all", {.bpe = 20});
  EXPECT_EQ(apart.model->num_parameters() - target.model->num_parameters(), 8 * apart.target.vocabulary.size());
  EXPECT_EQ(all.source.vocabulary, all.target.vocabulary);
  // Of a word of the target: 8 numbers of the shared matrix, and a bias of the output layer.
  const auto without_words = [](const TrainedModel& model) {
    return model.model->num_parameters() - 9 * model.target.vocabulary.size();
  };
  EXPECT_EQ(without_words(target) - without_words(all), 8 * target.source.vocabulary.size());
  for (const translate::DataOptions& data : {translate::DataOptions{}, {.bpe = 20, .bpe_apart = true}}) {
    fixtures::error_of(autograd::ErrorId::bad_argument, [&] { transformer("all", data); });
  }
}

TEST(Subwords, EveryWordOfTheTrainingTextIsKnown) {
  const TrainedModel model = small_model({.bpe = 20});
  for (const translate::SentencePair& pair : fixtures::small_corpus().train.pairs) {
    for (const std::string& word : pair.source) EXPECT_TRUE(model.source.knows(word));
    const std::vector<std::int64_t> ids = model.target.vocabulary.ids(model.target.units(pair.target));
    EXPECT_EQ(model.target.words(ids), pair.target);
  }
  EXPECT_FALSE(model.source.knows("犬"));
}

// A source word gets what its pieces get together, a target word looks where its pieces look on average.
TEST(Subwords, TheWeightsOfAReferenceAreThoseOfItsPieces) {
  const TrainedModel model = small_model({.bpe = 20});
  const translate::ParallelText text = fixtures::small_corpus().validation;
  const auto sentences = *translate::translate_text(model, text);
  for (const translate::TranslatedSentence& sentence : sentences) {
    const Words source = model.source.units(sentence.pair.source);
    const Words target = model.target.units(sentence.pair.target);
    const std::vector<nn::EncodedPair> pairs = translate::encode({"", {sentence.pair}}, model);
    const nn::Batch batch = nn::make_batch(pairs, {0});
    const autograd::NoGradGuard no_grad;
    const auto of_pieces = (*model.model)(batch.src, batch.lengths, batch.tgt_in).weights[0];
    const auto words_of = [](const Words& pieces) {
      std::vector<std::int64_t> words = nn::word_of_each_piece(pieces);
      words.push_back(words.back() + 1);  // eos
      return words;
    };
    const std::vector<std::int64_t> row = words_of(target);
    const std::vector<std::int64_t> column = words_of(source);
    std::vector<double> expected((row.back() + 1) * (column.back() + 1));
    for (std::size_t t = 0; t < row.size(); ++t) {
      const double share = 1.0 / static_cast<double>(std::count(row.begin(), row.end(), row[t]));
      for (std::size_t s = 0; s < column.size(); ++s) {
        expected[row[t] * (column.back() + 1) + column[s]] += share * of_pieces[t][s].item();
      }
    }
    EXPECT_EQ(sentence.forced_weights.shape(), (autograd::Shape{row.back() + 1, column.back() + 1}));
    const std::vector<double> found = sentence.forced_weights.to_vector();
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6);
    EXPECT_EQ(sentence.predicted_words, std::ssize(sentence.pair.target) + 1);
  }
}

TEST(Subwords, ASavedModelTranslatesAsBefore) {
  const fixtures::TemporaryFolder folder;
  translate::RunOptions options = fixtures::small_run(folder.path());
  options.data.bpe = 20;
  const translate::Corpus corpus = fixtures::small_corpus();
  train_run(options, &corpus);
  const TrainedModel model = translate::load_model(translate::RunFolder{folder.path()}.best());
  ASSERT_TRUE(model.target.subwords);
  EXPECT_EQ(model.target.subwords->merges(), small_model({.bpe = 20}).target.subwords->merges());
  const Words source = corpus.tests[0].pairs[0].source;
  const translate::Translation found = translate::translate_sentences(model, {source}).front();
  EXPECT_EQ(found.weights.size(1), std::ssize(source) + 1);
  EXPECT_GE(found.weights.size(0), std::ssize(found.words));
  for (const std::string& word : found.words) EXPECT_FALSE(nn::goes_on(word));
}

}  // namespace translate_subwords_test
