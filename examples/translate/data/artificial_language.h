// An artificial pair of languages with exactly known alignment: data for a machine that has none, and a yardstick for
// what attention looks at. Their words are made up (artificial_words.h); how they are put together is taken from real
// languages:
//
//   sivu      ya      la   teke  na   lubi     ri    demura     ne  bope  vomoto
//   so that   please  the  noun  of   material will  verb       a   noun  adjective
//
//   ,  damt     dar  brusgarn       nei  telkig     brelt  ak        bolgen  wirs
//      so that  the  material+noun  a    adjective  noun   particle  stem    will
//
//   reordering       adjectives stand behind the noun in the source and before it in the target; an adverb comes at
//                    the end of the clause there and before the objects here; with an auxiliary the verb goes to the
//                    end, in subordinate clauses the auxiliary too
//   many-to-one      "teke na lubi" is one word, a compound
//   one-to-many      half of the verbs become a stem and a particle, which stands at the end, far from the stem
//   no counterpart   "ya" is not translated, and nothing was translated into the comma before a subordinate clause
//   agreement        the article depends on the source's article and on the gender of the noun, which is the next word
//   long sentences   of several clauses, joined by conjunctions of two kinds that ask for different word orders
//
// The alignment links a word to what it was translated from, an article to the article. That is not where attention
// looks: an article must know its noun, and the noun's state in a bidirectional encoder knows the article that stands
// before it, so one look at the noun tells both, and articles point one word ahead, as they do in models of real
// languages. With `agreement` off articles do not depend on nouns; then nothing calls for the look ahead, but nothing
// forbids it.
//
// SentencePair::must_look marks what can be judged: the translations of nouns, verbs, adjectives and adverbs, one
// source word each. All are equally probable whatever the rest says, so that nothing but a look tells which of 10 to 36
// it is. Not marked are articles, conjunctions, auxiliaries and prepositions (there are two to six of each, few enough
// for a neighbour's state to carry), compounds, which two words tell, and commas.
#pragma once

#include <cstddef>
#include <cstdint>

#include "examples/translate/data/parallel_text.h"

namespace translate {

struct ArtificialOptions {
  std::uint64_t seed = 0;
  std::size_t train = 6000;  // pairs
  std::size_t validation = 500;
  std::size_t test = 500;
  std::size_t longer = 200;
  bool agreement = true;   // articles have the gender of their noun; otherwise they are all of one form
  int clauses = 3;         // of a sentence, at most: 1, 2, and so on are equally frequent
  bool documents = false;  // of 2 to `clauses` sentences of one short clause, with sentence_end behind each
};

// The word that ends each sentence of a document, in both languages.
constexpr const char* sentence_end = ".";

// The tests are "test", as the training sentences are, and "longer", with one clause more than any of those. No source
// sentence occurs twice. The same options give the same corpus on every machine; `agreement` and the number of pairs to
// train on change no source sentence of the tests. Throws bad-argument for less than one clause.
Corpus artificial_corpus(const ArtificialOptions& options = {});

}  // namespace translate
