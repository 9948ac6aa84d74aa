#include "examples/translate/data_options.h"

#include <fmt/core.h>

#include <filesystem>

#include "examples/translate/artificial_language.h"
#include "examples/translate/corpus.h"
#include "examples/translate/fingerprint.h"
#include "examples/translate/refuse.h"

namespace translate {
namespace {

void check_at_least(const char* name, std::int64_t value, std::int64_t smallest) {
  if (value < smallest)
    refuse_option(fmt::format("--{} is {}", name, value), fmt::format("it is at least {}", smallest));
}

}  // namespace

DataOptions checked(DataOptions options) {
  check_at_least("min-frequency", options.min_frequency, 1);
  check_at_least("pairs", options.pairs, 1);
  check_at_least("clauses", options.clauses, 1);
  if (!options.data.empty()) {
    const std::filesystem::path folder = std::filesystem::absolute(options.data).lexically_normal();
    options.data = folder.string();
  }
  return options;
}

Corpus load_corpus(const DataOptions& options) {
  if (!options.data.empty()) return read_corpus(options.data, options.source_language, options.target_language);
  return artificial_corpus({.seed = options.data_seed,
                            .train = static_cast<std::size_t>(options.pairs),
                            .agreement = !options.no_agreement,
                            .clauses = static_cast<int>(options.clauses),
                            .documents = options.documents});
}

namespace {

void add(Fingerprint& fingerprint, const Words& words) {
  fingerprint.add(static_cast<std::int64_t>(words.size()));
  for (const std::string& word : words) fingerprint.add(word);
}

void add(Fingerprint& fingerprint, const ParallelText& text) {
  fingerprint.add(static_cast<std::int64_t>(text.pairs.size()));
  for (const SentencePair& pair : text.pairs) {
    add(fingerprint, pair.source);
    add(fingerprint, pair.target);
  }
}

}  // namespace

std::string fingerprint_of(const Corpus& corpus) {
  Fingerprint fingerprint;
  add(fingerprint, corpus.train);
  add(fingerprint, corpus.validation);
  return fingerprint.text();
}

}  // namespace translate
