// Corpus, ParallelText, SentencePair: sentences in two languages, and which of their words belong together.
#pragma once

#include <nn/measures/alignment.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "examples/translate/data/text.h"

namespace translate {

// A line of a file as it was read, and the language of the file.
struct RawLine {
  std::string text;
  std::string language;
};

struct SentencePair {
  Words source;
  Words target;
  std::optional<nn::ReferenceAlignment> gold = std::nullopt;  // the right alignment, where it is known

  // For each target word, whether only a look at the one source word that it is linked to tells what it is: there the
  // alignment can judge attention. Known only for the artificial language (artificial_language.h says which words these
  // are), empty otherwise.
  std::vector<bool> must_look = {};

  std::optional<RawLine> target_line = std::nullopt;  // for BLEU as it is published; nothing if the pair was made up
  std::size_t line = 0;  // in the files it was read from, counted from 1; 0 if it was made up
};

struct ParallelText {
  std::string name;  // "train", "val", "test2016"
  std::vector<SentencePair> pairs = {};
};

// Returns the source or the target sentences of a text.
inline std::vector<Words> side_of(const ParallelText& text, Words SentencePair::*side) {
  std::vector<Words> sentences;
  for (const SentencePair& pair : text.pairs) sentences.push_back(pair.*side);
  return sentences;
}

// The texts that train a translator, choose its best epoch, and test it.
struct Corpus {
  std::string source_language;
  std::string target_language;
  ParallelText train;
  ParallelText validation;
  std::vector<ParallelText> tests = {};
  std::vector<std::string> notes = {};  // what to tell the user: lines that were left out
};

}  // namespace translate
