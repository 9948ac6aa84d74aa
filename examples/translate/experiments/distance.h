// words_from_afar: how well a model writes words whose source word stands far from their own place, which attention
// with a limited view cannot see.
//
// The distance of a target word at position t whose source word stands at position s is |s - t|. Only must-look words
// count (artificial_language.h). Each is written after the reference up to there, so a mistake does not affect later
// words. All come from the same sentences, each of which has a far word.
#pragma once

#include <cstdint>

#include "examples/translate/experiments/candidates.h"

namespace translate {

// Beyond the window of local attention, 10 words to each side (nn/attention/local_attention.h).
inline constexpr std::int64_t far_distance = 11;

// Returns at most `most` new sentences of the setting's artificial language, each with a far word. They are picked from
// `drawn` sentences.
ParallelText sentences_with_far_words(const Setting& setting, std::size_t drawn, std::size_t most);

// Returns how many far words the models write right: a percentage per seed.
Measured words_from_afar(const CandidateResult& result, const ParallelText& text);

}  // namespace translate
