#include "examples/translate/report/measures.h"

#include <gtest/gtest.h>
#include <nn/measures/bleu.h>

#include <algorithm>
#include <cmath>

#include "tests/support/expect.h"

namespace translate_measures_test {

using autograd::ErrorId;
using autograd::Tensor;
using fixtures::message_of;
using translate::LengthGroup;
using translate::Measures;
using translate::TranslatedSentence;
using translate::Words;

constexpr double close = 1e-12;

// "a man sleeps" -> "ein mann schläft"; the article looks at the man.
TranslatedSentence man() {
  TranslatedSentence sentence;
  sentence.pair.source = {"a", "man", "sleeps"};
  sentence.pair.target = {"ein", "mann", "schläft"};
  sentence.pair.gold = nn::ReferenceAlignment{.sure = {{0, 0}, {1, 1}, {2, 2}}, .possible = {}};
  sentence.pair.must_look = {false, true, true};
  sentence.translation = {"ein", "mann", "schläft"};
  // Besides the words: a column for eos, one of padding, and a row for eos.
  sentence.weights = autograd::tensor(
      {{0.25, 0.75, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0, 0.0}, {0.0, 0.5, 0.0, 0.5, 0.0}, {0.0, 0.0, 9.0, 0.0, 0.0}},
      autograd::float64);
  sentence.forced_weights = autograd::tensor(
      {{0.2, 0.8, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}, {0.0, 0.1, 0.3, 0.6}, {0.0, 0.0, 0.0, 1.0}}, autograd::float64);
  sentence.negative_log_likelihood = 4.0 * std::log(3.0);
  sentence.predicted_words = 4;
  return sentence;
}

// A sentence of `count` source words, translated with mistakes and one unknown word.
TranslatedSentence words(std::size_t count) {
  TranslatedSentence sentence;
  sentence.pair.source = Words(count, "w");
  sentence.pair.target = {"eins", "zwei", "drei", "vier", "fünf", "sechs"};
  sentence.translation = {"eins", "zwei", "drei", "vier", "<unk>", "zehn", "elf"};
  return sentence;
}

TEST(TranslateMeasures, OfOneSentence) {
  const Measures measures = translate::measure({man()});
  EXPECT_EQ(measures.sentences, 1);
  EXPECT_NEAR(measures.perplexity, 3.0, close);
  EXPECT_EQ(measures.exact_match, 100.0);
  EXPECT_EQ(measures.length_ratio, 1.0);
  EXPECT_EQ(measures.unknown_words, 0);
  EXPECT_EQ(measures.bleu, nn::corpus_bleu_of_tokens({man().translation}, {{man().pair.target}}).score);
}

// Links by hand: 0->1 (wrong), 1->1, 2->2. The last word looks most at eos, which does not count as a word.
TEST(TranslateMeasures, AlignmentsOfTheForcedReference) {
  const Measures measures = translate::measure({man()});
  EXPECT_NEAR(measures.alignment_error_rate, 100.0 * (1.0 - 4.0 / 6.0), close);
  EXPECT_EQ(measures.alignment_error_rate_must_look, 0.0);
  EXPECT_NEAR(measures.looks_right, 200.0 / 3.0, close);
  EXPECT_NEAR(measures.looks_ahead, 100.0 / 3.0, close);
}

TEST(TranslateMeasures, PossibleLinksMayBeFound) {
  TranslatedSentence sentence = man();
  sentence.pair.gold->possible.push_back({1, 0});
  EXPECT_NEAR(translate::measure({sentence}).alignment_error_rate, 100.0 * (1.0 - 5.0 / 6.0), close);
}

// Entropy is over the source words and eos, without padding; the row of eos does not count.
TEST(TranslateMeasures, AttentionOfTheTranslation) {
  const Measures measures = translate::measure({man()});
  const double first = -0.25 * std::log(0.25) - 0.75 * std::log(0.75);
  EXPECT_NEAR(measures.entropy, (first + std::log(2.0)) / 3.0, close);
  EXPECT_NEAR(measures.normalized_entropy, (first + std::log(2.0)) / std::log(4.0) / 3.0, close);
  EXPECT_NEAR(measures.neglected, 100.0 / 3.0, close);  // "sleeps"; eos is not a word
  EXPECT_NEAR(measures.overused, 100.0 / 3.0, close);   // "man", 2.25
}

TEST(TranslateMeasures, CountsUnknownWords) {
  const Measures measures = translate::measure({words(5)});
  EXPECT_EQ(measures.unknown_words, 1);
  EXPECT_EQ(measures.exact_match, 0.0);
  EXPECT_DOUBLE_EQ(measures.length_ratio, 7.0 / 6.0);
}

// "Das T-Shirt des Kindes: O'Neill, „neu“." with a wrong word in it.
TranslatedSentence shirt(const std::string& wrong) {
  TranslatedSentence sentence;
  sentence.pair.target = {"das", "t", "-", "shirt", "des", "kindes", ":", "o", "'", "neill", ",", "„", "neu", "“", "."};
  sentence.pair.target_line = {"Das T-Shirt des Kindes: O'Neill, „neu“.", "de"};
  sentence.translation = sentence.pair.target;
  sentence.translation[5] = wrong;
  return sentence;
}

// 100 * (p_1 p_2 p_3 p_4)^(1/4) from counts of matching n-grams by hand, by what counts as a word.
double bleu_of(double words, double p1, double p2, double p3, double p4) {
  return 100.0 * std::pow(p1 / words * p2 / (words - 1) * p3 / (words - 2) * p4 / (words - 3), 0.25);
}

TEST(TranslateMeasures, BleuByWhatCountsAsAWord) {
  const Measures measures = translate::measure({shirt("mannes")});
  // das t - shirt des X : o ' neill , „ neu “ .
  EXPECT_NEAR(measures.bleu, bleu_of(15, 14, 12, 10, 8), 1e-9);
  // das t-shirt des X : o'neill , „neu“ .
  EXPECT_NEAR(measures.bleu_detokenized, bleu_of(9, 8, 6, 4, 2), 1e-9);
  // das t-shirt des X : o ' neill , " neu " .
  EXPECT_NEAR(measures.bleu_papers_tokens, bleu_of(13, 12, 10, 8, 6), 1e-9);
}

TEST(TranslateMeasures, UnknownWordsAreWordsLikeOthers) {
  const Measures unknown = translate::measure({shirt("<unk>")});
  const Measures wrong = translate::measure({shirt("mannes")});
  EXPECT_EQ(unknown.bleu, wrong.bleu);
  EXPECT_EQ(unknown.bleu_detokenized, wrong.bleu_detokenized);
  EXPECT_EQ(unknown.bleu_papers_tokens, wrong.bleu_papers_tokens);
}

TEST(TranslateMeasures, TheArtificialLanguageHasOneBleu) {
  const Measures measures = translate::measure({man()});
  EXPECT_FALSE(std::isnan(measures.bleu));
  EXPECT_TRUE(std::isnan(measures.bleu_detokenized));
  EXPECT_TRUE(std::isnan(measures.bleu_papers_tokens));
}

TEST(TranslateMeasures, GroupsByLength) {
  const std::vector<TranslatedSentence> sentences = {words(0), words(9), words(10), words(20), words(21), words(60)};
  const std::vector<Measures> groups = translate::measures_by_length(sentences);
  std::vector<std::int64_t> counts;
  for (const Measures& measures : groups) counts.push_back(measures.sentences);
  EXPECT_EQ(counts, (std::vector<std::int64_t>{6, 2, 2, 2}));
  EXPECT_EQ(groups[0].group, LengthGroup::all);
  EXPECT_EQ(groups[3].group, LengthGroup::long_sentences);
  EXPECT_EQ(groups[1].unknown_words, 2);
}

TEST(TranslateMeasures, WhatIsNotKnownIsNaN) {
  const Measures none = translate::measure({});
  for (const double value : {none.perplexity, none.bleu, none.bleu_detokenized, none.exact_match, none.length_ratio,
                             none.alignment_error_rate, none.looks_ahead, none.entropy, none.neglected}) {
    EXPECT_TRUE(std::isnan(value));
  }
  const Measures vanilla = translate::measure({words(5)});
  EXPECT_TRUE(std::isnan(vanilla.perplexity));
  EXPECT_TRUE(std::isnan(vanilla.entropy));
  EXPECT_TRUE(std::isnan(vanilla.alignment_error_rate));
  EXPECT_FALSE(std::isnan(vanilla.bleu));

  TranslatedSentence unknown_gold = man();
  unknown_gold.pair.gold.reset();
  EXPECT_TRUE(std::isnan(translate::measure({unknown_gold}).alignment_error_rate));
  TranslatedSentence unknown_must_look = man();
  unknown_must_look.pair.must_look.clear();
  EXPECT_TRUE(std::isnan(translate::measure({unknown_must_look}).alignment_error_rate_must_look));
}

// A test file may have lines without words.
TEST(TranslateMeasures, SentencesWithoutWords) {
  TranslatedSentence empty;
  empty.weights = autograd::zeros({0, 1});
  empty.forced_weights = autograd::ones({1, 1});
  empty.pair.gold.emplace();
  const Measures measures = translate::measure({empty, man()});
  EXPECT_EQ(measures.exact_match, 100.0);
  EXPECT_NEAR(measures.alignment_error_rate, 100.0 / 3.0, close);
  EXPECT_EQ(translate::measure({empty}).bleu, 0.0);
}

TEST(TranslateMeasures, WeightsThatAreTooSmall) {
  TranslatedSentence sentence = man();
  sentence.weights = autograd::ones({3, 2});
  message_of(ErrorId::shape_mismatch, [&] { translate::measure({sentence}); });
  sentence.weights = Tensor();
  sentence.forced_weights = autograd::ones(3);
  message_of(ErrorId::shape_mismatch, [&] { translate::measures_by_length({sentence}); });
}

TEST(TranslateMeasures, TableOfOneModel) {
  const translate::ReportTable table = translate::measures_table("test", translate::measures_by_length({man()}));
  EXPECT_EQ(table.columns, (Words{"measure", "all", "short (< 10)", "middle (10–20)", "long (> 20)"}));
  const auto row = [&table](const std::string& measure) {
    return *std::find_if(table.rows.begin(), table.rows.end(), [&](const Words& cells) { return cells[0] == measure; });
  };
  EXPECT_EQ(row("sentences"), (Words{"sentences", "1", "1", "0", "0"}));
  EXPECT_EQ(row("perplexity"), (Words{"perplexity", "3.00", "3.00", "–", "–"}));
  EXPECT_EQ(row("AER %"), (Words{"AER %", "33.3", "33.3", "–", "–"}));
}

TEST(TranslateMeasures, WhatNobodyHasIsNotInTheTable) {
  const auto has_entropy = [](const TranslatedSentence& sentence) {
    const translate::ReportTable table = translate::measures_table("test", {translate::measure({sentence})});
    return std::any_of(table.rows.begin(), table.rows.end(),
                       [](const Words& row) { return row[0] == "entropy (nats)"; });
  };
  EXPECT_TRUE(has_entropy(man()));
  EXPECT_FALSE(has_entropy(words(3)));  // without attention
}

}  // namespace translate_measures_test
