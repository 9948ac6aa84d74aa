// What a model makes of a text: the translations and what they are measured by (measures.h).
#pragma once

#include <nn/translation/search.h>
#include <nn/translation/translation_model.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "examples/translate/measures.h"
#include "examples/translate/parallel_text.h"
#include "examples/translate/trained_model.h"

namespace translate {

struct SearchSettings {
  std::int64_t beam = 1;        // 1: greedy
  std::int64_t n_best = 1;      // translations per sentence, at most `beam`
  double length_penalty = 1.0;  // nn::BeamOptions
  std::int64_t max_length = 0;  // in words; 0: 60, or twice the longest source of the batch if that is more
  std::int64_t batch = 64;      // sentences at once, fewer if they are very long; no influence but by rounding
};

// Asked between two batches; true ends the work early.
using ShouldStop = std::function<bool()>;

// n_best translations of each sentence, in its order. The model is in eval mode afterwards. Throws bad-argument for
// settings out of range.
std::vector<std::vector<nn::Translation>> translate_sentences(const TrainedModel& model,
                                                              const std::vector<Words>& sentences,
                                                              const SearchSettings& settings = {});

// Translates every sentence, and has the model write every reference too, for its probability and the attention
// meanwhile. In the order of the text. Nothing if it was stopped.
std::optional<std::vector<TranslatedSentence>> translate_text(const TrainedModel& model, const ParallelText& text,
                                                              const SearchSettings& settings = {},
                                                              const ShouldStop& should_stop = {});

}  // namespace translate
