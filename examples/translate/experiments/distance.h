// How well a model writes words whose source word stands far from their own place: what attention that does not look
// everywhere cannot see.
//
// The distance of a target word at position t whose source word stands at position s is |s - t|. Only words that must
// be looked at are counted (artificial_language.h), each while the reference up to there is given: so a mistake has no
// consequences for the words behind it. All are from the same sentences, which have a far word each.
#pragma once

#include <cstdint>

#include "examples/translate/experiments/candidates.h"

namespace translate {

// Beyond the window of local attention, 10 words to each side (nn/attention/local_attention.h).
inline constexpr std::int64_t far_distance = 11;

// New sentences of the setting's artificial language, at most `most`, with a word from far away in each. They are drawn
// from `drawn` sentences.
ParallelText sentences_with_far_words(const Setting& setting, std::size_t drawn, std::size_t most);

// How many words from far away the models write right: a percentage per seed.
Measured words_from_afar(const CandidateResult& result, const ParallelText& text);

}  // namespace translate
