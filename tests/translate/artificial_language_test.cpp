#include "examples/translate/data/artificial_language.h"

#include <gtest/gtest.h>
#include <nn/translation/vocabulary.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/support/expect.h"

namespace translate_artificial_language_test {

using autograd::ErrorId;
using fixtures::message_of;
using nn::AlignmentLink;
using nn::Vocabulary;
using translate::artificial_corpus;
using translate::ArtificialOptions;
using translate::Corpus;
using translate::join;
using translate::ParallelText;
using translate::SentencePair;
using translate::Words;

constexpr ArtificialOptions small{.train = 600, .validation = 100, .test = 100, .longer = 50};

std::vector<const ParallelText*> texts_of(const Corpus& corpus) {
  std::vector<const ParallelText*> texts{&corpus.train, &corpus.validation};
  for (const ParallelText& test : corpus.tests) texts.push_back(&test);
  return texts;
}

std::vector<SentencePair> pairs_of(const Corpus& corpus) {
  std::vector<SentencePair> pairs;
  for (const ParallelText* text : texts_of(corpus)) pairs.insert(pairs.end(), text->pairs.begin(), text->pairs.end());
  return pairs;
}

Words sources_of(const ParallelText& text) {
  Words sources;
  for (const SentencePair& pair : text.pairs) sources.push_back(join(pair.source));
  return sources;
}

std::int64_t count(const Words& words, const std::string& word) {
  return std::count(words.begin(), words.end(), word);
}

// Returns "0-0 1-2", for example.
std::string links_of(const SentencePair& pair) {
  Words links;
  for (const AlignmentLink& link : pair.gold->sure)
    links.push_back(std::to_string(link.source) + "-" + std::to_string(link.target));
  return join(links);
}

// Returns an x for each target word that must look, a hyphen for each other.
std::string marks_of(const SentencePair& pair) {
  std::string marks;
  for (const bool must_look : pair.must_look) marks += must_look ? 'x' : '-';
  return marks;
}

// Returns the source words that a target word is linked to.
Words sources_of(const SentencePair& pair, std::size_t target) {
  Words sources;
  for (const AlignmentLink& link : pair.gold->sure) {
    if (static_cast<std::size_t>(link.target) == target) {
      sources.push_back(pair.source[static_cast<std::size_t>(link.source)]);
    }
  }
  return sources;
}

// Three clauses with almost every part that there is. The alignment was checked by hand.
TEST(ArtificialLanguage, IsTheSameEverywhere) {
  const SentencePair pair = artificial_corpus(small).tests[0].pairs[6];
  EXPECT_EQ(join(pair.source),
            "ne runo fikiko ta milara "
            "dume ne depo na valu misuvo nenura ne taso fimoso sanoti "
            "ena ya ne neze fikiko vo nopira ne redi supadu");
  EXPECT_EQ(join(pair.target),
            "nos brimmig steng moln ak riften "
            ", wenz nos lankig strankrumpf drims nei dolmig foft flasken "
            "ond nei brimmig flerm hest nos hurmig hilp ur wasken");
  EXPECT_EQ(links_of(pair),
            "0-0 2-1 1-2 3-3 4-4 4-5 "
            "5-7 6-8 10-9 7-10 8-10 9-10 15-11 12-12 14-13 13-14 11-15 "
            "16-16 18-17 20-18 19-19 21-20 23-21 25-22 24-23 22-24 22-25");
  EXPECT_EQ(marks_of(pair),
            "-xx-xx"
            "---x-x-xxx"
            "--xx--xxxx");
}

TEST(ArtificialLanguage, IsTheSameFromTheSameSeed) {
  ArtificialOptions options = small;
  const Corpus first = artificial_corpus(options);
  const Corpus again = artificial_corpus(options);
  EXPECT_EQ(sources_of(first.train), sources_of(again.train));
  options.seed = 1;
  EXPECT_NE(sources_of(first.train), sources_of(artificial_corpus(options).train));
}

TEST(ArtificialLanguage, HasAsManyPairsAsAskedFor) {
  const Corpus corpus = artificial_corpus(small);
  EXPECT_EQ(corpus.train.pairs.size(), 600u);
  EXPECT_EQ(corpus.validation.pairs.size(), 100u);
  ASSERT_EQ(corpus.tests.size(), 2u);
  EXPECT_EQ(corpus.tests[0].name, "test");
  EXPECT_EQ(corpus.tests[0].pairs.size(), 100u);
  EXPECT_EQ(corpus.tests[1].name, "longer");
  EXPECT_EQ(corpus.tests[1].pairs.size(), 50u);
}

TEST(ArtificialLanguage, HasTheSameTestsForAllTraining) {
  ArtificialOptions options = small;
  const Corpus corpus = artificial_corpus(options);
  options.train = 10;
  options.agreement = false;
  const Corpus other = artificial_corpus(options);
  EXPECT_EQ(sources_of(corpus.tests[0]), sources_of(other.tests[0]));
  EXPECT_EQ(sources_of(corpus.tests[1]), sources_of(other.tests[1]));
  EXPECT_EQ(sources_of(corpus.validation), sources_of(other.validation));
}

// Sentences of one clause are few enough to come up again by chance.
TEST(ArtificialLanguage, HasNoSourceTwice) {
  const Corpus corpus = artificial_corpus({.train = 5000, .validation = 500, .test = 500, .clauses = 1});
  std::set<std::string> seen;
  for (const SentencePair& pair : pairs_of(corpus)) EXPECT_TRUE(seen.insert(join(pair.source)).second);
}

TEST(ArtificialLanguage, SharesNoWord) {
  for (const bool agreement : {false, true}) {
    const Corpus corpus = artificial_corpus({.agreement = agreement});
    const Vocabulary source(side_of(corpus.train, &SentencePair::source));
    const Vocabulary target(side_of(corpus.train, &SentencePair::target));
    EXPECT_EQ(source.size(), 4 + 118);
    EXPECT_EQ(target.size(), 4 + (agreement ? 138 : 134));
    for (std::int64_t id = 4; id < source.size(); ++id) EXPECT_FALSE(target.contains(source.word(id)));
    for (const SentencePair& pair : pairs_of(corpus)) {
      for (const std::string& word : pair.source) ASSERT_TRUE(source.contains(word)) << word;
      for (const std::string& word : pair.target) ASSERT_TRUE(target.contains(word)) << word;
    }
  }
}

TEST(ArtificialLanguage, LinksEveryWordThatHasACounterpart) {
  for (const SentencePair& pair : pairs_of(artificial_corpus(small))) {
    EXPECT_TRUE(pair.gold->possible.empty());
    std::set<std::string> unlinked_sources(pair.source.begin(), pair.source.end());
    for (const AlignmentLink& link : pair.gold->sure) {
      ASSERT_TRUE(link.source >= 0 && link.target >= 0);
      ASSERT_LT(static_cast<std::size_t>(link.source), pair.source.size());
      ASSERT_LT(static_cast<std::size_t>(link.target), pair.target.size());
      unlinked_sources.erase(pair.source[static_cast<std::size_t>(link.source)]);
    }
    unlinked_sources.erase("ya");
    EXPECT_TRUE(unlinked_sources.empty());
    for (std::size_t j = 0; j < pair.target.size(); ++j) {
      EXPECT_EQ(sources_of(pair, j).empty(), pair.target[j] == ",");
    }
  }
}

// A source word always becomes the same word, or the same stem and particle, and has no other links.
TEST(ArtificialLanguage, TellsWordsThatMustLookByOneSourceWord) {
  std::map<std::string, std::set<std::string>> translations;
  std::size_t words = 0;
  std::size_t marked = 0;
  for (const SentencePair& pair : pairs_of(artificial_corpus(small))) {
    ASSERT_EQ(pair.must_look.size(), pair.target.size());
    words += pair.target.size();
    for (std::size_t j = 0; j < pair.target.size(); ++j) {
      if (!pair.must_look[j]) continue;
      ++marked;
      const Words sources = sources_of(pair, j);
      ASSERT_EQ(sources.size(), 1u);
      translations[sources[0]].insert(pair.target[j]);
    }
  }
  EXPECT_GT(2 * marked, words);
  EXPECT_EQ(translations.size(), 36u + 16u + 32u + 10u);  // nouns, adjectives, verbs of both kinds, adverbs
  EXPECT_EQ(std::count_if(translations.begin(), translations.end(), [](const auto& t) { return t.second.size() == 2; }),
            16);
  for (const auto& [source, targets] : translations) EXPECT_LE(targets.size(), 2u) << source;
}

// With agreement an article's form tells the gender, and each noun has one gender; without, there is only one form.
TEST(ArtificialLanguage, MakesArticlesAgree) {
  for (const bool agreement : {false, true}) {
    ArtificialOptions options = small;
    options.agreement = agreement;
    std::map<std::string, std::set<std::string>> forms;    // of the article, by source article
    std::map<std::string, std::set<std::string>> endings;  // of the article, by source noun
    for (const SentencePair& pair : pairs_of(artificial_corpus(options))) {
      for (const AlignmentLink& link : pair.gold->sure) {
        const std::size_t i = static_cast<std::size_t>(link.source);
        const std::string& word = pair.target[static_cast<std::size_t>(link.target)];
        if (pair.source[i] != "la" && pair.source[i] != "ne") continue;
        forms[pair.source[i]].insert(word);
        endings[pair.source[i + 1]].insert(word.substr(1));
      }
    }
    EXPECT_EQ(forms["la"].size(), agreement ? 3u : 1u);
    EXPECT_EQ(forms["ne"].size(), agreement ? 3u : 1u);
    EXPECT_EQ(endings.size(), 36u);
    for (const auto& [noun, forms_of_noun] : endings) EXPECT_EQ(forms_of_noun.size(), 1u) << noun;
  }
}

// "teke na lubi" -> "brusgarn"
TEST(ArtificialLanguage, MakesCompounds) {
  std::size_t compounds = 0;
  for (const SentencePair& pair : pairs_of(artificial_corpus(small))) {
    for (std::size_t j = 0; j < pair.target.size(); ++j) {
      const Words sources = sources_of(pair, j);
      if (sources.size() <= 1) continue;
      ++compounds;
      ASSERT_EQ(sources.size(), 3u);
      EXPECT_EQ(sources[1], "na");
      EXPECT_FALSE(pair.must_look[j]);
    }
  }
  EXPECT_GT(compounds, 100u);
}

TEST(ArtificialLanguage, ReordersOverLongDistances) {
  std::int64_t farthest = 0;
  std::size_t links = 0;
  std::size_t crossed = 0;  // links whose target comes before that of the previous link
  for (const SentencePair& pair : pairs_of(artificial_corpus(small))) {
    nn::AlignmentLinks alignment = pair.gold->sure;
    std::stable_sort(alignment.begin(), alignment.end(),
                     [](const AlignmentLink& a, const AlignmentLink& b) { return a.source < b.source; });
    for (std::size_t k = 1; k < alignment.size(); ++k) {
      ++links;
      if (alignment[k].target < alignment[k - 1].target) ++crossed;
      farthest = std::max(farthest, std::abs(alignment[k].target - alignment[k - 1].target));
    }
  }
  EXPECT_GT(5 * crossed, links);
  EXPECT_GE(farthest, 8);
}

TEST(ArtificialLanguage, HasShortAndLongSentences) {
  const Corpus corpus = artificial_corpus(small);
  const auto count_lengths = [&corpus](std::size_t low, std::size_t high) {
    const std::vector<SentencePair>& pairs = corpus.tests[0].pairs;
    return std::count_if(pairs.begin(), pairs.end(), [low, high](const SentencePair& pair) {
      return low <= pair.source.size() && pair.source.size() <= high;
    });
  };
  EXPECT_GE(count_lengths(0, 9), 15);
  EXPECT_GE(count_lengths(10, 20), 25);
  EXPECT_GE(count_lengths(21, 100), 25);
}

// Counts clauses by their conjunctions.
TEST(ArtificialLanguage, HasSentencesLongerThanAnyInTraining) {
  const auto clauses = [](const SentencePair& pair) {
    std::int64_t found = 1;
    for (const std::string conjunction : {"ena", "odo", "ma", "kese", "dume", "sivu"}) {
      found += count(pair.source, conjunction);
    }
    return found;
  };
  const Corpus corpus = artificial_corpus(small);
  std::set<std::int64_t> in_training;
  for (const SentencePair& pair : corpus.train.pairs) in_training.insert(clauses(pair));
  EXPECT_EQ(in_training, (std::set<std::int64_t>{1, 2, 3}));
  for (const SentencePair& pair : corpus.tests[1].pairs) EXPECT_EQ(clauses(pair), 4);
}

TEST(ArtificialLanguage, NeedsAClause) {
  message_of(ErrorId::bad_argument, [] { artificial_corpus({.clauses = 0}); });
  message_of(ErrorId::bad_argument, [] { artificial_corpus({.clauses = -1}); });
}

}  // namespace translate_artificial_language_test
