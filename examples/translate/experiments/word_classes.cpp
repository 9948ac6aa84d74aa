#include "examples/translate/experiments/word_classes.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "examples/translate/artificial_words.h"

namespace translate {

namespace {

template <std::size_t count> bool is_among(const std::string& word, const std::array<std::string_view, count>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_artificial_article(const std::string& word) {
  const auto has_form = [&word](const ArticlePair& article) {
    return std::find(std::begin(article.target), std::end(article.target), word) != std::end(article.target);
  };
  return std::any_of(std::begin(articles), std::end(articles), has_form);
}

bool is_german_article(const std::string& word) {
  static constexpr std::array<std::string_view, 12> list = {"ein", "eine", "einem", "einen", "einer", "eines",
                                                            "der", "die",  "das",   "den",   "dem",   "des"};
  return is_among(word, list);
}

bool is_german_function_word(const std::string& word) {
  static constexpr std::array<std::string_view, 34> list = {
      "in",   "im",  "auf",  "an",    "am",    "mit",  "von",   "vom",   "zu",      "zum",      "zur", "bei",
      "beim", "vor", "nach", "neben", "unter", "über", "durch", "gegen", "hinter",  "zwischen", "aus", "für",
      "um",   "und", "oder", "aber",  "als",   "ohne", "dass",  "sich",  "während", "entlang"};
  return is_among(word, list);
}

// No letter and no digit of ASCII, and nothing beyond ASCII, where letters are found too.
bool is_punctuation(const std::string& word) {
  return std::none_of(word.begin(), word.end(), [](char letter) {
    const unsigned char c = static_cast<unsigned char>(letter);
    return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

WordClass german_class(const std::string& word) {
  if (is_german_article(word)) return WordClass::articles;
  if (is_german_function_word(word)) return WordClass::function_words;
  if (is_punctuation(word)) return WordClass::punctuation;
  return WordClass::others;
}

// How many links each source and each target word has.
struct LinkCounts {
  std::vector<int> of_source;
  std::vector<int> of_target;
};

LinkCounts link_counts(const SentencePair& pair) {
  LinkCounts counts{std::vector<int>(pair.source.size(), 0), std::vector<int>(pair.target.size(), 0)};
  for (const Link& link : *pair.gold) {
    ++counts.of_source[static_cast<std::size_t>(link.source)];
    ++counts.of_target[static_cast<std::size_t>(link.target)];
  }
  return counts;
}

// Is the source word of target word t that of another one too?
bool shares_its_source(const SentencePair& pair, const LinkCounts& counts, std::size_t t) {
  return std::any_of(pair.gold->begin(), pair.gold->end(), [&](const Link& link) {
    return static_cast<std::size_t>(link.target) == t && counts.of_source[static_cast<std::size_t>(link.source)] > 1;
  });
}

WordClass artificial_class(const SentencePair& pair, const LinkCounts& counts, std::size_t t) {
  if (is_artificial_article(pair.target[t])) return WordClass::articles;
  if (counts.of_target[t] > 1) return WordClass::compounds;
  return shares_its_source(pair, counts, t) ? WordClass::split_verbs : WordClass::others;
}

}  // namespace

std::string name(WordClass word_class) {
  switch (word_class) {
    case WordClass::articles: return "articles";
    case WordClass::split_verbs: return "split verbs";
    case WordClass::compounds: return "compounds";
    case WordClass::function_words: return "function words";
    case WordClass::punctuation: return "punctuation";
    case WordClass::others: break;
  }
  return "other words";
}

std::vector<std::optional<WordClass>> classes_of(const SentencePair& pair, bool is_artificial) {
  std::vector<std::optional<WordClass>> classes(pair.target.size());
  const LinkCounts counts = pair.gold ? link_counts(pair) : LinkCounts{};
  for (std::size_t t = 0; t < pair.target.size(); ++t) {
    if (pair.gold && counts.of_target[t] == 0) continue;
    classes[t] = is_artificial && pair.gold ? artificial_class(pair, counts, t) : german_class(pair.target[t]);
  }
  return classes;
}

}  // namespace translate
