// What a model makes of a text: the translations and what they are measured by (measures.h).
#pragma once

#include <nn/translation/search.h>

#include <functional>
#include <optional>
#include <vector>

#include "examples/translate/report/measures.h"
#include "examples/translate/training/trained_model.h"

namespace translate {

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
