// What a model is trained on: a folder, or the artificial language.
#pragma once

#include <cstdint>
#include <string>

#include "examples/translate/option_texts.h"
#include "examples/translate/parallel_text.h"

namespace translate {

struct DataOptions {
  std::string data = "";               // a folder (corpus.h); "": the artificial language (artificial_language.h)
  std::string source_language = "en";  // the ends of the files' names; of a folder only
  std::string target_language = "de";
  std::int64_t min_frequency = 2;  // words of a folder that are seen less often are <unk>
  std::int64_t max_words = 250;    // in training, pairs with more on one side are left out; 0: none is
  std::int64_t pairs = 6000;       // to train on; of the artificial language only, like all below
  std::int64_t clauses = 3;        // of a sentence, at most
  bool no_agreement = false;       // articles have one form, whatever their noun
  bool documents = false;          // several sentences each
  std::uint64_t data_seed = 0;

  template <class Self, class Visit> static void each(Self& self, Visit&& visit) {
    visit("data", self.data, "folder with train, val and test files; none: the artificial language");
    visit("source-language", self.source_language, "end of the names of the source files");
    visit("target-language", self.target_language, "end of the names of the target files");
    visit("min-frequency", self.min_frequency, "words of a folder seen less often are <unk>");
    visit("max-words", self.max_words, "pairs with a longer sentence are left out of training; 0: none");
    visit("pairs", self.pairs, "of the artificial language, to train on");
    visit("clauses", self.clauses, "of a sentence of the artificial language, at most");
    visit("no-agreement", self.no_agreement, "articles of the artificial language do not depend on their noun");
    visit("documents", self.documents, "the artificial language in documents of several sentences");
    visit("data-seed", self.data_seed, "of the artificial language");
  }
};

// The folder is made absolute, so that a run finds its data from anywhere. Throws bad-argument for options out of
// range.
DataOptions checked(DataOptions options);
// Throws bad-argument for an option that is set but has no effect: of a folder, or of the artificial language.
void check_what_fits_the_data(const DataOptions& options);

// Of long pairs that are left out, the corpus has a note. Throws bad-argument and what read_corpus throws; bad-file if
// all are left out.
Corpus load_corpus(const DataOptions& options);

std::string fingerprint_of(const ParallelText& text);
// Of the words that a training reads and is validated on: another one means other data.
std::string fingerprint_of(const Corpus& corpus);

}  // namespace translate
