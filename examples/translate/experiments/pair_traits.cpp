#include "examples/translate/experiments/pair_traits.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "examples/translate/experiments/shapes.h"
#include "examples/translate/experiments/word_classes.h"
#include "examples/translate/report/attention_picture.h"

namespace translate {
namespace {

Tensor word_weights(const TranslatedSentence& sentence) {
  return weights_of_words(sentence.weights, sentence.translation, sentence.pair.source);
}

// The position of the last word before the punctuation at the end; -1 if there is none.
std::int64_t last_word(const Words& words) {
  const auto last = std::find_if_not(words.rbegin(), words.rend(), is_punctuation);
  return std::ssize(words) - 1 - (last - words.rbegin());
}

bool is_swap(const std::vector<std::int64_t>& looks, std::size_t t) {
  return looks[t + 1] >= 0 && looks[t] == looks[t + 1] + 1;
}

// The weights without the punctuation at the end of both sentences; undefined if nothing is left.
Tensor weights_without_end(const TranslatedSentence& sentence) {
  const std::int64_t targets = last_word(sentence.translation) + 1;
  const std::int64_t sources = last_word(sentence.pair.source) + 1;
  if (targets == 0 || sources == 0) return Tensor();
  return word_weights(sentence).narrow(0, 0, targets).narrow(1, 0, sources);
}

// The source's end itself would be a poor measure: a translation that leaves words out ends far before it.
std::optional<double> reach_of_last_word(const TranslatedSentence& sentence) {
  const Tensor weights = weights_without_end(sentence);
  if (!weights.defined()) return std::nullopt;
  const Tensor places = autograd::arange(weights.size(1)).to(weights.dtype());
  const std::vector<double> middles = ((weights * places).sum({1}) / weights.sum({1})).to_vector();
  if (std::isnan(middles.back())) return std::nullopt;  // it looks at the punctuation alone
  double furthest = middles.back();
  for (const double middle : middles) furthest = std::fmax(furthest, middle);
  return furthest - middles.back();
}

void count_neighbours(PairTraits& traits, const std::vector<std::int64_t>& looks) {
  for (std::size_t t = 0; t + 1 < looks.size(); ++t) {
    if (looks[t] < 0 || looks[t + 1] < 0) continue;
    ++traits.neighbours;
    if (is_swap(looks, t)) ++traits.swapped;
  }
}

void count_neglected(PairTraits& traits, const Words& source, const Tensor& weights, const std::string& language) {
  const std::vector<double> coverage = nn::attention_coverage(weights);
  for (std::size_t i = 0; i < source.size(); ++i) {
    const bool is_neglected = coverage[i] < nn::AttentionTotals::neglected_below;
    const bool article = is_article(source[i], language);
    ++(article ? traits.articles : traits.others);
    if (is_neglected) ++(article ? traits.neglected_articles : traits.neglected_others);
  }
}

}  // namespace

PairTraits traits_of(const std::vector<TranslatedSentence>& sentences, const std::string& source_language) {
  PairTraits traits{.measures = measure(sentences)};
  for (const nn::AlignmentPattern pattern : nn::all_alignment_patterns) {
    const PatternCount count = count_pattern(pattern, sentences);
    traits.shapes[static_cast<std::size_t>(pattern)] = percent(count.own, count.sentences);
  }
  for (const TranslatedSentence& sentence : sentences) {
    if (sentence.translation.empty() || sentence.pair.source.empty()) continue;
    const Tensor weights = word_weights(sentence);
    traits.diagonal.add(weights);
    count_neighbours(traits, nn::clear_looks(weights));
    count_neglected(traits, sentence.pair.source, weights, source_language);
    const std::optional<double> reach = reach_of_last_word(sentence);
    if (!reach) continue;
    ++traits.last_words;
    traits.reach += *reach;
  }
  return traits;
}

// ---- examples ----------------------------------------------------------------------------------------------------

nn::FoundPattern find_swap(const TranslatedSentence& sentence, const std::string&) {
  const Tensor weights = word_weights(sentence);
  const std::vector<std::int64_t> looks = nn::clear_looks(weights);
  const std::vector<double> largest = autograd::amax(weights, {1}).to_vector();
  nn::FoundPattern best;
  for (std::size_t t = 0; t + 1 < looks.size(); ++t) {
    if (!is_swap(looks, t)) continue;
    const auto target = static_cast<std::int64_t>(t);
    const nn::FoundPattern found{.found = true,
                                 .extent = 1,
                                 .clearness = std::min(largest[t], largest[t + 1]),
                                 .targets = {target, target + 1},
                                 .sources = {looks[t], looks[t + 1]}};
    if (nn::is_better_example(found, best)) best = found;
  }
  return best;
}

nn::FoundPattern find_far_reach(const TranslatedSentence& sentence, const std::string&) {
  constexpr std::int64_t far = 3;
  const Tensor weights = weights_without_end(sentence);
  if (!weights.defined()) return {};
  const std::vector<std::int64_t> looks = nn::clear_looks(weights);
  const std::int64_t target = std::ssize(looks) - 1;
  const std::int64_t place = autograd::argmax(weights[target], 0).to_vector<std::int64_t>().front();
  const std::int64_t reach = *std::ranges::max_element(looks) - place;
  if (reach < far) return {};
  return {.found = true, .extent = reach, .targets = {target}, .sources = {place}};
}

nn::FoundPattern find_neglected_articles(const TranslatedSentence& sentence, const std::string& source_language) {
  PairTraits counted;
  count_neglected(counted, sentence.pair.source, word_weights(sentence), source_language);
  if (counted.articles < 2 || counted.neglected_articles < counted.articles) return {};
  nn::FoundPattern found{.found = true, .extent = counted.articles};
  for (std::size_t i = 0; i < sentence.pair.source.size(); ++i) {
    if (is_article(sentence.pair.source[i], source_language)) found.sources.push_back(static_cast<std::int64_t>(i));
  }
  return found;
}

nn::FoundPattern find_one_to_many(const TranslatedSentence& sentence, const std::string&) {
  return nn::find_pattern(nn::AlignmentPattern::one_to_many, word_weights(sentence));
}

bool is_confirmed(const nn::FoundPattern& found, const TranslatedSentence& sentence) {
  return std::ranges::all_of(found.targets, [&sentence](std::int64_t target) {
    const Words& reference = sentence.pair.target;
    return std::ranges::find(reference, sentence.translation[static_cast<std::size_t>(target)]) != reference.end();
  });
}

}  // namespace translate
