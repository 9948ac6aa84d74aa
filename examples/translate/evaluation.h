// translate_sentences, translate_text: what a model makes of a text, with all that its measures need (measures.h).
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "examples/translate/report/measures.h"
#include "examples/translate/training/trained_model.h"

namespace translate {

// What a model makes of a sentence, in words even if it writes pieces of words.
struct Translation {
  Words words;           // without eos
  Tensor weights;        // [words, or words + 1 with the row of eos; source words + 1]; undefined without attention
  bool finished = true;  // false: it would not end
};

// Called between batches; true ends the work early.
using ShouldStop = std::function<bool()>;

// Returns the best translation of each sentence, in their order. Leaves the model in eval mode. Throws bad-argument for
// settings out of range.
std::vector<Translation> translate_sentences(const TrainedModel& model, const std::vector<Words>& sentences,
                                             const SearchSettings& settings = {});

// Translates every sentence, and also makes the model write every reference, to get its probability and the attention
// meanwhile. Returns the sentences in the order of the text, or nothing if should_stop() ended the work.
std::optional<std::vector<TranslatedSentence>> translate_text(const TrainedModel& model, const ParallelText& text,
                                                              const SearchSettings& settings = {},
                                                              const ShouldStop& should_stop = {});

}  // namespace translate
