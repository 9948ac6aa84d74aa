#include "examples/translate/data/artificial_language.h"

#include <autograd/tensor/random.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string>
#include <unordered_set>

#include "examples/translate/data/artificial_words.h"
#include "examples/translate/messages.h"

namespace translate {
namespace {

using autograd::Generator;

// ---- the parts of a clause -----------------------------------------------------------------------------------

// A word with its translation and, once it has been said, its position in the source sentence. Parts that a clause does
// not have are empty words, which are neither said nor written.
struct Token {
  std::string source = "";
  std::string target = "";
  bool is_content = true;  // nouns, verbs, adjectives and adverbs, of which there are many
  int position = -1;
};

struct NounPhrase {
  Token article;
  Token noun;  // in a compound, `target` is the whole word
  Token material_linker;
  Token material;
  Token adjective;
};

enum class Joint { none, coordinating, subordinating };

struct Clause {
  Joint joint = Joint::none;  // with the clause before it
  Token conjunction;
  Token politeness;
  NounPhrase subject;
  Token auxiliary;
  Token verb;            // of a verb with a particle, its target is the stem
  std::string particle;  // the target's
  NounPhrase object;
  Token preposition;
  NounPhrase place;
  Token adverb;
};

// ---- choosing what to say ------------------------------------------------------------------------------------

class Chooser {
 public:
  Chooser(bool agreement, Generator& generator) : agreement_(agreement), generator_(generator) {}

  Clause clause(Joint joint) {
    Clause clause;
    clause.joint = joint;
    if (joint == Joint::coordinating) clause.conjunction = function_word(coordinating);
    if (joint == Joint::subordinating) clause.conjunction = function_word(subordinating);
    if (happens(0.2)) clause.politeness = {politeness, "", false};
    clause.subject = noun_phrase();
    if (happens(0.5)) clause.auxiliary = function_word(auxiliaries);
    choose_verb(clause);
    if (happens(0.8)) clause.object = noun_phrase();
    if (happens(0.25)) {
      clause.preposition = function_word(prepositions);
      clause.place = noun_phrase();
    }
    if (happens(0.5)) clause.adverb = content_word(adverbs);
    return clause;
  }

  Joint joint() { return happens(0.5) ? Joint::coordinating : Joint::subordinating; }

 private:
  bool happens(double probability) { return generator_.uniform() < probability; }

  template <class Element, std::size_t count> const Element& element_of(const Element (&list)[count]) {
    return list[generator_.integer(0, static_cast<std::int64_t>(count))];
  }
  template <std::size_t count> Token content_word(const WordPair (&list)[count]) {
    const WordPair& pair = element_of(list);
    return {pair.source, pair.target};
  }
  template <std::size_t count> Token function_word(const WordPair (&list)[count]) {
    const WordPair& pair = element_of(list);
    return {pair.source, pair.target, false};
  }

  NounPhrase noun_phrase() {
    NounPhrase phrase;
    const bool is_compound = happens(0.1);
    const NounPair& noun = is_compound ? nouns[element_of(compound_nouns)] : element_of(nouns);
    phrase.noun = {noun.source, noun.target};
    if (is_compound) {
      phrase.material_linker = {linker, "", false};
      phrase.material = content_word(materials);
      phrase.noun.target = phrase.material.target + phrase.noun.target;
    }
    const ArticlePair& article = element_of(articles);
    phrase.article = {article.source, article.target[agreement_ ? noun.gender : 0], false};
    if (happens(0.6)) phrase.adjective = content_word(adjectives);
    return phrase;
  }

  void choose_verb(Clause& clause) {
    if (happens(0.5)) {
      clause.verb = content_word(verbs);
      return;
    }
    const std::int64_t stem = generator_.integer(0, std::ssize(stems));
    const std::int64_t particle = generator_.integer(0, std::ssize(particles));
    clause.verb = {particle_verbs[stem][particle], stems[stem]};
    clause.particle = particles[particle];
  }

  bool agreement_;
  Generator& generator_;
};

// ---- saying it in both languages -----------------------------------------------------------------------------

class Speaker {
 public:
  Speaker() { pair_.gold.emplace(); }

  void say_and_translate(Clause clause) {
    say(clause);
    translate(clause);
  }
  SentencePair take() { return std::move(pair_); }

 private:
  // The source language: [conjunction] [politeness] subject [auxiliary] verb [object] [preposition place] [adverb]
  void say(Clause& clause) {
    say(clause.conjunction);
    say(clause.politeness);
    say(clause.subject);
    say(clause.auxiliary);
    say(clause.verb);
    say(clause.object);
    say(clause.preposition);
    say(clause.place);
    say(clause.adverb);
  }
  // article noun [linker material] [adjective]
  void say(NounPhrase& phrase) {
    for (Token* token : {&phrase.article, &phrase.noun, &phrase.material_linker, &phrase.material, &phrase.adjective}) {
      say(*token);
    }
  }
  void say(Token& token) {
    if (token.source.empty()) return;
    token.position = static_cast<int>(pair_.source.size());
    pair_.source.push_back(token.source);
  }

  // The target language, in a main clause:
  //   [conjunction] subject (auxiliary or stem) [adverb] [preposition place] [object] [particle] [stem unless above]
  // and in a subordinate one:
  //   , conjunction subject [adverb] [preposition place] [object] [particle] stem [auxiliary]
  void translate(const Clause& clause) {
    const bool is_subordinate = clause.joint == Joint::subordinating;
    const bool has_auxiliary = !clause.auxiliary.target.empty();
    if (is_subordinate) write(comma, {}, false);
    write(clause.conjunction);
    write(clause.subject);
    if (!is_subordinate) write(has_auxiliary ? clause.auxiliary : clause.verb);
    write(clause.adverb);
    write(clause.preposition);
    write(clause.place);
    write(clause.object);
    write(clause.particle, {clause.verb.position}, true);
    if (is_subordinate || has_auxiliary) write(clause.verb);
    if (is_subordinate) write(clause.auxiliary);
  }
  // article [adjective] noun, or [adjective] compound
  void write(const NounPhrase& phrase) {
    write(phrase.article);
    write(phrase.adjective);
    if (phrase.material.target.empty()) return write(phrase.noun);
    write(phrase.noun.target, {phrase.noun.position, phrase.material_linker.position, phrase.material.position}, false);
  }
  void write(const Token& token) { write(token.target, {token.position}, token.is_content); }
  void write(const std::string& word, std::initializer_list<int> sources, bool must_look) {
    if (word.empty()) return;
    const std::int64_t target = std::ssize(pair_.target);
    pair_.target.push_back(word);
    pair_.must_look.push_back(must_look);
    for (const int source : sources) pair_.gold->sure.push_back({source, target});
  }

  SentencePair pair_;
};

// Returns clauses joined by conjunctions. The target's finite verb is second in main clauses, last in subordinate ones.
SentencePair sentence_of(int clauses, bool agreement, Generator& generator) {
  Chooser chooser(agreement, generator);
  Speaker speaker;
  for (int i = 0; i < clauses; ++i) speaker.say_and_translate(chooser.clause(i == 0 ? Joint::none : chooser.joint()));
  return speaker.take();
}

}  // namespace

Corpus artificial_corpus(const ArtificialOptions& options) {
  if (options.clauses < 1) {
    refuse_option(fmt::format("sentences of at most {} clauses", options.clauses), "choose 1 or more");
  }
  Generator generator(options.seed);
  std::unordered_set<std::string> written;
  const auto write = [&](const std::string& name, std::size_t count, int fewest, int most) {
    ParallelText text{.name = name};
    while (text.pairs.size() < count) {
      const int clauses = static_cast<int>(generator.integer(fewest, most + 1));
      SentencePair pair = sentence_of(clauses, options.agreement, generator);
      if (written.insert(fmt::format("{}", fmt::join(pair.source, " "))).second) text.pairs.push_back(std::move(pair));
    }
    return text;
  };
  const int most = options.clauses;
  Corpus corpus{.source_language = "source", .target_language = "target", .train = {}, .validation = {}};
  // The tests come first, so that they do not depend on the number of training pairs.
  corpus.tests.push_back(write("test", options.test, 1, most));
  corpus.tests.push_back(write("longer", options.longer, most + 1, most + 1));
  corpus.validation = write("val", options.validation, 1, most);
  corpus.train = write("train", options.train, 1, most);
  return corpus;
}

}  // namespace translate
