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
const std::set<std::string_view> english_articles = {"a", "an", "the"};
const std::set<std::string_view> german_function_words = {
    "in",   "im",  "auf",  "an",    "am",    "mit",  "von",   "vom",   "zu",      "zum",      "zur", "bei",
    "beim", "vor", "nach", "neben", "unter", "über", "durch", "gegen", "hinter",  "zwischen", "aus", "für",
    "um",   "und", "oder", "aber",  "als",   "ohne", "dass",  "sich",  "während", "entlang"};

WordClass german_class(const std::string& word) {
  if (is_article(word, "de")) return WordClass::articles;
  if (german_function_words.count(word) > 0) return WordClass::function_words;
  return is_punctuation(word) ? WordClass::punctuation : WordClass::others;
}

bool is_artificial_article(const std::string& word) {
  return std::ranges::any_of(articles, [&word](const ArticlePair& article) {
    return std::ranges::find(article.target, word) != std::end(article.target);
  });
}

// `links`: those of this word.
WordClass artificial_class(const SentencePair& pair, const std::string& word, const nn::AlignmentLinks& links) {
  if (is_artificial_article(word)) return WordClass::articles;
  if (links.size() > 1) return WordClass::compounds;
  const auto has_this_source = [&](const nn::AlignmentLink& link) { return link.source == links[0].source; };
  const bool is_split = std::ranges::count_if(pair.gold->sure, has_this_source) > 1;
  return is_split ? WordClass::split_verbs : WordClass::others;
}

}  // namespace

bool is_punctuation(const std::string& word) {
  return std::ranges::none_of(word, [](unsigned char c) { return c >= 0x80 || std::isalnum(c) != 0; });
}

bool is_article(const std::string& word, const std::string& language) {
  if (language == "de") return german_articles.count(word) > 0;
  return language == "en" && english_articles.count(word) > 0;
}

std::string name(WordClass word_class) {
  constexpr const char* names[] = {"articles",       "split verbs", "compounds",
                                   "function words", "punctuation", "other words"};
  return names[static_cast<std::size_t>(word_class)];
}

std::vector<std::optional<WordClass>> classes_of(const SentencePair& pair, bool is_artificial) {
  std::vector<std::optional<WordClass>> classes(pair.target.size());
  for (std::size_t t = 0; t < pair.target.size(); ++t) {
    nn::AlignmentLinks links = pair.gold.value_or(nn::ReferenceAlignment()).sure;
    if (pair.gold) links.insert(links.end(), pair.gold->possible.begin(), pair.gold->possible.end());
    std::erase_if(links, [t](const nn::AlignmentLink& link) { return link.target != static_cast<std::int64_t>(t); });
    if (pair.gold && links.empty()) continue;
    classes[t] =
        is_artificial && pair.gold ? artificial_class(pair, pair.target[t], links) : german_class(pair.target[t]);
  }
  return classes;
}

}  // namespace translate
