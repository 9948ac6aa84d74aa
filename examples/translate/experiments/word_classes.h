// WordClass: classes of target words that attention treats differently.
//
//   artificial language      articles    their form depends on the noun, which follows the article in the source
//                            split verbs the stem and the particle that one source word becomes
//                            compounds   one word made from three
//                            others      each made from one source word, which determines it
//   German                   articles, function words (prepositions, conjunctions), punctuation, others: content words
//
// Where the alignment is known, words without a link belong to no class: there is nothing they should look at.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "examples/translate/data/parallel_text.h"

namespace translate {

enum class WordClass { articles, split_verbs, compounds, function_words, punctuation, others };

inline constexpr WordClass all_word_classes[] = {WordClass::articles,    WordClass::split_verbs,
                                                 WordClass::compounds,   WordClass::function_words,
                                                 WordClass::punctuation, WordClass::others};

std::string name(WordClass word_class);

// Returns whether the word has neither letters nor digits. Everything beyond ASCII counts as a letter.
bool is_punctuation(const std::string& word);
// Returns whether the word can be an article of this language, "en" or "de". In any other, no word can.
bool is_article(const std::string& word, const std::string& language);

// Returns the class of each target word of the pair; nothing for words without a link in a known alignment.
std::vector<std::optional<WordClass>> classes_of(const SentencePair& pair, bool is_artificial);

}  // namespace translate
