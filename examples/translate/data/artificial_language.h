// artificial_corpus: sentence pairs of two artificial languages whose alignment is known exactly. They are data for a
// machine that has none, and a yardstick for what attention looks at. The words are made up (artificial_words.h); the
// grammar follows real languages:
//
//   sivu      ya      la   teke  na   lubi     ri    demura     ne  bope  vomoto
//   so that   please  the  noun  of   material will  verb       a   noun  adjective
//
//   ,  damt     dar  brusgarn       nei  telkig     brelt  ak        bolgen  wirs
//      so that  the  material+noun  a    adjective  noun   particle  stem    will
//
//   reordering       adjectives follow the noun in the source and precede it in the target; an adverb ends the source
//                    clause, but precedes the objects in the target; an auxiliary sends the target's verb to the end,
//                    and in subordinate clauses it goes there too
//   many-to-one      "teke na lubi" becomes one word, a compound
//   one-to-many      half of the verbs become a stem and a particle at the end of the clause, often far from the stem
//   no counterpart   "ya" is not translated, and the comma before a subordinate clause translates nothing
//   agreement        the article depends on the source's article and on the gender of the noun, which is the next word
//   long sentences   have several clauses, joined by two kinds of conjunctions that ask for different word orders
//
// The alignment links each word to the one it translates, an article to the article. Attention looks elsewhere: to
// write an article it must know the noun, and in a bidirectional encoder the noun's state also knows the article before
// it. One look at the noun tells both, so articles point one word ahead, as they do in models of real languages. With
// `agreement` off, articles do not depend on nouns: nothing calls for looking ahead, but nothing forbids it.
//
// SentencePair::must_look marks the words by which attention can be judged: translations of nouns, verbs, adjectives
// and adverbs that come from one source word each. The rest of the sentence does not make any of them more probable, so
// only a look tells which of 10 to 36 it is. Not marked are articles, conjunctions, auxiliaries and prepositions (with
// two to six of each, a neighbour's state can carry the choice), compounds, which take a look at two words, and commas.
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
  bool agreement = true;  // articles take their noun's gender; otherwise each has a single form
  int clauses = 3;        // per sentence, at most; 1, 2, and so on are equally frequent
};

// Returns a corpus with two tests: "test", which is like the training sentences, and "longer", with one clause more
// than any of those. No source sentence occurs twice. The same options give the same corpus on every machine;
// `agreement` and the number of training pairs change no source sentence of the tests. Throws bad-argument for fewer
// than one clause.
Corpus artificial_corpus(const ArtificialOptions& options = {});

}  // namespace translate
