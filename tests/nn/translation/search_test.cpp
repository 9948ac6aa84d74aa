#include <nn/layers/init.h>
#include <nn/translation/recurrent_translator.h>
#include <nn/translation/search.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "tests/nn/nn_fixtures.h"
#include "tests/support/golden.h"

namespace nn_search_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;
using nn::BeamOptions;
using nn::DecoderState;
using nn::SearchOptions;
using nn::Translation;
using nn::TranslationModel;

using Words = std::vector<std::int64_t>;

// ids of the target: 0 padding, 1 unknown, 2 bos, 3 eos, 4 .. words
constexpr std::int64_t bos = 2;
constexpr std::int64_t eos = 3;

// A model with large random weights, so that its translations differ and end at different places.
struct RandomModel : nn::RecurrentTranslator {
  explicit RandomModel(std::uint64_t seed, std::int64_t vocabulary = 7, const std::string& attention = "additive")
      : nn::RecurrentTranslator({.source_vocab = 9,
                                 .target_vocab = vocabulary,
                                 .embed_dim = 3,
                                 .hidden_dim = 5,
                                 .cell = seed % 2 == 0 ? nn::RecurrentKind::gru : nn::RecurrentKind::lstm,
                                 .attention = attention,
                                 .order = seed % 3 == 0 ? nn::DecoderOrder::luong : nn::DecoderOrder::bahdanau,
                                 .dtype = float64}) {
    const autograd::NoGradGuard no_grad;
    autograd::manual_seed(seed);
    for (const Tensor& parameter : parameters()) nn::init::normal_(parameter, 0.0, 0.8);
  }
};

const Words lengths{3, 1, 5, 4};
Tensor source() {
  return autograd::ids({{4, 6, 3, 0, 0}, {3, 0, 0, 0, 0}, {5, 1, 4, 6, 3}, {8, 7, 7, 3, 0}});
}

// A model whose next word depends on the last one only: row i of the table has the logits after word i.
class TableModel : public TranslationModel {
 public:
  explicit TableModel(const Tensor& table) : table_(table) {}

  Output operator()(const Tensor&, const Words&, const Tensor& tgt_in, const nn::TeacherForcing& = {},
                    autograd::Where = autograd::Where::current()) const override {
    return {autograd::embedding(table_, tgt_in), Tensor(), Tensor()};
  }
  DecoderState start(const Tensor&, const Words&, autograd::Where = autograd::Where::current()) const override {
    return {};
  }
  Step step(const Tensor& words, const DecoderState&, autograd::Where = autograd::Where::current()) const override {
    rows.push_back(words.size(0));
    return {autograd::embedding(table_, words), Tensor(), DecoderState{}};
  }

  mutable Words rows;  // how many hypotheses each step had

 private:
  Tensor table_;
};

// Logits from probabilities, one row per word 0 .. 5; the rows of 0, 1 and eos are never asked for.
Tensor table(const std::vector<double>& after_bos, const std::vector<double>& after_4,
             const std::vector<double>& after_5) {
  std::vector<double> all(36, 1.0);
  std::copy(after_bos.begin(), after_bos.end(), all.begin() + 6 * bos);
  std::copy(after_4.begin(), after_4.end(), all.begin() + 6 * 4);
  std::copy(after_5.begin(), after_5.end(), all.begin() + 6 * 5);
  return autograd::from_vector(all, {6, 6}, float64).log();
}

// What the model says of this translation when it is told the words: log p, and the weights of each step.
struct Told {
  double log_probability = 0.0;
  Tensor weights;  // [words, or words + 1; source length]
};

Told told(const TranslationModel& model, std::int64_t sentence, const Words& words, bool finished) {
  const autograd::NoGradGuard no_grad;
  const std::int64_t length = lengths[static_cast<std::size_t>(sentence)];
  Words given = words;
  if (finished) given.push_back(eos);
  Words inputs = given;
  inputs.insert(inputs.begin(), bos);
  inputs.pop_back();
  const Tensor alone = source().narrow(0, sentence, 1).narrow(1, 0, length);
  const auto count = static_cast<std::int64_t>(inputs.size());
  const auto output = model(alone, {length}, autograd::ids(inputs, {1, count}));
  const Tensor log_probabilities = output.logits.log_softmax(-1).select(0, 0);  // [words, V]
  Told result;
  for (std::int64_t t = 0; t < count; ++t) {
    result.log_probability += log_probabilities.at({t, given[static_cast<std::size_t>(t)]});
  }
  if (output.weights.defined()) result.weights = output.weights.select(0, 0);
  return result;
}

void expect_same(const Translation& actual, const Translation& expected) {
  EXPECT_EQ(actual.words, expected.words);
  EXPECT_EQ(actual.finished, expected.finished);
  EXPECT_NEAR(actual.log_probability, expected.log_probability, 1e-9);
  EXPECT_NEAR(actual.score, expected.score, 1e-9);
  ASSERT_EQ(actual.weights.defined(), expected.weights.defined());
  if (expected.weights.defined()) {
    EXPECT_TRUE(fixtures::near(actual.weights, expected.weights));
  }
}

// At no step would another word have been more probable.
void expect_no_better_word(const TranslationModel& model, std::int64_t sentence, const Words& words) {
  Words before;
  for (const std::int64_t chosen : words) {
    Words with_chosen = before;
    with_chosen.push_back(chosen);
    const double probability = told(model, sentence, with_chosen, false).log_probability;
    for (std::int64_t word = 0; word < 7; ++word) {
      Words other = before;
      if (word != eos) other.push_back(word);
      EXPECT_LE(told(model, sentence, other, word == eos).log_probability, probability + 1e-12);
    }
    before = with_chosen;
  }
}

bool ranks_before(const Translation& a, const Translation& b) {
  if (a.finished != b.finished) return a.finished;
  return a.score > b.score;
}

// Every translation that there is of one sentence, the best first: a tree searched to its end.
std::vector<Translation> all_translations(const TranslationModel& model, std::int64_t sentence, std::int64_t vocabulary,
                                          std::int64_t max_length, double length_penalty) {
  std::vector<Translation> found;
  std::vector<Words> open{{}};
  while (!open.empty()) {
    const Words words = open.back();
    open.pop_back();
    const auto size = static_cast<std::int64_t>(words.size());
    const bool is_cut = size == max_length;
    Translation one;
    one.words = words;
    one.finished = !is_cut;
    const Told truth = told(model, sentence, words, one.finished);
    one.log_probability = truth.log_probability;
    one.weights = truth.weights;
    const double length = static_cast<double>(size + (one.finished ? 1 : 0));
    one.score = one.log_probability / std::pow(length, length_penalty);
    found.push_back(one);
    if (is_cut) continue;
    for (std::int64_t word = 0; word < vocabulary; ++word) {
      if (word == eos) continue;
      open.push_back(words);
      open.back().push_back(word);
    }
  }
  std::sort(found.begin(), found.end(), ranks_before);
  return found;
}

// ---- greedy --------------------------------------------------------------------------------------------------

TEST(NnGreedySearch, TakesTheMostProbableWordAtEachStep) {
  int finished = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const RandomModel model(seed);
    const std::vector<Translation> translations = nn::greedy_search(model, source(), lengths, {.max_length = 6});
    ASSERT_EQ(translations.size(), 4u);
    for (std::int64_t i = 0; i < 4; ++i) {
      const Translation& one = translations[static_cast<std::size_t>(i)];
      const Told truth = told(model, i, one.words, one.finished);
      EXPECT_NEAR(one.log_probability, truth.log_probability, 1e-9);
      EXPECT_TRUE(fixtures::near(one.weights, truth.weights));
      const std::size_t steps = one.words.size() + (one.finished ? 1 : 0);
      EXPECT_NEAR(one.score, one.log_probability / static_cast<double>(steps), 1e-12);
      EXPECT_TRUE(one.finished || one.words.size() == 6);
      if (one.finished) ++finished;
      expect_no_better_word(model, i, one.words);
    }
  }
  EXPECT_GT(finished, 1);
  EXPECT_LT(finished, 32);
}

TEST(NnGreedySearch, ASentenceIsTranslatedAsIfAlone) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const RandomModel model(seed, 7, seed % 4 == 0 ? "none" : "coverage");
    const Tensor wider = autograd::cat({source(), autograd::full({4, 2}, 7.0, autograd::int64)}, 1);
    const auto together = nn::greedy_search(model, wider, lengths, {.max_length = 9});
    for (std::int64_t i = 0; i < 4; ++i) {
      const std::int64_t length = lengths[static_cast<std::size_t>(i)];
      const Tensor alone = source().narrow(0, i, 1).narrow(1, 0, length);
      expect_same(together[static_cast<std::size_t>(i)],
                  nn::greedy_search(model, alone, {}, {.max_length = 9}).front());
    }
  }
}

TEST(NnGreedySearch, SparesTheModelSentencesThatHaveEnded) {
  // 4 and 5 are as probable after bos, the first one is taken; then eos.
  const TableModel model(table({0, 0, 0, 0, 0.5, 0.5}, {0, 0, 0, 1, 0, 0}, {0, 0, 0, 1, 0, 0}));
  const auto translations = nn::greedy_search(model, source(), lengths);
  EXPECT_EQ(translations[3].words, Words{4});
  EXPECT_TRUE(translations[3].finished);
  EXPECT_NEAR(translations[3].log_probability, std::log(0.5), 1e-12);
  EXPECT_FALSE(translations[3].weights.defined());
  EXPECT_EQ(model.rows, (Words{4, 4}));
}

TEST(NnGreedySearch, IsCutAtMaxLength) {
  const TableModel model(table({0, 0, 0, 0.2, 0.8, 0}, {0, 0, 0, 0.3, 0.7, 0}, {0, 0, 0, 0, 0, 1}));
  const Translation cut = nn::greedy_search(model, source(), lengths, {.max_length = 3}).front();
  EXPECT_EQ(cut.words, (Words{4, 4, 4}));
  EXPECT_FALSE(cut.finished);
  EXPECT_NEAR(cut.log_probability, std::log(0.8 * 0.7 * 0.7), 1e-12);
  const Translation endless = nn::greedy_search(model, source(), lengths, {.eos = -1, .max_length = 5}).front();
  EXPECT_EQ(endless.words, (Words{4, 4, 4, 4, 4}));
}

TEST(NnGreedySearch, NeverChoosesForbiddenWords) {
  const TableModel model(table({0.6, 0, 0, 0, 0.3, 0.1}, {0, 0, 0, 1, 0, 0}, {0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(nn::greedy_search(model, source(), lengths, {.max_length = 1}).front().words, Words{0});
  const Translation one = nn::greedy_search(model, source(), lengths, {.forbidden = {0}}).front();
  EXPECT_EQ(one.words, Words{4});
  EXPECT_NEAR(one.log_probability, std::log(0.3), 1e-12);  // the model's own probability
  const Translation other = nn::greedy_search(model, source(), lengths, {.forbidden = {4, 0, 0}}).front();
  EXPECT_EQ(other.words, Words{5});
  // What is allowed has no probability at all: still no forbidden word.
  const Translation hopeless = nn::greedy_search(model, source(), lengths, {.forbidden = {0, 4, 5}}).front();
  EXPECT_EQ(hopeless.words.front(), 1);
  EXPECT_EQ(hopeless.log_probability, -std::numeric_limits<double>::infinity());
}

TEST(NnGreedySearch, RecordsNoGraph) {
  const RandomModel model(1);
  EXPECT_FALSE(nn::greedy_search(model, source(), lengths).front().weights.requires_grad());
  EXPECT_FALSE(nn::beam_search(model, source(), lengths).front().front().weights.requires_grad());
}

// ---- beam ----------------------------------------------------------------------------------------------------

TEST(NnBeamSearch, OfOneBeginningIsGreedy) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const RandomModel model(seed, 7, seed % 5 == 0 ? "none" : "additive");
    const SearchOptions options{.max_length = 8, .forbidden = {0}};
    const auto greedy = nn::greedy_search(model, source(), lengths, options);
    const auto beam = nn::beam_search(model, source(), lengths, options, {.beam = 1});
    for (std::size_t i = 0; i < 4; ++i) {
      ASSERT_EQ(beam[i].size(), 1u);
      expect_same(beam[i].front(), greedy[i]);
    }
  }
}

TEST(NnBeamSearch, WithAllBeginningsFindsWhatThereIs) {
  constexpr std::int64_t vocabulary = 5;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    for (const double length_penalty : {0.0, 0.7, 1.0, 2.0}) {
      const RandomModel model(seed, vocabulary);
      const BeamOptions beam{.beam = 200, .n_best = 200, .length_penalty = length_penalty};
      const auto found = nn::beam_search(model, source(), lengths, {.max_length = 3}, beam);
      const BeamOptions best_only{.beam = 200, .n_best = 1, .length_penalty = length_penalty};
      const auto best = nn::beam_search(model, source(), lengths, {.max_length = 3}, best_only);
      for (std::size_t i = 0; i < 4; ++i) {
        const auto expected = all_translations(model, static_cast<std::int64_t>(i), vocabulary, 3, length_penalty);
        ASSERT_EQ(expected.size(), 1u + 4 + 16 + 64);
        ASSERT_EQ(found[i].size(), expected.size());
        for (std::size_t k = 0; k < expected.size(); ++k) expect_same(found[i][k], expected[k]);
        expect_same(best[i].front(), expected.front());
      }
    }
  }
}

TEST(NnBeamSearch, ASentenceIsTranslatedAsIfAlone) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const RandomModel model(seed, 8, seed % 4 == 0 ? "none" : "coverage");
    const BeamOptions beam{.beam = 3, .n_best = 3};
    const Tensor wider = autograd::cat({source(), autograd::full({4, 2}, 7.0, autograd::int64)}, 1);
    const auto together = nn::beam_search(model, wider, lengths, {.max_length = 7}, beam);
    for (std::int64_t i = 0; i < 4; ++i) {
      const Tensor alone = source().narrow(0, i, 1).narrow(1, 0, lengths[static_cast<std::size_t>(i)]);
      const auto one = nn::beam_search(model, alone, {}, {.max_length = 7}, beam).front();
      ASSERT_EQ(one.size(), together[static_cast<std::size_t>(i)].size());
      for (std::size_t k = 0; k < one.size(); ++k) expect_same(together[static_cast<std::size_t>(i)][k], one[k]);
    }
  }
}

TEST(NnBeamSearch, EachTranslationIsWhatTheModelSaysOfIt) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const RandomModel model(seed, 8);
    const auto lists = nn::beam_search(model, source(), lengths, {.max_length = 7, .forbidden = {0, 5}},
                                       {.beam = 4, .n_best = 4, .length_penalty = 0.5});
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_TRUE(std::is_sorted(lists[i].begin(), lists[i].end(), ranks_before));
      std::set<Words> different;
      for (const Translation& one : lists[i]) {
        different.insert(one.words);
        EXPECT_EQ(std::count(one.words.begin(), one.words.end(), 5), 0);
        const Told truth = told(model, static_cast<std::int64_t>(i), one.words, one.finished);
        EXPECT_NEAR(one.log_probability, truth.log_probability, 1e-9);
        EXPECT_TRUE(fixtures::near(one.weights, truth.weights));
        for (const double sum : one.weights.sum({1}).to_vector()) EXPECT_NEAR(sum, 1.0, 1e-12);
      }
      EXPECT_EQ(different.size(), lists[i].size());
      EXPECT_EQ(lists[i].size(), 4u);
    }
  }
}

// Greedy takes 4, because it is the likelier beginning; the better translation begins with 5.
TEST(NnBeamSearch, FindsWhatGreedyMisses) {
  const TableModel model(table({0, 0, 0, 0, 0.6, 0.4}, {0.3, 0.3, 0, 0.4, 0, 0}, {0, 0, 0, 0.9, 0.1, 0}));
  EXPECT_EQ(nn::greedy_search(model, source(), lengths).front().words, Words{4});
  const Translation best = nn::beam_search(model, source(), lengths, {}, {.beam = 2}).front().front();
  EXPECT_EQ(best.words, Words{5});
  EXPECT_NEAR(best.log_probability, std::log(0.4 * 0.9), 1e-12);
  EXPECT_NEAR(best.score, std::log(0.4 * 0.9) / 2.0, 1e-12);
}

// "eos" at once with 0.3, or three words and eos with 0.7 * 0.6^2 * 0.4.
TEST(NnBeamSearch, LengthPenaltyChoosesTheLength) {
  const TableModel model(table({0, 0, 0, 0.3, 0.7, 0}, {0, 0, 0, 0.4, 0.6, 0}, {0, 0, 0, 1, 0, 0}));
  const auto best = [&](double length_penalty) {
    const BeamOptions beam{.beam = 6, .length_penalty = length_penalty};
    return nn::beam_search(model, source(), lengths, {.max_length = 4}, beam).front().front();
  };
  EXPECT_EQ(best(0.0).words, Words{});  // log 0.3 > log 0.28
  EXPECT_NEAR(best(0.0).score, std::log(0.3), 1e-12);
  EXPECT_EQ(best(1.0).words, (Words{4, 4, 4}));
  EXPECT_NEAR(best(1.0).score, std::log(0.7 * 0.6 * 0.6 * 0.4) / 4.0, 1e-12);
}

TEST(NnBeamSearch, EndsWhenNothingBetterCanCome) {
  const TableModel model(table({0, 0, 0, 0.8, 0.1, 0.1}, {0, 0, 0, 0.1, 0.8, 0.1}, {0, 0, 0, 0.1, 0.1, 0.8}));
  const auto steps = [&](const BeamOptions& beam) {
    model.rows.clear();
    nn::beam_search(model, source().narrow(0, 0, 1), {3}, {.max_length = 50}, beam);
    return model.rows.size();
  };
  EXPECT_EQ(steps({.beam = 5, .n_best = 1, .length_penalty = 0.0}), 1u);  // 0.8 is the most that there will be
  EXPECT_GT(steps({.beam = 5, .n_best = 2, .length_penalty = 0.0}), 1u);
  EXPECT_GT(steps({.beam = 5, .n_best = 1, .length_penalty = 1.0}), 1u);  // 50 words might have a better mean
}

TEST(NnBeamSearch, FinishedOnesComeFirstAndAPlaceIsTakenByEach) {
  // 5 goes on for ever with the probability 1; 4 ends.
  const TableModel model(table({0, 0, 0, 0.01, 0.29, 0.7}, {0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 0, 1}));
  const auto list =
      nn::beam_search(model, source().narrow(0, 0, 1), {3}, {.max_length = 4}, {.beam = 3, .n_best = 3}).front();
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].words, Words{4});
  EXPECT_EQ(list[1].words, Words{});
  EXPECT_TRUE(list[1].finished);
  EXPECT_EQ(list[2].words, (Words{5, 5, 5, 5}));
  EXPECT_FALSE(list[2].finished);
  EXPECT_GT(list[2].score, list[0].score);
  EXPECT_EQ(model.rows, (Words{1, 2, 1, 1}));
}

// log p of the next word by the last one; words that are not named have probability 0.
Tensor sparse_table(const std::map<std::int64_t, std::map<std::int64_t, double>>& next) {
  const Tensor table = autograd::zeros({8, 8}, float64);
  for (const auto& [word, probabilities] : next) {
    for (const auto& [after, p] : probabilities) table.set_({word, after}, p);
  }
  return table.log();
}

TEST(NnBeamSearch, ReturnsNothingImpossible) {
  // Two words of two kinds, and then eos: there are four translations.
  const std::map<std::int64_t, double> last{{6, 0.55}, {7, 0.45}}, end{{eos, 1.0}};
  const Tensor four = sparse_table({{bos, {{4, 0.55}, {5, 0.45}}}, {4, last}, {5, last}, {6, end}, {7, end}});
  const Tensor one = sparse_table({{bos, {{4, 1.0}}}, {4, end}});
  const std::vector<Words> all{{4, 6}, {4, 7}, {5, 6}, {5, 7}};
  for (const auto& [table, expected] : {std::pair(four, all), std::pair(one, std::vector<Words>{{4}})}) {
    for (const auto dtype : {autograd::float32, float64}) {
      const TableModel model(table.to(dtype));
      for (const std::int64_t beam : {4, 5, 8}) {
        const auto found = nn::beam_search(model, autograd::ids({{3}}), {1}, {}, {.beam = beam, .n_best = beam})[0];
        std::vector<Words> words;
        for (const Translation& translation : found) {
          words.push_back(translation.words);
          EXPECT_TRUE(translation.finished);
          EXPECT_TRUE(std::isfinite(translation.log_probability));
        }
        std::sort(words.begin(), words.end());
        EXPECT_EQ(words, expected) << "beam " << beam;
      }
    }
  }
}

TEST(NnSearchErrors, WhereNoWordIsPossible) {
  const TableModel model(sparse_table({{bos, {{4, 0.5}, {5, 0.5}}}, {4, {{6, 1.0}}}, {5, {{eos, 1.0}}}}));
  const auto beam = [&](const Words& forbidden) {
    return nn::beam_search(model, autograd::ids({{3}}), {1}, {.forbidden = forbidden}, {.beam = 3, .n_best = 3})[0];
  };
  fixtures::message_of(ErrorId::bad_argument, [&] { beam({4, 5}); });
  ASSERT_EQ(beam({6}).size(), 1u);  // the one by way of 5
  EXPECT_EQ(beam({6})[0].words, Words{5});
}

TEST(NnBeamSearch, AnEmptyBatchHasNoTranslations) {
  const TableModel model(table({0, 0, 0, 1, 0, 0}, {0, 0, 0, 1, 0, 0}, {0, 0, 0, 1, 0, 0}));
  const Tensor nothing = autograd::zeros({0, 3}, autograd::int64);
  EXPECT_TRUE(nn::greedy_search(model, nothing, {}).empty());
  EXPECT_TRUE(nn::beam_search(model, nothing, {}).empty());
}

// ---- errors --------------------------------------------------------------------------------------------------

TEST(NnSearchErrors, AreClear) {
  const RandomModel model(1);
  std::vector<std::string> said;
  const auto greedy = [&](ErrorId id, const SearchOptions& options) {
    return fixtures::message_of(id, [&] { nn::greedy_search(model, source(), lengths, options); });
  };
  said.push_back(greedy(ErrorId::bad_argument, {.max_length = 0}));
  said.push_back(greedy(ErrorId::token_out_of_range, {.eos = 7}));
  said.push_back(greedy(ErrorId::token_out_of_range, {.forbidden = {0, -2}}));
  said.push_back(greedy(ErrorId::bad_argument, {.forbidden = {0, 1, 2, 3, 4, 5, 6}}));
  greedy(ErrorId::token_out_of_range, {.bos = 7});

  const auto beam = [&](const BeamOptions& options) {
    return fixtures::message_of(ErrorId::bad_argument,
                                [&] { nn::beam_search(model, source(), lengths, {.max_length = 3}, options); });
  };
  said.push_back(beam({.beam = 0}));
  said.push_back(beam({.beam = 2, .n_best = 3}));
  said.push_back(beam({.n_best = 0}));
  said.push_back(beam({.length_penalty = -1.0}));
  beam({.length_penalty = std::nan("")});
  EXPECT_TRUE(fixtures::says("nn_translation", said));

  fixtures::message_of(ErrorId::shape_mismatch, [&] { nn::greedy_search(model, source().select(0, 0), {}); });
  fixtures::message_of(ErrorId::bad_length, [&] { nn::greedy_search(model, source(), {3, 1}); });
}

TEST(NnSearchErrors, AModelThatReturnsNaNIsNamed) {
  const RandomModel model(1);
  {
    const autograd::NoGradGuard no_grad;
    model.decoder.output.fc_out.bias.set_({4}, std::nan(""));
  }
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::beam_search(model, source(), lengths); });
}

}  // namespace nn_search_test
