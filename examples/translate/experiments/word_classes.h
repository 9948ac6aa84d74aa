// Classes of target words, which attention treats differently.
//
//   artificial language      articles    their form needs the noun, which stands behind the article in the source
//                            split verbs the stem and the particle that one source word becomes
//                            compounds   one word made from three
//                            others      each made from one source word, which tells all
//   German                   articles, function words (prepositions, conjunctions), punctuation, others: content words
//
// Words without a link in the known alignment belong to no class where it is known: there is nothing they should look
// at.
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

// Of each target word of the pair; nothing for those without a link.
std::vector<std::optional<WordClass>> classes_of(const SentencePair& pair, bool is_artificial);

}  // namespace translate
