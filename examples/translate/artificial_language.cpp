#include "examples/translate/artificial_language.h"

#include <autograd/tensor/error.h>
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <unordered_set>

#include "examples/translate/artificial_sentence.h"

namespace translate {
namespace {

using autograd::ErrorId;
using autograd::Generator;

class Author {
 public:
  explicit Author(const ArtificialOptions& options) : options_(options), generator_(options.seed) {}

  // `count` pairs of `fewest` to `most` clauses, or sentences of a document. No source occurs twice.
  ParallelText write(const std::string& name, std::size_t count, int fewest, int most) {
    ParallelText text{.name = name};
    while (text.pairs.size() < count) {
      SentencePair pair = draw(static_cast<int>(generator_.integer(fewest, most + 1)));
      if (written_.insert(join(pair.source)).second) text.pairs.push_back(std::move(pair));
    }
    return text;
  }

 private:
  SentencePair draw(int parts) {
    return options_.documents ? artificial_document(parts, options_.agreement, generator_)
                              : artificial_sentence(parts, options_.agreement, generator_);
  }

  ArtificialOptions options_;
  Generator generator_;
  std::unordered_set<std::string> written_;
};

}  // namespace

Corpus artificial_corpus(const ArtificialOptions& options, Where where) {
  if (options.clauses < 1) {
    autograd::fail(ErrorId::bad_argument, "artificial_corpus", where,
                   fmt::format("sentences of at most {} clauses", options.clauses), "choose 1 or more");
  }
  const int fewest = options.documents ? 2 : 1;
  const int most = std::max(fewest, options.clauses);
  Author author(options);
  Corpus corpus{.source_language = "source", .target_language = "target", .train = {}, .validation = {}};
  // The tests first: so they do not depend on how much there is to train on.
  corpus.tests.push_back(author.write("test", options.test, fewest, most));
  corpus.tests.push_back(author.write("longer", options.longer, most + 1, most + 1));
  corpus.validation = author.write("val", options.validation, fewest, most);
  corpus.train = author.write("train", options.train, fewest, most);
  return corpus;
}

}  // namespace translate
