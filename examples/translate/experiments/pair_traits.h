// PairTraits: what the attention of one model shows of the difference between two languages, over a test. All of it is
// measured in the model's own translations, and means the same for every pair of languages, so that pairs can be
// compared:
//
//   swaps      two neighbouring target words t and t + 1 clearly look (alignment_patterns.h) at i + 1 and i. Their
//              share of all neighbours that both clearly look: shows adjectives that follow their nouns
//   reach      how many words the target's last word looks back from the furthest word that was looked at: max_t m_t
//              minus its own m_t, with m_t = sum_i p_ti i the middle of a word's attention p_t, divided by its sum.
//              The punctuation at the end of both sentences is left out. Shows verbs at the end
//   articles   of the source that are neglected (AttentionTotals), as a share of all articles, and as a share of all
//              neglected words: shows languages without articles
#pragma once

#include <nn/measures/alignment_patterns.h>
#include <nn/measures/attention_measures.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "examples/translate/report/measures.h"

namespace translate {

inline double percent(std::int64_t part, std::int64_t whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

struct PairTraits {
  Measures measures = {};
  std::array<double, std::size(nn::all_alignment_patterns)> shapes = {};  // sentences with each, percent
  nn::DiagonalTotals diagonal = {};
  std::int64_t neighbours = 0;  // that both clearly look
  std::int64_t swapped = 0;
  std::int64_t last_words = 0;
  double reach = 0.0;  // summed over last_words
  std::int64_t articles = 0;
  std::int64_t neglected_articles = 0;
  std::int64_t others = 0;
  std::int64_t neglected_others = 0;

  // In percent, but for mean_reach in words. NaN where nothing was counted.
  double swapped_share() const { return percent(swapped, neighbours); }
  double mean_reach() const { return reach / static_cast<double>(last_words); }
  double neglected_share_of_articles() const { return percent(neglected_articles, articles); }
  double neglected_share_of_others() const { return percent(neglected_others, others); }
  double articles_among_neglected() const { return percent(neglected_articles, neglected_articles + neglected_others); }
};

PairTraits traits_of(const std::vector<TranslatedSentence>& sentences, const std::string& source_language);

// Examples of a trait. All need weights, and words on both sides.
using FindTrait = nn::FoundPattern (*)(const TranslatedSentence& sentence, const std::string& source_language);
// Neighbours that are swapped: those that look most clearly.
nn::FoundPattern find_swap(const TranslatedSentence& sentence, const std::string& source_language);
// A last word that looks most at a word at least three before the furthest one that was clearly looked at.
nn::FoundPattern find_far_reach(const TranslatedSentence& sentence, const std::string& source_language);
// All articles are neglected, and there are at least two.
nn::FoundPattern find_neglected_articles(const TranslatedSentence& sentence, const std::string& source_language);
nn::FoundPattern find_one_to_many(const TranslatedSentence& sentence, const std::string& source_language);

// Whether the target words that show it are in the reference too. If not, it may be a mistake of the model, such as a
// phrase that it translates twice.
bool is_confirmed(const nn::FoundPattern& found, const TranslatedSentence& sentence);

}  // namespace translate
