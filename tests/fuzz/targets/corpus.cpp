// Two files of a corpus, and the alignments of the two: refused with file and line, or read; words come back the same
// when they are joined and split again, or turned into numbers and back; BLEU stays within its bounds.
#include "examples/translate/data/corpus.h"

#include <nn/measures/bleu.h>
#include <nn/measures/tokenizer_13a.h>
#include <nn/translation/vocabulary.h>

#include <cmath>
#include <sstream>

#include "examples/translate/data/text.h"
#include "tests/fuzz/fuzz.h"

namespace fuzz_corpus {

using autograd::ErrorId;
using nn::Vocabulary;
using translate::ParallelText;
using translate::Words;

using Lines = std::vector<std::string>;

void check_lines(const std::string& file, const std::string& text) {
  Lines lines;
  if (fuzz::refuses({ErrorId::bad_file}, [&] { lines = translate::read_lines(file); })) return;
  std::istringstream stream(text);
  fuzz::require(translate::read_lines(stream, "a pipe") == lines, "other lines from a pipe");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    fuzz::refuses({ErrorId::bad_file}, [&] { translate::words_of_line(lines[i], file, i + 1); });
  }
}

void check_tokens(const std::string& text) {
  for (const std::string& token : nn::tokenize_13a(text)) {
    fuzz::require(nn::split_at_white_space(token) == Lines{token}, "white space in a token");
  }
}

void check_score(const nn::BleuScore& score) {
  fuzz::require(score.score >= 0.0 && score.score <= 100.0001, "a score that is no percentage");
}

void check_bleu(const ParallelText& text) {
  Lines hypotheses;
  Lines references;
  for (const translate::SentencePair& pair : text.pairs) {
    hypotheses.push_back(translate::join(pair.source));
    references.push_back(translate::join(pair.target));
  }
  for (const auto smoothing :
       {nn::BleuSmoothing::exp, nn::BleuSmoothing::none, nn::BleuSmoothing::floor, nn::BleuSmoothing::add_k}) {
    for (const bool effective : {false, true}) {
      const nn::BleuOptions options{.smoothing = smoothing, .effective_order = effective};
      check_score(nn::corpus_bleu(hypotheses, {references}, options));
      check_score(nn::corpus_bleu(hypotheses, {references, hypotheses}, options));
    }
  }
}

void check_words(const Words& words, const Vocabulary& vocabulary) {
  fuzz::require(translate::split_words(translate::join(words)) == words, "other words when joined and split");
  fuzz::require(vocabulary.words(vocabulary.ids(words)) == words, "other words when numbered");
}

void run(const std::string& input) {
  const Lines parts = fuzz::parts_of(input, 2);
  const std::string source = fuzz::file_with(parts[0], "source");
  const std::string target = fuzz::file_with(parts[1], "target");
  check_lines(source, parts[0]);
  check_tokens(parts[0]);

  ParallelText text;
  if (fuzz::refuses({ErrorId::bad_file}, [&] { text = translate::read_parallel_text("input", source, target); })) {
    return;
  }
  std::vector<Words> source_words;
  std::vector<Words> target_words;
  for (const translate::SentencePair& pair : text.pairs) {
    source_words.push_back(pair.source);
    target_words.push_back(pair.target);
  }
  const Vocabulary sources(source_words);
  const Vocabulary targets(target_words, 1);
  for (const translate::SentencePair& pair : text.pairs) {
    check_words(pair.source, sources);
    check_words(pair.target, targets);
  }
  check_bleu(text);
}

const fuzz::Target target("corpus", run);

}  // namespace fuzz_corpus
