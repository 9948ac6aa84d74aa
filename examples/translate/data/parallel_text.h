// Sentences in two languages, and which words of theirs belong together.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "examples/translate/data/text.h"

namespace translate {

// Word `source` of the source sentence belongs to word `target` of the target sentence; both count from 0.
struct Link {
  int source;
  int target;
  bool sure;  // false: possible, which an aligner may have or not have (Och and Ney 2003)

  bool operator==(const Link&) const = default;
};
using Alignment = std::vector<Link>;

struct SentencePair {
  Words source;
  Words target;
  std::optional<Alignment> gold = std::nullopt;  // the right alignment, where it is known

  // For each target word, whether nothing but a look at the one source word that it is linked to tells what it is:
  // where attention can be judged by the alignment. Only known of the artificial language (artificial_language.h says
  // which words these are), empty otherwise.
  std::vector<bool> must_look = {};

  std::size_t line = 0;  // of the files it was read from, from 1; 0 if it was made up
};

struct ParallelText {
  std::string name;  // "train", "val", "test2016"
  std::vector<SentencePair> pairs = {};
};

// Its source or its target sentences.
inline std::vector<Words> side_of(const ParallelText& text, Words SentencePair::*side) {
  std::vector<Words> sentences;
  for (const SentencePair& pair : text.pairs) sentences.push_back(pair.*side);
  return sentences;
}

// What a translator is trained on, chosen by, and tested on.
struct Corpus {
  std::string source_language;
  std::string target_language;
  ParallelText train;
  ParallelText validation;
  std::vector<ParallelText> tests = {};
  std::vector<std::string> notes = {};  // what its reader should be told: lines that were left out
};

}  // namespace translate
