#include "examples/translate/experiments/word_classes.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "examples/translate/data/artificial_words.h"

namespace translate {
namespace {

const std::set<std::string_view> german_articles = {"ein", "eine", "einem", "einen", "einer", "eines",
                                                    "der", "die",  "das",   "den",   "dem",   "des"};
const std::set<std::string_view> german_function_words = {
    "in",   "im",  "auf",  "an",    "am",    "mit",  "von",   "vom",   "zu",      "zum",      "zur", "bei",
    "beim", "vor", "nach", "neben", "unter", "über", "durch", "gegen", "hinter",  "zwischen", "aus", "für",
    "um",   "und", "oder", "aber",  "als",   "ohne", "dass",  "sich",  "während", "entlang"};

// Returns whether the word has neither letters nor digits. Everything beyond ASCII counts as a letter.
bool is_punctuation(const std::string& word) {
  return std::none_of(word.begin(), word.end(), [](unsigned char c) { return c >= 0x80 || std::isalnum(c) != 0; });
}

WordClass german_class(const std::string& word) {
  if (german_articles.count(word) > 0) return WordClass::articles;
  if (german_function_words.count(word) > 0) return WordClass::function_words;
  return is_punctuation(word) ? WordClass::punctuation : WordClass::others;
}

bool is_artificial_article(const std::string& word) {
  return std::any_of(std::begin(articles), std::end(articles), [&word](const ArticlePair& article) {
    return std::find(std::begin(article.target), std::end(article.target), word) != std::end(article.target);
  });
}

// Returns the positions of the source words that a target word is linked to.
std::vector<int> sources_of(const SentencePair& pair, int target) {
  std::vector<int> sources;
  for (const Link& link : *pair.gold) {
    if (link.target == target) sources.push_back(link.source);
  }
  return sources;
}

bool has_several_targets(const SentencePair& pair, int source) {
  return std::count_if(pair.gold->begin(), pair.gold->end(),
                       [source](const Link& link) { return link.source == source; }) > 1;
}

WordClass artificial_class(const SentencePair& pair, const std::string& word, const std::vector<int>& sources) {
  if (is_artificial_article(word)) return WordClass::articles;
  if (sources.size() > 1) return WordClass::compounds;
  return has_several_targets(pair, sources[0]) ? WordClass::split_verbs : WordClass::others;
}

}  // namespace

std::string name(WordClass word_class) {
  constexpr const char* names[] = {"articles",       "split verbs", "compounds",
                                   "function words", "punctuation", "other words"};
  return names[static_cast<std::size_t>(word_class)];
}

std::vector<std::optional<WordClass>> classes_of(const SentencePair& pair, bool is_artificial) {
  std::vector<std::optional<WordClass>> classes(pair.target.size());
  for (std::size_t t = 0; t < pair.target.size(); ++t) {
    const std::vector<int> sources = pair.gold ? sources_of(pair, static_cast<int>(t)) : std::vector<int>();
    if (pair.gold && sources.empty()) continue;
    classes[t] =
        is_artificial && pair.gold ? artificial_class(pair, pair.target[t], sources) : german_class(pair.target[t]);
  }
  return classes;
}

}  // namespace translate
