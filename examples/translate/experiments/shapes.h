// PatternCount: how often a shape of alignments (nn/measures/alignment_patterns.h) is in the attention of a model. Its
// examples are drawn by draw_found, as is anything else that is found in the attention of a sentence.
#pragma once

#include <nn/measures/alignment_patterns.h>

#include <cstdint>
#include <string>
#include <vector>

#include "examples/translate/report/measures.h"

namespace translate {

struct PatternCount {
  nn::AlignmentPattern pattern;
  std::int64_t sentences = 0;  // all sentences with words on both sides
  std::int64_t own = 0;        // with the pattern in the attention of the model's own translation
  // Counted where the alignment is known, while the reference is written:
  std::int64_t known = 0;
  std::int64_t forced = 0;  // in the attention
  std::int64_t gold = 0;    // in the alignment
  std::int64_t both = 0;
  // The best example in the model's own translation.
  nn::FoundPattern best = {};
  const TranslatedSentence* example = nullptr;
};

PatternCount count_pattern(nn::AlignmentPattern pattern, const std::vector<TranslatedSentence>& sentences);

// Whether the sentence is short enough for its picture to be read.
bool can_be_drawn(const TranslatedSentence& sentence);
// Draws the attention of a sentence. The caption is what `what` says, the words that were found, and the reference.
void draw_found(Report& report, const std::string& name, const std::string& what, const TranslatedSentence& sentence,
                const nn::FoundPattern& found);

}  // namespace translate
