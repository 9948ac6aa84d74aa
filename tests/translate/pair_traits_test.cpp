#include "examples/translate/experiments/pair_traits.h"

#include <gtest/gtest.h>

#include <cmath>

#include "examples/translate/data/text.h"

namespace translate_pair_traits_test {

using translate::PairTraits;
using translate::TranslatedSentence;

using Positions = std::vector<std::int64_t>;

// A translation whose words look at these source words, and at nothing else.
TranslatedSentence sentence(const char* source, const char* translation, const Positions& looks) {
  TranslatedSentence result{.pair = {.source = translate::split_words(source), .target = {}},
                            .translation = translate::split_words(translation)};
  const std::int64_t words = std::ssize(result.pair.source);
  std::vector<double> weights(looks.size() * result.pair.source.size(), 0.0);
  for (std::size_t t = 0; t < looks.size(); ++t)
    weights[t * result.pair.source.size() + static_cast<std::size_t>(looks[t])] = 1.0;
  result.weights = autograd::from_vector(weights, {std::ssize(looks), words});
  return result;
}

// "car" and "red" change places; the article receives nothing.
TranslatedSentence swapped() {
  return sentence("the red car sleeps here .", "voiture rouge dort ici .", {2, 1, 3, 4, 5});
}

// The verb at the end is the source's fourth word; some of its weight is on the last word, and on the full stop.
TranslatedSentence verb_at_the_end() {
  TranslatedSentence result =
      sentence("a man can see a very old house .", "ein mann kann ein altes haus sehen !", {0, 1, 2, 4, 6, 7, 3, 8});
  result.weights[6].copy_(autograd::tensor({0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.25, 0.25}));
  return result;
}

TEST(PairTraits, Swaps) {
  const TranslatedSentence car = swapped();
  const PairTraits traits = translate::traits_of({car, verb_at_the_end()}, "en");
  EXPECT_EQ(traits.neighbours, 4 + 7);
  EXPECT_EQ(traits.swapped, 1);
  EXPECT_DOUBLE_EQ(traits.swapped_share(), 100.0 / 11.0);
  const nn::FoundPattern found = translate::find_swap(car, "en");
  EXPECT_EQ(found.targets, (Positions{0, 1}));
  EXPECT_EQ(found.sources, (Positions{2, 1}));
  EXPECT_FALSE(translate::find_swap(verb_at_the_end(), "en").found);
}

TEST(PairTraits, TheClearestSwapIsTheExample) {
  TranslatedSentence two = sentence("a b c d", "B A D C", {1, 0, 3, 2});
  two.weights[1].copy_(autograd::tensor({0.75, 0.0, 0.25, 0.0}));
  EXPECT_EQ(translate::find_swap(two, "en").targets, (Positions{2, 3}));
}

TEST(PairTraits, ReachOfTheLastWord) {
  const TranslatedSentence verb = verb_at_the_end();
  const PairTraits traits = translate::traits_of({verb}, "en");
  EXPECT_NEAR(traits.mean_reach(), 7.0 - (0.5 * 3.0 + 0.25 * 7.0) / 0.75, 1e-6);  // without the weight on the full stop
  const nn::FoundPattern found = translate::find_far_reach(verb, "en");
  EXPECT_EQ(found.targets, (Positions{6}));
  EXPECT_EQ(found.sources, (Positions{3}));
  EXPECT_EQ(found.extent, 4);
  EXPECT_FALSE(translate::find_far_reach(sentence("a b c d .", "A C D B .", {0, 2, 3, 1, 4}), "en").found);
  TranslatedSentence unsure = verb_at_the_end();
  unsure.weights[6].copy_(autograd::tensor({0.1, 0.1, 0.1, 0.4, 0.1, 0.1, 0.1, 0.0, 0.0}));
  EXPECT_EQ(translate::find_far_reach(unsure, "en").sources, (Positions{3}));
  const TranslatedSentence cut_off =
      sentence("a man in a hat bakes bread here .", "ein mann mit hut .", {0, 1, 2, 4, 8});
  EXPECT_EQ(translate::traits_of({cut_off}, "en").mean_reach(), 0.0);
  EXPECT_FALSE(translate::find_far_reach(cut_off, "en").found);
  EXPECT_EQ(translate::traits_of({sentence(". .", "a", {0})}, "en").last_words, 0);  // no word that it could reach
}

TEST(PairTraits, NeglectedArticles) {
  const TranslatedSentence dog = sentence("a man and the dog", "muž pes", {1, 4});
  const PairTraits traits = translate::traits_of({swapped(), dog}, "en");
  EXPECT_EQ(traits.neglected_share_of_articles(), 100.0);
  EXPECT_DOUBLE_EQ(traits.neglected_share_of_others(), 100.0 / 8.0);   // and
  EXPECT_DOUBLE_EQ(traits.articles_among_neglected(), 100.0 * 3 / 4);  // the, a, the
  EXPECT_EQ(translate::find_neglected_articles(dog, "en").sources, (Positions{0, 3}));
  EXPECT_FALSE(translate::find_neglected_articles(swapped(), "en").found);                                 // only one
  EXPECT_FALSE(translate::find_neglected_articles(sentence("the dog a", "pes ten", {1, 0}), "en").found);  // not all
  EXPECT_FALSE(translate::find_neglected_articles(dog, "de").found);
  EXPECT_EQ(translate::traits_of({sentence("der mann", "man", {1})}, "de").neglected_articles, 1);
}

TEST(PairTraits, WhatIsFoundIsConfirmedByTheReference) {
  TranslatedSentence car = swapped();
  const nn::FoundPattern found = translate::find_swap(car, "en");
  car.pair.target = {"la", "voiture", "rouge"};
  EXPECT_TRUE(translate::is_confirmed(found, car));
  car.pair.target = {"la", "voiture", "verte"};
  EXPECT_FALSE(translate::is_confirmed(found, car));
}

TEST(PairTraits, ShapesAndDistances) {
  const PairTraits traits = translate::traits_of({swapped(), verb_at_the_end()}, "en");
  EXPECT_EQ(traits.shapes[static_cast<std::size_t>(nn::AlignmentPattern::reordering)], 50.0);
  EXPECT_EQ(traits.diagonal.words[0] + traits.diagonal.words[1] + traits.diagonal.words[2], 5 + 8);
  EXPECT_EQ(traits.measures.sentences, 2);
}

TEST(PairTraits, NothingIsNaN) {
  const PairTraits traits = translate::traits_of({sentence("a", "", {})}, "en");
  EXPECT_TRUE(std::isnan(traits.mean_reach()));
  EXPECT_TRUE(std::isnan(traits.swapped_share()));
  EXPECT_TRUE(std::isnan(traits.articles_among_neglected()));
}

}  // namespace translate_pair_traits_test
