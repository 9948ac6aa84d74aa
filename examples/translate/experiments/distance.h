// How well a model writes words whose source word stands far from their own place: what attention that does not look
// everywhere cannot see.
//
// The distance of a target word at position t whose source word stands at position s is |s - t|. Only words that must
// be looked at are counted (artificial_language.h), each while the reference up to there is given: so a mistake has no
// consequences for the words behind it. All are from the same sentences, which have a far word each.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "examples/translate/experiments/candidates.h"

namespace translate {

struct DistanceRange {
  std::int64_t from;
  std::int64_t to;
  std::string text() const;  // "0–2", "9", "11 or more"
};

// The last one lies beyond the window of local attention, 10 words to each side (nn/attention/local_attention.h).
inline constexpr std::int64_t far_distance = 11;
inline constexpr std::array<DistanceRange, 6> distance_ranges = {
    {{0, 2}, {3, 5}, {6, 8}, {9, 9}, {10, 10}, {far_distance, 1000}}};

// New sentences of the setting's artificial language, at most `most`, with a word from far away in each. They are drawn
// from `drawn` sentences.
ParallelText sentences_with_far_words(const Setting& setting, std::size_t drawn, std::size_t most);

// Of one range: how many words there are in the text, and how many the models write right, a percentage per seed.
struct WordsFromAfar {
  std::int64_t words = 0;
  Measured right = {};
};
using ByDistance = std::array<WordsFromAfar, distance_ranges.size()>;

ByDistance words_by_distance(const CandidateResult& result, const ParallelText& text);

}  // namespace translate
