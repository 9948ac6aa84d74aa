#include "examples/translate/data_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "examples/translate/artificial_language.h"
#include "examples/translate/corpus.h"
#include "examples/translate/fingerprint.h"
#include "examples/translate/messages.h"
#include "examples/translate/refuse.h"

namespace translate {
namespace {

constexpr std::int64_t many = 10'000'000;

// Refuses an option that is not what it is when nobody sets it.
void check_unset(const OptionTexts& options, const char* name, const char* when) {
  if (options.at(name) == texts_of(DataOptions()).at(name)) return;
  refuse_option(fmt::format("--{} is set, which does nothing {}", name, when), "leave it out");
}

bool is_too_long(const SentencePair& pair, std::int64_t max_words) {
  return std::max(pair.source.size(), pair.target.size()) > static_cast<std::size_t>(max_words);
}

// "3 pairs are left out: more than 250 words (the first one: line 61 of train)"
std::string describe_too_long(std::int64_t count, const SentencePair& first, std::int64_t max_words) {
  const std::string place = first.line == 0 ? "" : fmt::format(" (the first one: line {} of train)", first.line);
  return fmt::format("{} {} left out: more than {}{}", counted(count, "pair"), count == 1 ? "is" : "are",
                     counted(max_words, "word"), place);
}

// A batch is as long as its longest sentence: one that is very long would make it too large for the memory.
void leave_out_long_pairs(Corpus& corpus, std::int64_t max_words) {
  if (max_words == 0) return;
  std::vector<SentencePair>& pairs = corpus.train.pairs;
  const auto is_long = [max_words](const SentencePair& pair) { return is_too_long(pair, max_words); };
  const auto first = std::find_if(pairs.begin(), pairs.end(), is_long);
  if (first == pairs.end()) return;
  const std::string note = describe_too_long(std::count_if(first, pairs.end(), is_long), *first, max_words);
  std::erase_if(pairs, is_long);
  if (pairs.empty()) refuse_files(note + "; nothing is left to train on", "give a larger --max-words");
  corpus.notes.push_back(note);
}

}  // namespace

void check_what_fits_the_data(const DataOptions& options) {
  const OptionTexts texts = texts_of(options);
  if (options.data.empty()) {
    for (const char* name : {"min-frequency", "source-language", "target-language"}) {
      check_unset(texts, name, "without --data");
    }
    return;
  }
  for (const char* name : {"pairs", "clauses", "no-agreement", "documents", "data-seed"}) {
    check_unset(texts, name, "with --data: it is of the artificial language");
  }
}

DataOptions checked(DataOptions options) {
  check_range("min-frequency", options.min_frequency, 1, many);
  check_range("max-words", options.max_words, 0, many);
  check_range("pairs", options.pairs, 1, many);
  check_range("clauses", options.clauses, 1, 1000);
  if (!options.data.empty()) {
    const std::filesystem::path folder = std::filesystem::absolute(options.data).lexically_normal();
    options.data = folder.string();
  }
  return options;
}

namespace {

Corpus artificial(const DataOptions& options) {
  return artificial_corpus({.seed = options.data_seed,
                            .train = static_cast<std::size_t>(options.pairs),
                            .agreement = !options.no_agreement,
                            .clauses = static_cast<int>(options.clauses),
                            .documents = options.documents});
}

}  // namespace

Corpus load_corpus(const DataOptions& options) {
  const bool is_artificial = options.data.empty();
  Corpus corpus =
      is_artificial ? artificial(options) : read_corpus(options.data, options.source_language, options.target_language);
  leave_out_long_pairs(corpus, options.max_words);
  return corpus;
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

std::string fingerprint_of(const ParallelText& text) {
  Fingerprint fingerprint;
  add(fingerprint, text);
  return fingerprint.text();
}

std::string fingerprint_of(const Corpus& corpus) {
  Fingerprint fingerprint;
  add(fingerprint, corpus.train);
  add(fingerprint, corpus.validation);
  return fingerprint.text();
}

}  // namespace translate
