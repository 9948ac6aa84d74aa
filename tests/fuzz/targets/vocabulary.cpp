// A vocabulary's JSON: refused, or read, and the same when it is written and read again.
#include <nn/translation/vocabulary.h>

#include "tests/fuzz/fuzz.h"

namespace fuzz_vocabulary {

using nn::Vocabulary;

void run(const std::string& input) {
  Vocabulary vocabulary;
  if (fuzz::refuses({autograd::ErrorId::bad_file}, [&] { vocabulary = Vocabulary::from_json(input, "input"); })) return;
  fuzz::require(Vocabulary::from_json(vocabulary.to_json(), "written") == vocabulary, "another one after writing");
  for (std::int64_t id = 0; id < vocabulary.size(); ++id) {
    fuzz::require(vocabulary.id(vocabulary.word(id)) == id, "a word has the number of another one");
  }
  for (const std::int64_t id : {std::int64_t{-1}, vocabulary.size()}) {
    fuzz::require(fuzz::refuses({autograd::ErrorId::token_out_of_range}, [&] { (void)vocabulary.word(id); }),
                  "a word that it does not have");
  }
}

const fuzz::Target target("vocabulary", run);

}  // namespace fuzz_vocabulary
